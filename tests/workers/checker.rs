//! The store that the workers write to, which refuses writes under old tokens, and the judge of what they report.
//!
//! A lease counts from its grant (its end less its duration, both by the server) until the worker says that it has written, and
//! no longer than until its end. Before it says so it does not complete, so what is begun under another token before that was
//! handed out twice, unless the lease had ended or the worker had been killed.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use serde::Deserialize;
use tempfile::TempDir;

use crate::rpc::LEASE_SECONDS;

/// The checker and its socket.
pub(crate) struct Checker {
    dir: TempDir,
    judge: Arc<Mutex<Judge>>,
}

/// All that is known.
#[derive(Default)]
pub(crate) struct Judge {
    keys: HashMap<String, Key>,
    /// Workers that were killed: whatever they hold ends when the server notices.
    dead: HashSet<String>,
    /// Tokens of writes that came too late: their completions must come too late, too.
    refused_writes: HashSet<u64>,
    overtaken: HashMap<String, u64>,
    pub(crate) epochs: Vec<String>,
    pub(crate) counts: Counts,
    /// When each event was, and how long after it an object that holds it was handed out.
    pub(crate) delays: Vec<(Instant, Duration)>,
    violations: Vec<String>,
}

/// What happened how often.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) begun: u64,
    pub(crate) written: u64,
    pub(crate) refused_writes: u64,
    pub(crate) completed: u64,
    pub(crate) refused_completions: u64,
    pub(crate) renewed: u64,
    /// Handed out again because the lease before had ended or its worker was dead.
    pub(crate) taken_over: u64,
    pub(crate) events: u64,
}

#[derive(Default)]
struct Key {
    /// Version after each event, with its time; `None` for a deletion. Those that no worker has seen yet.
    unseen: VecDeque<(Option<u64>, Instant)>,
    /// After the last event.
    last: Option<u64>,
    initial: bool,
    newest: Option<Holding>,
    /// The last accepted write.
    written: Option<Option<u64>>,
    highest_written: u64,
}

#[derive(Clone, Debug)]
struct Holding {
    token: u64,
    worker: String,
    expires: u64,
    granted: u64,
    /// In which epoch, by its place in `Judge::epochs`.
    epoch: usize,
    open: bool,
}

#[derive(Deserialize)]
struct Report {
    worker: String,
    #[serde(default)]
    epoch: String,
    #[serde(default)]
    renewed: Vec<Renewed>,
    #[serde(default)]
    completed: Vec<u64>,
    #[serde(default)]
    refused: Vec<u64>,
    #[serde(default)]
    begun: Vec<Work>,
    #[serde(default)]
    written: Vec<Work>,
}

#[derive(Deserialize)]
struct Work {
    key: String,
    token: u64,
    expires: u64,
    version: Option<u64>,
}

#[derive(Deserialize)]
struct Renewed {
    key: String,
    was: u64,
    token: u64,
    expires: u64,
}

const LEASE: u64 = LEASE_SECONDS as u64 * 1_000_000_000;

// === impl Checker ===

impl Checker {
    /// Listens; each worker is served by a thread of its own.
    pub(crate) fn start() -> Self {
        let dir = TempDir::with_prefix("informerd-checker-").expect("a temporary directory");
        let listener = UnixListener::bind(dir.path().join("checker.sock")).expect("a socket");
        let judge = Arc::new(Mutex::new(Judge::default()));
        let shared = judge.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let judge = shared.clone();
                std::thread::spawn(move || serve(stream, &judge));
            }
        });
        Self { dir, judge }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.path().join("checker.sock")
    }

    /// Looks at the judge, or tells it something. Panics if a rule has been broken.
    pub(crate) fn judge<T>(&self, look: impl FnOnce(&mut Judge) -> T) -> T {
        let mut judge = self.judge.lock();
        let first: Vec<_> = judge.violations.iter().take(5).collect();
        assert!(
            first.is_empty(),
            "{} rules broken, the first: {first:#?}",
            judge.violations.len()
        );
        look(&mut judge)
    }
}

fn serve(stream: UnixStream, judge: &Mutex<Judge>) {
    let Ok(mut writer) = stream.try_clone() else { return };
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        // A killed worker may leave half a line behind.
        let Ok(report) = serde_json::from_str(&line) else {
            return;
        };
        judge.lock().take(report);
        if writer.write_all(b"taken\n").is_err() {
            return;
        }
    }
}

// === impl Judge ===

impl Judge {
    /// Makes an event: while `write` runs nobody reports, so that no worker is seen to be faster than the event.
    pub(crate) fn event(&mut self, key: &str, write: impl FnOnce() -> Option<u64>) {
        let now = Instant::now();
        let version = write();
        let state = self.keys.entry(key.to_owned()).or_default();
        state.unseen.push_back((version, now));
        state.last = version;
        self.counts.events += 1;
    }

    /// An object that is there before the sidecar is: no event, so no delay.
    pub(crate) fn initial(&mut self, key: &str, version: u64) {
        let key = self.keys.entry(key.to_owned()).or_default();
        key.last = Some(version);
        key.initial = true;
    }

    pub(crate) fn bury(&mut self, worker: &str) {
        self.dead.insert(worker.to_owned());
    }

    /// Keys that the server's run of this number has handed out: their deletion is an event for it.
    pub(crate) fn known_to(&self, run: usize) -> impl Iterator<Item = &str> {
        let known = move |key: &Key| key.last.is_some() && key.newest.as_ref().is_some_and(|h| h.epoch == run);
        let known = self.keys.iter().filter(move |(_, key)| known(key));
        known.map(|(name, _)| name.as_str())
    }

