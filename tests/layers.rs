//! Who may import whom (docs/architecture.md), read from every file of the crate.
//!
//! ```text
//!   object, selector, clock, hash <- delta <- store <- processor <- controller <- informer <- queues     the core
//!   reflector, cluster: core + kube        service: core + tonic, prost        run, main: both sides
//! ```
//!
//! Beside that: no file above 500 lines, none that no module declares, and nothing that panics on data.

#[path = "layers/source.rs"]
mod source;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use source::{mentions, modules, panics, root_modules, tokens};

/// Contents by path, such as `store/index.rs`.
type Tree = BTreeMap<String, String>;

/// Each module of the crate's root, the modules that it may name ([`CORE`] stands for all of the core), and the foreign
/// crates that it may.
const RULES: &[(&str, &[&str], &[Crates])] = &[
    ("object", &["hash"], &[]),
    ("selector", &[], &[]),
    ("clock", &[], &[]),
    ("hash", &[], &[]),
    ("delta", &["object"], &[]),
    ("store", &["object", "selector", "delta"], &[]),
    (
        "processor",
        &["hash", "object", "selector", "clock", "delta", "store"],
        &[],
    ),
    ("controller", &["object", "clock", "delta", "store", "processor"], &[]),
    ("upstream", &["object", "clock", "delta"], &[]),
    (
        "informer",
        &[
            "object",
            "selector",
            "clock",
            "hash",
            "delta",
            "store",
            "processor",
            "controller",
            "upstream",
        ],
        &[],
    ),
    ("queue", &["object", "clock", "hash"], &[]),
    ("queues", &[CORE], &[]),
    ("reflector", &[CORE], &[Crates::Kube, Crates::Http]),
    ("cluster", &[CORE, "reflector"], &[Crates::Kube, Crates::Http]),
    ("service", &[CORE, "proto"], &[Crates::Grpc]),
    ("telemetry", &[CORE], &[Crates::Http]),
    ("proto", &[], &[Crates::Grpc]),
    ("config", &[], &[]),
    // A server of its own over plain HTTP; kube only in its tests, as a client.
    ("sim", &["selector"], &[Crates::Http]),
    // A client like any other: it knows the contract and nothing of what is behind it.
    ("cli", &["config", "proto"], &[Crates::Grpc, Crates::Http]),
    ("run", &[ANYTHING], &[Crates::Kube, Crates::Http, Crates::Grpc]),
    ("main", &[ANYTHING], &[Crates::Kube, Crates::Http, Crates::Grpc]),
];
const CORE: &str = "the core";
const CORE_MODULES: &[&str] = &[
    "object",
    "selector",
    "clock",
    "hash",
    "delta",
    "store",
    "processor",
    "controller",
    "upstream",
    "informer",
    "queue",
    "queues",
];
const ANYTHING: &str = "anything";

/// Kinds of foreign crates that only some layers may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crates {
    Kube,
    Http,
    Grpc,
}

/// Calls that look as if they could panic and cannot, with the reason.
const HARMLESS: &[(&str, &str, &str)] = &[(
    "run.rs",
    "factory.expect",
    "the factory's own method: it notes which informers are asked for at the start",
)];

const MAX_LINES: usize = 500;

// === impl Crates ===

impl Crates {
    fn of(name: &str) -> Option<Self> {
        match name {
            "kube" | "kube_client" | "kube_core" | "kube_runtime" | "k8s_openapi" => Some(Self::Kube),
            "http" | "http_body" | "http_body_util" | "hyper" | "hyper_util" | "reqwest" | "rustls" | "tower" => {
                Some(Self::Http)
            }
            "tonic" | "tonic_health" | "tonic_prost" | "tonic_reflection" | "tonic_types" | "prost" | "prost_types" => {
                Some(Self::Grpc)
            }
            _ => None,
        }
    }
}

/// Everything that is wrong, one line each, beginning with the place.
fn complaints(tree: &Tree) -> BTreeSet<String> {
    let (files, mut wrong) = files(tree);
    for (file, is_test) in files {
        wrong.extend(complaints_of(&file, &tree[&file], is_test));
    }
    wrong
}

