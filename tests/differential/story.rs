//! A history, told chapter by chapter to both sides.

use std::collections::BTreeMap;
use std::path::Path;

use support::{Random, eventually};

use crate::calls::Record;
use crate::historian::Historian;
use crate::rules::{Origin, Rule, check, lines, normalize};
use crate::server::{NAMESPACE, Server};
use crate::watcher::Watcher;

/// The object whose writes divide the chapters. It sorts before all others.
const MARKER: &str = "a-marker";

/// How a simulated cluster keeps changes from its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gaps {
    /// Their watches stay open, and nothing is told.
    Hidden,
    /// It is not there.
    Down,
}

/// Which rules a story took, and how often.
pub(crate) type Told = BTreeMap<Rule, usize>;

/// What is written, and by what chance.
pub(crate) struct Story {
    seed: u64,
    selector: &'static str,
    chapters: usize,
    random: Random,
    /// Pods that exist, and whether the selector selects them.
    pods: BTreeMap<String, bool>,
    writes: u64,
}

/// Both sides, and how much of what they told has been compared.
struct Sides {
    historian: Historian,
    watcher: Watcher,
    compared: (usize, usize),
}

// === impl Story ===

impl Story {
    pub(crate) fn new(seed: u64, selector: &'static str, chapters: usize) -> Self {
        Self {
            seed,
            selector,
            chapters,
            random: Random::new(seed),
            pods: BTreeMap::new(),
            writes: 0,
        }
    }

    /// Tells it, and answers which rules both sides needed to agree.
    pub(crate) async fn tell(mut self, server: &Server<'_>, kubeconfig: &Path) -> Told {
        eprintln!("story {}", self.seed);
        let mut told = Told::new();
        server.create(MARKER, true).await;
        for _ in 0..12 {
            self.create(server).await;
        }
        let mut sides = Sides {
            historian: Historian::start(kubeconfig, self.selector),
            watcher: Watcher::start(kubeconfig, self.selector).await,
            compared: (0, 0),
        };
        let theirs = sides.historian.until("synced", |record| record.synced).await;
        let ours = sides.watcher.until("synced", |record| record.synced).await;
        self.compare(&mut sides, Origin::Initial, &theirs, &ours, &mut told);
        // A gap costs client-go's backoff, which doubles, so there are few; but each story has one.
        let gap = 1 + self.random.below(self.chapters - 1);
        for chapter in 0..self.chapters {
            if chapter == gap {
                self.unseen(server, &mut sides).await;
                self.mark(server, &mut sides, Origin::Relist, &mut told).await;
                continue;
            }
            let bookmarked = self.random.below(2) == 0 && self.bookmarked(server, &mut sides).await;
            let writes = 4 + self.random.below(20);
            let cut = (!bookmarked && self.random.below(3) > 0).then(|| self.random.below(writes));
            for n in 0..writes {
                if cut == Some(n) {
                    self.settle(server, &sides).await;
                    if server.go_down().await {
                        // R8: both are refused, wait, and watch again from where they stood.
                        for _ in 0..3 {
                            self.write(server).await;
                        }
                        server.come_up().await;
                    } else {
                        server.cut();
                    }
                }
                self.write(server).await;
            }
            self.mark(server, &mut sides, Origin::Live, &mut told).await;
        }
        told
    }

    /// Changes of which neither side learns but by its next list.
    async fn unseen(&mut self, server: &Server<'_>, sides: &mut Sides) {
        server.begin_gap().await;
        for _ in 0..5 + self.random.below(20) {
            self.write(server).await;
        }
        self.recreate(server).await;
        let version = self.touch_marker(server).await;
        server.end_gap().await;
        let seen = |record: &Record| record.has_told(&key(MARKER), version);
        sides.historian.until("the relist", seen).await;
        sides.watcher.until("the relist", seen).await;
    }

    /// R12: after a bookmark of a newer version, the loss of older ones and of the connection costs neither side a list.
    async fn bookmarked(&mut self, server: &Server<'_>, sides: &mut Sides) -> bool {
        self.settle(server, sides).await;
        let Some(version) = server.skip() else {
            return false;
        };
        let watcher = &sides.watcher;
        eventually("informerd stands at the bookmark", || async {
            (watcher.version().await >= version).then_some(())
        })
        .await;
        let deadline = std::time::Instant::now() + support::DEADLINE;
        while sides.historian.store().await.0 < version {
            assert!(
                std::time::Instant::now() < deadline,
                "client-go never stood at the bookmark"
            );
            tokio::task::yield_now().await;
        }
        server.compact();
        server.cut();
        true
    }