    /// True if the server's run of this number has handed out all that was there at the start.
    pub(crate) fn has_been_through(&self, run: usize) -> bool {
        let known = |key: &Key| key.newest.as_ref().is_some_and(|h| h.epoch == run);
        self.keys.values().filter(|key| key.initial).all(known)
    }

    /// True if the worker has begun what it has not written.
    pub(crate) fn works(&self, worker: &str) -> bool {
        let works = |key: &Key| key.newest.as_ref().is_some_and(|h| h.open && h.worker == worker);
        self.keys.values().any(works)
    }

    /// How often a key came to another worker while this one was at work on it.
    pub(crate) fn overtaken(&self, worker: &str) -> u64 {
        self.overtaken.get(worker).copied().unwrap_or(0)
    }

    /// The objects that there are, as written last.
    pub(crate) fn written(&self) -> HashMap<String, u64> {
        let written = self
            .keys
            .iter()
            .filter_map(|(name, key)| Some((name.clone(), key.written??)));
        written.collect()
    }

    /// Keys whose last accepted write is not of their last state, or that were begun and not written since.
    pub(crate) fn behind(&self) -> Vec<String> {
        let behind = |key: &Key| key.written != Some(key.last) || key.newest.as_ref().is_some_and(|h| h.open);
        let names = self.keys.iter().filter(|(_, key)| behind(key));
        names
            .map(|(name, key)| format!("{name}: last {:?}, written {:?}", key.last, key.written))
            .collect()
    }

    fn take(&mut self, report: Report) {
        for renewed in &report.renewed {
            self.renew(&report.worker, renewed);
        }
        for token in &report.completed {
            self.counts.completed += 1;
            if self.refused_writes.contains(token) {
                self.violation(format!("{token} completed although a later lease had begun"));
            }
        }
        self.counts.refused_completions += report.refused.len() as u64;
        if !report.epoch.is_empty() && self.epochs.last() != Some(&report.epoch) && !self.epochs.contains(&report.epoch)
        {
            self.epochs.push(report.epoch.clone());
        }
        let epoch = self.epochs.iter().position(|e| *e == report.epoch).unwrap_or(0);
        for work in report.begun {
            self.begin(&report.worker, epoch, &work);
        }
        for work in report.written {
            self.write(&work);
        }
    }

    fn begin(&mut self, worker: &str, epoch: usize, work: &Work) {
        self.counts.begun += 1;
        let holding = Holding {
            token: work.token,
            worker: worker.to_owned(),
            expires: work.expires,
            granted: work.expires.saturating_sub(LEASE),
            epoch,
            open: true,
        };
        let key = self.keys.entry(work.key.clone()).or_default();
        let seen = |version: Option<u64>| match (version, work.version) {
            (Some(event), Some(version)) => event <= version,
            (_, None) => true,
            // The deletion was followed by another object of the name, or is not seen yet.
            (None, Some(_)) => false,
        };
        let now = Instant::now();
        while let Some((version, time)) = key.unseen.front()
            && seen(*version)
        {
            self.delays.push((*time, now - *time));
            key.unseen.pop_front();
        }
        let Some(before) = key.newest.clone() else {
            key.newest = Some(holding);
            return;
        };
        // Which of both was granted first is said by the tokens; the reports may cross if the first one's worker is slow.
        let (first, second) = if before.token < holding.token {
            (&before, &holding)
        } else {
            (&holding, &before)
        };
        let ended = first.expires <= second.granted || self.dead.contains(&first.worker);
        let what = format!("{} of {}: {first:?} and {second:?}", work.key, first.worker);
        let (open, loser) = (first.open, first.worker.clone());
        let rises = before.token < holding.token;
        if rises {
            key.newest = Some(holding);
        }
        if before.token == work.token {
            self.violation(format!("the same token again: {what}"));
        } else if open && !ended {
            self.violation(format!("two valid leases: {what}"));
        } else if open {
            self.counts.taken_over += 1;
            *self.overtaken.entry(loser).or_default() += 1;
        }
    }

    /// A lease of the server's last run, or of a broken session, is another one now; its work is done already.
    fn renew(&mut self, worker: &str, renewed: &Renewed) {
        self.counts.renewed += 1;
        let key = self.keys.entry(renewed.key.clone()).or_default();
        let Some(newest) = &mut key.newest else { return };
        let what = format!("{} renewed from {} to {}", renewed.key, renewed.was, renewed.token);
        if newest.token != renewed.was || newest.worker != worker || renewed.token < renewed.was {
            let what = format!("{what}, but the newest is {newest:?}");
            self.violation(what);
            return;
        }
        newest.token = renewed.token;
        newest.expires = renewed.expires;
    }

    /// The store: what comes under a token below the highest is refused.
    fn write(&mut self, work: &Work) {
        let Some(key) = self.keys.get_mut(&work.key) else {
            return;
        };
        let newest = key.newest.as_mut().filter(|newest| newest.token == work.token);
        let Some(newest) = newest else {
            self.counts.refused_writes += 1;
            self.refused_writes.insert(work.token);
            return;
        };
        newest.open = false;
        let goes_back = matches!((key.written, work.version), (Some(Some(old)), Some(new)) if new < old);
        let falls = work.token <= key.highest_written;
        key.written = Some(work.version);
        key.highest_written = work.token;
        self.counts.written += 1;
        if goes_back || falls {
            self.violation(format!(
                "{} goes back to {:?} under {}",
                work.key, work.version, work.token
            ));
        }
    }

    fn violation(&mut self, what: String) {
        self.violations.push(what);
    }
}