fn complaints_of(file: &str, source: &str, is_test: bool) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    let tokens = tokens(source);
    let path = module_path(file);
    let module = path.first().map_or("", String::as_str);
    let lines = source.lines().count();
    if lines > MAX_LINES {
        wrong.insert(format!("{file}: {lines} lines are more than {MAX_LINES}"));
    }
    if !is_test {
        let harmless = |call: &str| HARMLESS.iter().any(|(f, c, _)| *f == file && *c == call);
        for (line, call) in panics(&tokens).into_iter().filter(|(_, call)| !harmless(call)) {
            wrong.insert(format!("{file}:{line}: {call} may panic"));
        }
    }
    if file == "lib.rs" {
        return wrong;
    }
    let Some((_, allowed, crates)) = RULES.iter().find(|(name, ..)| *name == module) else {
        wrong.insert(format!("{file}: no rule says what the module {module:?} may import"));
        return wrong;
    };
    let may = |name: &str| {
        allowed.contains(&ANYTHING)
            || allowed.contains(&name)
            || name == module
            || (allowed.contains(&CORE) && CORE_MODULES.contains(&name))
    };
    for (name, token) in root_modules(&tokens, &path).into_iter().filter(|(name, _)| !may(name)) {
        wrong.insert(format!("{file}:{}: {module} must not import {name}", token.line));
    }
    for (name, token) in mentions(&tokens, |name| Crates::of(name).is_some()) {
        // The simulated cluster is tested with a real client.
        let as_client = module == "sim" && (is_test || token.test);
        if !as_client && !Crates::of(&name).is_some_and(|kind| crates.contains(&kind)) {
            wrong.insert(format!("{file}:{}: {module} must not know {name}", token.line));
        }
    }
    wrong
}

/// All files, and whether each is compiled for tests only. Files that no module declares are complained of.
fn files(tree: &Tree) -> (BTreeMap<String, bool>, BTreeSet<String>) {
    let (mut found, mut wrong) = (BTreeMap::new(), BTreeSet::new());
    let mut open = vec![("lib.rs".to_owned(), false), ("main.rs".to_owned(), false)];
    while let Some((file, test)) = open.pop() {
        let Some(source) = tree.get(&file) else {
            wrong.insert(format!("{file}: declared, but there is no such file"));
            continue;
        };
        let directory = match file.as_str() {
            "lib.rs" | "main.rs" => String::new(),
            other => format!("{}/", other.trim_end_matches(".rs")),
        };
        for module in modules(&tokens(source)) {
            open.push((format!("{directory}{}.rs", module.name), test || module.test));
        }
        found.insert(file, test);
    }
    for file in tree.keys().filter(|file| !found.contains_key(*file)) {
        wrong.insert(format!("{file}: no module declares it"));
    }
    (found, wrong)
}

fn module_path(file: &str) -> Vec<String> {
    file.trim_end_matches(".rs").split('/').map(str::to_owned).collect()
}

fn read_tree() -> Tree {
    fn read(directory: &Path, prefix: &str, tree: &mut Tree) {
        for entry in fs::read_dir(directory).expect("read src") {
            let path = entry.expect("read src").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                read(&path, &format!("{prefix}{name}/"), tree);
            } else if name.ends_with(".rs") {
                tree.insert(
                    format!("{prefix}{name}"),
                    fs::read_to_string(&path).expect("read a file"),
                );
            }
        }
    }
    let mut tree = Tree::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut tree);
    tree
}

