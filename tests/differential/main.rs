//! client-go's informer and informerd beside each other: the same history of one API server gives the same calls.
//!
//! ```text
//!                          ┌─ historian (client-go's SharedInformer, JSON) ─ calls of its handler ─┐
//!  story(seed) ─► server ──┤                                                                       ├─ rules ─ equal
//!               sim, real  └─ informerd serve ─ Watch ──────────────────── its events ─────────────┘
//! ```
//!
//! A story is a series of chapters of random writes, some with a cut of all connections or a gap after which the version is
//! gone. Each chapter ends with a write to the marker, of which both sides must tell before the next one begins. So both see
//! the same, and every difference is one of `rules::Rule`, each of which names its row, or a failure, which prints the seed
//! and both sequences.
//!
//! `INFORMERD_TEST_SEED` is the seed of the first story (1), `INFORMERD_TEST_STORIES` says how many are told on the simulated
//! cluster (6): a seed that failed is told again by itself with `INFORMERD_TEST_SEED=N INFORMERD_TEST_STORIES=1`.

mod calls;
mod historian;
mod rules;
mod server;
mod story;
mod watcher;

use std::collections::BTreeMap;

use informerd::sim::Sim;
use support::{ADMIN, ControlPlane, Options, Proxy, Workload};

use rules::Rule;
use server::{NAMESPACE, Server};
use story::{Gaps, Story, Told};

/// The program under test.
const INFORMERD: &str = env!("CARGO_BIN_EXE_informerd");

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is no number: {text}")),
        Err(_) => default,
    }
}

/// Tells stories at the same time, each on a simulated cluster of its own, and adds up which rules they needed.
async fn on_sim(first: u64, stories: u64, gaps: Gaps, selector: &'static str) -> BTreeMap<Rule, usize> {
    let told = (first..first + stories).map(|seed| async move {
        let dir = tempfile::tempdir().expect("a directory");
        let kubeconfig = dir.path().join("kubeconfig");
        let bookmarks = match gaps {
            // A bookmark would carry the readers past what is hidden from them.
            Gaps::Hidden => std::time::Duration::from_secs(3600),
            Gaps::Down => std::time::Duration::from_millis(100),
        };
        // Every other one has no watch-list: both sides list in pages.
        let sim = Sim::builder().seed(seed).watch_list(seed % 2 == 1);
        let sim = sim
            .bookmark_period(bookmarks)
            .start()
            .await
            .expect("a simulated cluster");
        sim.write_kubeconfig(&kubeconfig).expect("write the kubeconfig");
        let server = Server::Sim { sim: &sim, gaps };
        // A refusal costs client-go's backoff, which doubles.
        let chapters = if gaps == Gaps::Down { 4 } else { 7 };
        Story::new(seed, selector, chapters).tell(&server, &kubeconfig).await
    });
    let told: Vec<Told> = futures::future::join_all(told).await;
    let mut used = BTreeMap::new();
    for (rule, times) in told.into_iter().flatten() {
        *used.entry(rule).or_default() += times;
    }
    used
}

#[tokio::test(flavor = "multi_thread")]
async fn client_go_and_informerd_tell_the_same_of_changes_that_are_hidden_until_a_relist() {
    let seed = number("INFORMERD_TEST_SEED", 1);
    let used = on_sim(seed, number("INFORMERD_TEST_STORIES", 6), Gaps::Hidden, "").await;
    eprintln!("{used:?}");
    // Each deviation was met: what the test allows it has also seen.
    let few = number("INFORMERD_TEST_STORIES", 6) < 6;
    assert!(few || Rule::ALL.iter().all(|rule| used.contains_key(rule)), "{used:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_r12_client_go_and_informerd_tell_the_same_of_outages_and_bookmarks() {
    let seed = number("INFORMERD_TEST_SEED", 1);
    let used = on_sim(seed, number("INFORMERD_TEST_STORIES", 6), Gaps::Down, "").await;
    eprintln!("{used:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn client_go_and_informerd_tell_the_same_of_objects_that_enter_and_leave_a_selection() {
    let seed = number("INFORMERD_TEST_SEED", 1);
    let used = on_sim(seed, number("INFORMERD_TEST_STORIES", 6), Gaps::Hidden, "in=yes").await;
    eprintln!("{used:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn client_go_and_informerd_tell_the_same_of_a_real_api_server_with_cuts_and_a_410() {
    let plane = ControlPlane::start(Options::new());
    let client = plane.client().await;
    let namespaces = Workload::new(client.clone(), 1).create_namespaces("story", 1).await;
    assert_eq!(namespaces, [NAMESPACE]);
    let proxy = Proxy::start(plane.address());
    let kubeconfig = plane.kubeconfig_via(ADMIN, &proxy);
    let server = Server::Real {
        plane: &plane,
        proxy: &proxy,
        client,
    };
    let seed = number("INFORMERD_TEST_SEED", 1);
    let used = Story::new(seed, "in=yes", 5).tell(&server, &kubeconfig).await;
    eprintln!("{used:?}");
    assert!(
        used.iter().any(|(rule, _)| *rule == Rule::UnchangedIsSilence),
        "the 410 led to a relist"
    );
}
