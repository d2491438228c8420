//! docs/guarantees.md and the tests say the same: each test that the document names exists, each field case and each row that
//! must be answered for is in it, and no test that proves one is left out.
//!
//! ```text
//!  docs/guarantees.md ── rows: ids | claim | proven by | runs on ──┐
//!                                                                 ├── complaints()
//!  src/, tests/ ── functions that are tests ──────────────────────┘
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Contents of the Rust files by path, such as `tests/faults/gap.rs`.
type Tree = BTreeMap<String, String>;

/// A row of one of the tables.
#[derive(Debug)]
struct Row<'a> {
    ids: Vec<&'a str>,
    claim: &'a str,
    proof: &'a str,
    runs_on: &'a str,
}

/// Rows of informer-semantics that must be answered for: the letter, and the last number.
const FAMILIES: &[(char, u32)] = &[
    ('R', 25),
    ('D', 8),
    ('F', 11),
    ('C', 9),
    ('S', 14),
    ('H', 19),
    ('G', 5),
    ('Q', 10),
    ('P', 17),
];
/// Further letters of rows, which may be answered for.
const OTHER_FAMILIES: &[char] = &['K', 'E', 'Y', 'W'];
const FIELD_CASES: u32 = 40;
const SIDECAR_CASES: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];
/// In the place of a test, with the reason in the claim.
const DECLINED: &str = "declined";
const OPEN: &str = "not proven yet";
const PLACES: [&str; 4] = ["unit", "sim", "real", "both"];
/// Rows of this file run on both clusters under the names that its macro is given.
const ON_BOTH: &str = "tests/basics.rs";

/// Everything that is wrong, one line each.
fn complaints(document: &str, tree: &Tree) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    let rows = rows(document);
    let mut seen = BTreeMap::new();
    for row in &rows {
        let what = row.ids.join(", ");
        for id in &row.ids {
            if seen.insert(*id, row).is_some() {
                wrong.insert(format!("{id} is there twice"));
            }
        }
        if row.claim.is_empty() {
            wrong.insert(format!("{what}: no claim"));
        }
        let named = tests_named(row.proof);
        if named.is_empty() {
            if ![DECLINED, OPEN].contains(&row.proof) {
                wrong.insert(format!("{what}: {:?} is no proof", row.proof));
            }
            if row.runs_on != "-" {
                wrong.insert(format!("{what}: what is not tested runs nowhere"));
            }
        } else if row.runs_on.is_empty() || !row.runs_on.split(", ").all(|place| PLACES.contains(&place)) {
            wrong.insert(format!("{what}: {:?} is no place", row.runs_on));
        }
        for (file, test) in named {
            if !is_test(tree, file, test) {
                wrong.insert(format!("{what}: there is no test {test} in {file}"));
            }
        }
    }
    for id in wanted_ids() {
        if !seen.contains_key(id.as_str()) {
            wrong.insert(format!("{id} is missing"));
        }
    }
    for id in seen.keys().filter(|id| !is_id(id)) {
        wrong.insert(format!("{id} is no field case and no row"));
    }
    for (file, test) in tree
        .iter()
        .flat_map(|(file, source)| tests_of(source).map(move |t| (file, t)))
    {
        let Some(id) = proves(test) else { continue };
        let cited = |row: &&Row<'_>| tests_named(row.proof).contains(&(file.as_str(), test));
        if !seen.get(id.as_str()).is_some_and(cited) {
            wrong.insert(format!("{file}::{test} is not named at {id}"));
        }
    }
    wrong
}

/// The rows of all tables. Heads begin with words, and lines below heads with dashes.
fn rows(document: &str) -> Vec<Row<'_>> {
    document
        .lines()
        .filter_map(row)
        .filter(|row| is_id(row.ids[0]))
        .collect()
}

/// A line with four cells.
fn row(line: &str) -> Option<Row<'_>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    let [ids, claim, proof, runs_on] = cells.try_into().ok()?;
    Some(Row {
        ids: ids.split(", ").collect(),
        claim,
        proof,
        runs_on,
    })
}

/// `path.rs::name` of each code span.
fn tests_named(proof: &str) -> Vec<(&str, &str)> {
    let spans = proof.split('`').skip(1).step_by(2);
    spans.filter_map(|span| span.split_once("::")).collect()
}

fn is_test(tree: &Tree, file: &str, test: &str) -> bool {
    let Some(source) = tree.get(file) else { return false };
    let module = Path::new(file)
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let row = format!("{module}::{test},");
    let on_both =
        || tree.get(ON_BOTH).is_some_and(|basics| basics.contains(&row)) && source.contains(&format!("fn {test}("));
    tests_of(source).any(|name| name == test) || on_both()
}

/// Functions with a test attribute above them.
fn tests_of(source: &str) -> impl Iterator<Item = &str> {
    let mut attributed = false;
    source.lines().filter_map(move |line| {
        let line = line.trim_start();
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            attributed = true;
            return None;
        }
        let (_, rest) = line.split_once("fn ")?;
        let name = rest.split(['(', '<']).next()?;
        std::mem::take(&mut attributed).then_some(name)
    })
}