#[test]
fn every_import_points_the_right_way_and_nothing_panics_on_data() {
    let tree = read_tree();
    assert!(tree.len() > 50, "the sources were not found: {}", tree.len());
    let wrong: Vec<_> = complaints(&tree).into_iter().collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_list_of_harmless_calls_is_not_outdated() {
    let tree = read_tree();
    for (file, call, reason) in HARMLESS {
        let found = panics(&tokens(&tree[*file])).into_iter().any(|(_, c)| c == *call);
        assert!(found, "{file} has no {call} any more ({reason})");
    }
}

/// Without this, a checker that sees nothing would pass.
#[test]
fn planted_violations_are_found() {
    let tree = read_tree();
    for (file, code, complaint) in [
        ("store.rs", "use kube::Client;", "store must not know kube"),
        (
            "store.rs",
            "use {std::fmt, ::kube::Client};",
            "store must not know kube",
        ),
        (
            "object/scan.rs",
            "type X = k8s_openapi::Foo;",
            "object must not know k8s_openapi",
        ),
        (
            "delta/fifo.rs",
            "fn f() -> tonic::Status {}",
            "delta must not know tonic",
        ),
        (
            "object.rs",
            "use crate::{delta::Delta, object::Object};",
            "object must not import delta",
        ),
        ("delta.rs", "use crate::store;", "delta must not import store"),
        (
            "store/index.rs",
            "use super::super::processor::Processor;",
            "store must not import processor",
        ),
        (
            "store/index.rs",
            "mod x { use super::super::super::processor::P; }",
            "store must not import processor",
        ),
        (
            "processor.rs",
            "fn f(c: super::controller::Controller) {}",
            "processor must not import controller",
        ),
        (
            "processor.rs",
            "use crate::{object::{Uid, Key}, proto};",
            "processor must not import proto",
        ),
        ("informer.rs", "use crate::*;", "informer must not import *"),
        ("upstream.rs", "use crate::{self as all};", "upstream must not import *"),
        (
            "informer/factory.rs",
            "use crate::cluster::Cluster;",
            "informer must not import cluster",
        ),
        (
            "reflector/run.rs",
            "use tonic::Status;",
            "reflector must not know tonic",
        ),
        (
            "cluster.rs",
            "use crate::service::BoundServer;",
            "cluster must not import service",
        ),
        ("service/access.rs", "use kube::Client;", "service must not know kube"),
        (
            "service/server.rs",
            "use crate::{cluster::Cluster, informer};",
            "service must not import cluster",
        ),
        (
            "cli/get.rs",
            "use crate::informer::SharedInformer;",
            "cli must not import informer",
        ),
        (
            "sim/store.rs",
            "use informerd::reflector::Reflector;",
            "sim must not import reflector",
        ),
        ("sim/store.rs", "use kube::Client;", "sim must not know kube"),
        ("controller.rs", "fn f() { Some(1).unwrap(); }", ").unwrap may panic"),
        (
            "store.rs",
            "fn f() { /* \" */ g('\"').expect(\"x\"); }",
            ").expect may panic",
        ),
        (
            "delta.rs",
            "fn f() { let _ = r#\"\"#; unreachable!() }",
            "unreachable may panic",
        ),
    ] {
        let source = &tree[file];
        let line = source.lines().count() + 1;
        let new = complaints_of(file, &format!("{source}{code}\n"), false);
        // What else the file may be accused of is another test's matter.
        let new: Vec<_> = new
            .into_iter()
            .filter(|c| c.starts_with(&format!("{file}:{line}:")))
            .collect();
        assert_eq!(new, [format!("{file}:{line}: {complaint}")], "{code}");
    }
}

#[test]
fn what_only_looks_like_a_violation_is_none() {
    let tree = read_tree();
    for (file, code) in [
        ("store.rs", "// use kube::Client;"),
        ("store.rs", "/* nested /* use kube::Client; */ .unwrap() */"),
        ("store.rs", "const X: &str = \"kube::Client.unwrap()\";"),
        ("store.rs", "const X: &str = r#\"\"crate::service\"#;"),
        ("store.rs", "fn f(x: X) { x.http(); y::http::z(); x.unwrap_or(1); }"),
        ("store.rs", "#[cfg(test)] mod more { fn f() { x.unwrap(); panic!(); } }"),
        ("store.rs", "struct S { #[cfg(test)] a: Option<u8>, b: u8 }"),
        ("store/index.rs", "use super::query;"),
        ("service/server.rs", "use crate::{proto::v1alpha1 as pb, informer};"),
        ("run.rs", "use crate::{cluster, service};"),
    ] {
        let source = &tree[file];
        let with = complaints_of(file, &format!("{source}{code}\n"), false);
        assert_eq!(with, complaints_of(file, source, false), "{code}");
    }
}

#[test]
fn long_and_forgotten_files_are_found() {
    let mut tree = read_tree();
    let before = complaints(&tree);
    tree.insert("store/forgotten.rs".into(), "//! Nobody's.\n".into());
    tree.insert("clock.rs".into(), "\n".repeat(501));
    let new: Vec<_> = complaints(&tree).difference(&before).cloned().collect();
    assert_eq!(
        new,
        [
            "clock.rs: 501 lines are more than 500",
            "store/forgotten.rs: no module declares it"
        ]
    );
}