    /// Waits until both have told of a write that is made now. The watch that has told of it is opened again from where it
    /// stood when it breaks, by both; a younger one may cost client-go a relist (R10).
    async fn settle(&mut self, server: &Server<'_>, sides: &Sides) -> (Record, Record) {
        let version = self.touch_marker(server).await;
        let seen = |record: &Record| record.has_told(&key(MARKER), version);
        (
            sides.historian.until("the marker", seen).await,
            sides.watcher.until("the marker", seen).await,
        )
    }

    /// Ends a chapter.
    async fn mark(&mut self, server: &Server<'_>, sides: &mut Sides, origin: Origin, told: &mut Told) {
        let (theirs, ours) = self.settle(server, sides).await;
        self.compare(sides, origin, &theirs, &ours, told);
        let (_, store) = sides.historian.store().await;
        assert_eq!(
            store,
            ours.view(),
            "seed {}: client-go's store and informerd's view",
            self.seed
        );
        let inside = |(_, inside): &(&String, &bool)| **inside || self.selector.is_empty();
        let mut keys: Vec<String> = self.pods.iter().filter(inside).map(|(name, _)| key(name)).collect();
        keys.push(key(MARKER));
        keys.sort();
        assert_eq!(store.into_keys().collect::<Vec<_>>(), keys, "seed {}", self.seed);
    }

    fn compare(&self, sides: &mut Sides, origin: Origin, theirs: &Record, ours: &Record, told: &mut Told) {
        let (their_part, our_part) = (&theirs.calls[sides.compared.0..], &ours.calls[sides.compared.1..]);
        sides.compared = (theirs.calls.len(), ours.calls.len());
        check(origin, their_part, our_part);
        let (normal_theirs, normal_ours, used) = normalize(origin, their_part, our_part);
        if normal_theirs != normal_ours {
            panic!(
                "seed {}, {origin:?}: the sequences differ\nclient-go:\n{}informerd:\n{}as they came, client-go:\n{}informerd:\n{}",
                self.seed,
                lines(&normal_theirs),
                lines(&normal_ours),
                lines(their_part),
                lines(our_part)
            );
        }
        assert!(
            origin != Origin::Live || !used.contains(&Rule::UnchangedIsSilence),
            "seed {}: client-go has relisted",
            self.seed
        );
        for rule in used {
            *told.entry(rule).or_default() += 1;
        }
    }

    // === writes ===

    async fn touch_marker(&mut self, server: &Server<'_>) -> u64 {
        self.writes += 1;
        server.label(MARKER, true, self.writes).await
    }

    async fn write(&mut self, server: &Server<'_>) {
        match self.random.below(10) {
            0..3 => self.create(server).await,
            3..5 => {
                if let Some(name) = self.pick() {
                    match self.random.below(3) {
                        0 => server.delete_slowly(&name).await,
                        _ => server.delete(&name).await,
                    }
                    self.pods.remove(&name);
                }
            }
            5 => self.recreate(server).await,
            _ => {
                let Some(name) = self.pick() else { return };
                let inside = self.random.below(3) > 0;
                self.writes += 1;
                server.label(&name, inside, self.writes).await;
                self.pods.insert(name, inside);
            }
        }
    }

    async fn create(&mut self, server: &Server<'_>) {
        self.writes += 1;
        let (name, inside) = (format!("pod-{}", self.writes), self.random.below(3) > 0);
        server.create(&name, inside).await;
        self.pods.insert(name, inside);
    }

    /// Another object by the same name.
    async fn recreate(&mut self, server: &Server<'_>) {
        let Some(name) = self.pick() else { return };
        server.delete(&name).await;
        let inside = self.pods[&name];
        server.create(&name, inside).await;
    }

    fn pick(&mut self) -> Option<String> {
        let at = self.random.below(self.pods.len());
        self.pods.keys().nth(at).cloned()
    }
}

fn key(name: &str) -> String {
    format!("{NAMESPACE}/{name}")
}