/// The field case or row that a test's name begins with. A `q` stands for a question of the protocol, not for a row of the
/// work queue: those tests have client-go's names.
fn proves(test: &str) -> Option<String> {
    let mut words = test.split('_');
    let first = words.next()?;
    let id = if first == "case" { words.next()? } else { first }.to_uppercase();
    let row = |id: &str| id.len() > 1 && id.starts_with(|c: char| c.is_ascii_uppercase() && c != 'Q');
    (is_id(&id) && (first == "case" || row(&id))).then_some(id)
}

fn is_id(text: &str) -> bool {
    let mut rest = text.chars();
    match rest.next() {
        Some('0'..='9') => text.parse().is_ok_and(|n: u32| (1..=FIELD_CASES).contains(&n)),
        Some(letter) if text.len() == 1 => SIDECAR_CASES.contains(&text) && letter.is_ascii_uppercase(),
        Some(letter) => {
            let number: Option<u32> = rest.as_str().parse().ok();
            let last = FAMILIES
                .iter()
                .find(|(family, _)| *family == letter)
                .map(|(_, last)| *last);
            let last = last.or_else(|| OTHER_FAMILIES.contains(&letter).then_some(u32::MAX));
            number.is_some_and(|n| n > 0 && last.is_some_and(|last| n <= last))
        }
        None => false,
    }
}

fn wanted_ids() -> Vec<String> {
    let rows = FAMILIES
        .iter()
        .flat_map(|(letter, last)| (1..=*last).map(move |n| format!("{letter}{n}")));
    let cases = (1..=FIELD_CASES).map(|n| n.to_string());
    cases.chain(SIDECAR_CASES.map(str::to_owned)).chain(rows).collect()
}

fn tree() -> Tree {
    fn read(root: &Path, dir: &Path, tree: &mut Tree) {
        for entry in fs::read_dir(root.join(dir)).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = dir.join(entry.file_name());
            if entry.file_type().expect("a type").is_dir() {
                read(root, &path, tree);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let source = fs::read_to_string(root.join(&path)).expect("a source");
                tree.insert(path.to_string_lossy().into_owned(), source);
            }
        }
    }
    let mut tree = Tree::new();
    for dir in ["src", "tests"] {
        read(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new(dir), &mut tree);
    }
    // This file plants tests that are none.
    tree.remove("tests/guarantees.rs");
    tree
}

#[test]
fn every_guarantee_names_tests_that_exist_and_every_such_test_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guarantees.md");
    let document = fs::read_to_string(path).expect("docs/guarantees.md");
    let wrong: Vec<String> = complaints(&document, &tree()).into_iter().collect();
    assert!(wrong.is_empty(), "docs/guarantees.md:\n{}", wrong.join("\n"));
}

/// A document and a tree that agree, and what is said when one thing of them changes.
#[test]
fn planted_mistakes_are_found() {
    let file = "src/a.rs";
    let source = "#[test]\nfn case_1_is_so() {}\n#[tokio::test]\nasync fn r2_is_so() {}\nfn r3_is_no_test() {}\n";
    let tree = Tree::from([(file.to_owned(), source.to_owned())]);
    let line = |id: &str| match id {
        "1" => "| 1 | so | `src/a.rs::case_1_is_so` | unit |\n".to_owned(),
        "R2" => "| R2 | so | `src/a.rs::r2_is_so` | sim, real |\n".to_owned(),
        "R3" => "| R3 | for a reason | declined | - |\n".to_owned(),
        id => format!("| {id} | so | not proven yet | - |\n"),
    };
    let ids = wanted_ids();
    let document = |changed: &str, to: &str| -> String {
        let lines = ids
            .iter()
            .map(|id| if id == changed { to.to_owned() } else { line(id) });
        format!(
            "| case | claim | proven by | runs on |\n|---|---|---|---|\n{}",
            lines.collect::<String>()
        )
    };
    assert_eq!(complaints(&document("", ""), &tree), BTreeSet::new());
    for (id, to, said) in [
        ("40", "", vec!["40 is missing"]),
        (
            "40",
            "| 40, 39 | so | not proven yet | - |\n",
            vec!["39 is there twice"],
        ),
        ("40", "| 40 | so | surely | - |\n", vec!["40: \"surely\" is no proof"]),
        ("40", "| 40 |  | not proven yet | - |\n", vec!["40: no claim"]),
        (
            "40",
            "| 40 | so | declined | unit |\n",
            vec!["40: what is not tested runs nowhere"],
        ),
        (
            "1",
            "| 1 | so | not proven yet | - |\n",
            vec!["src/a.rs::case_1_is_so is not named at 1"],
        ),
        (
            "R2",
            "| R2 | so | `src/a.rs::r2_was_so` | unit |\n",
            vec![
                "R2: there is no test r2_was_so in src/a.rs",
                "src/a.rs::r2_is_so is not named at R2",
            ],
        ),
        (
            "R3",
            "| R3 | so | `src/a.rs::r3_is_no_test` | moon |\n",
            vec![
                "R3: \"moon\" is no place",
                "R3: there is no test r3_is_no_test in src/a.rs",
            ],
        ),
    ] {
        let found: Vec<String> = complaints(&document(id, to), &tree).into_iter().collect();
        assert_eq!(found, said, "{id}: {to}");
    }
}
