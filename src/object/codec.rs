//! Bodies of one informer resemble each other, so they are packed with zstd and a dictionary made from the first of them:
//! about a tenth of the JSON, for some 8 µs on the way in and 4 µs on the way out.
//!
//! ```text
//!  the first bodies ──sample──▶ train (a thread of its own) ──▶ current Dictionary ──pack──▶ outcome
//!                                 ▲                                                              │
//!            bodies spread over the whole store ◀── when sixteen times as much has come, and when they pack
//!                                                   worse than they did at first
//! ```
//! The first dictionary comes early, so that a large list is packed while it streams in; it knows only the namespaces that come
//! first in the alphabet, so a second one follows.
//!
//! What is too small to pay (a few hundred objects, or little ones) stays raw: no dictionary, no work.

use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::Notify;
use zstd_safe::{CCtx, CDict, DCtx, DDict};

/// Whether bodies are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// As soon as there is enough for a dictionary.
    #[default]
    Auto,
    /// From the first object on, before there is a dictionary too. Slower; for tests of what packing must not change.
    Always,
    /// Never.
    Off,
}

/// Packs the bodies of one informer and accounts for them.
#[derive(Debug)]
pub struct Codec {
    compression: Compression,
    current: ArcSwapOption<Dictionary>,
    /// The first bodies; `None` once there are enough.
    first: Mutex<Option<Vec<Bytes>>>,
    sampling: AtomicBool,
    /// Bodies packed at which a second dictionary is due.
    second: AtomicU64,
    wants_samples: AtomicBool,
    /// A dictionary was made, or samples are wanted.
    news: Notify,
    outcome: Outcome,
    account: Account,
}

/// What the bodies of an informer take, wherever they are held: store, history, readers.
#[derive(Debug, Default)]
pub struct Account {
    raw: AtomicU64,
    kept: AtomicU64,
}

/// How well bodies have packed since the dictionary was made.
#[derive(Debug, Default)]
struct Outcome {
    raw: AtomicU64,
    packed: AtomicU64,
}

/// Packed bytes.
#[derive(Clone)]
pub(super) struct Packed {
    data: Arc<[u8]>,
    dictionary: Option<Arc<Dictionary>>,
}

struct Dictionary {
    generation: u64,
    pack: CDict<'static>,
    unpack: DDict<'static>,
    /// Packed length over length of the samples, in thousandths.
    promise: u64,
}

const LEVEL: i32 = 1;
/// A dictionary of this size gains all but a few percent of what a larger one would.
const MAX_DICTIONARY: usize = 64 << 10;
/// Samples below this many bytes in all make no dictionary that pays for itself.
const MIN_SAMPLES_BYTES: usize = 512 << 10;
/// The outcome is judged over so many bytes.
const JUDGED_BYTES: u64 = 8 << 20;
/// Bodies for the first dictionary.
const FIRST: usize = 256;
/// Bodies packed before the second.
const SECOND: u64 = 4096;
/// Bodies that a later dictionary is made from.
pub const SAMPLES: usize = 512;

thread_local! {
    /// zstd's working memory, once for each thread that packs or unpacks.
    static CONTEXTS: RefCell<(CCtx<'static>, DCtx<'static>)> = RefCell::new((CCtx::create(), DCtx::create()));
}

// === impl Codec ===

impl Codec {
    /// A codec without a dictionary yet.
    pub fn new(compression: Compression) -> Arc<Self> {
        Arc::new(Self {
            compression,
            current: ArcSwapOption::empty(),
            first: Mutex::new(Some(Vec::new())),
            sampling: AtomicBool::new(compression != Compression::Off),
            second: AtomicU64::new(SECOND),
            wants_samples: AtomicBool::new(false),
            news: Notify::new(),
            outcome: Outcome::default(),
            account: Account::default(),
        })
    }

    /// What the bodies take.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Rises with each dictionary: bodies settled before are worth settling again.
    pub fn generation(&self) -> u64 {
        self.current.load().as_ref().map_or(0, |d| d.generation)
    }

    /// Waits until there is a new dictionary, or samples are wanted for one. For one caller.
    pub async fn news(&self) {
        self.news.notified().await;
    }

    /// True once for each time that [`Codec::learn`] should be given bodies from all over the store.
    pub fn takes_samples(&self) -> bool {
        self.wants_samples.swap(false, Relaxed)
    }

    /// Offers one of the first bodies as a sample. Costs one load when there are enough.
    pub(super) fn sample(self: &Arc<Self>, bytes: impl FnOnce() -> Bytes) {
        if !self.sampling.load(Relaxed) {
            return;
        }
        let mut first = self.first.lock();
        let Some(samples) = &mut *first else { return };
        samples.push(bytes());
        if samples.len() >= FIRST {
            self.sampling.store(false, Relaxed);
            let samples = first.take().unwrap_or_default();
            drop(first);
            self.learn(samples);
        }
    }

    /// Makes a dictionary from samples, in the background.
    pub fn learn(self: &Arc<Self>, samples: Vec<Bytes>) {
        let total: usize = samples.iter().map(Bytes::len).sum();
        if total < MIN_SAMPLES_BYTES && self.compression != Compression::Always {
            return;
        }
        let codec = self.clone();
        // Some hundred milliseconds of work that must hold up neither the reflector nor a worker of the runtime. Without
        // a thread everything stays raw, which is only larger.
        let spawned = std::thread::Builder::new()
            .name("dictionary".into())
            .spawn(move || codec.train(&samples));
        if let Err(error) = spawned {
            tracing::warn!(%error, "no thread to train a dictionary: bodies stay as they are");
        }
    }

    fn train(&self, samples: &[Bytes]) {
        let mut joined = Vec::with_capacity(samples.iter().map(Bytes::len).sum());
        for sample in samples {
            joined.extend_from_slice(sample);
        }
        let sizes: Vec<usize> = samples.iter().map(Bytes::len).collect();
        let mut dictionary = Vec::with_capacity(MAX_DICTIONARY.min(joined.len() / 8));
        if let Err(code) = zstd_safe::train_from_buffer(&mut dictionary, &joined, &sizes) {
            // Too few or too equal: what there is stays in use.
            tracing::debug!(reason = zstd_safe::get_error_name(code), "no dictionary");
            return;
        }
        let generation = self.generation() + 1;
        let Some(mut dictionary) = Dictionary::new(generation, &dictionary) else {
            return;
        };
        let packed: usize = samples
            .iter()
            .filter_map(|s| pack(Some(&dictionary), s))
            .map(|p| p.len())
            .sum();
        dictionary.promise = (packed * 1000 / joined.len().max(1)) as u64;
        tracing::debug!(
            generation,
            samples = samples.len(),
            thousandths = dictionary.promise,
            "dictionary"
        );
        self.outcome.begin();
        self.current.store(Some(Arc::new(dictionary)));
        self.news.notify_one();
    }

    /// Packs bytes, if that makes them smaller.
    pub(super) fn pack(&self, bytes: &[u8]) -> Option<Packed> {
        let dictionary = match (self.compression, self.current.load_full()) {
            (Compression::Off, _) | (Compression::Auto, None) => return None,
            (_, dictionary) => dictionary,
        };
        let data = pack(dictionary.as_deref(), bytes)?;
        if let Some(dictionary) = &dictionary
            && (self.outcome.count(bytes.len(), data.len(), dictionary.promise) || self.is_second_due())
        {
            self.wants_samples.store(true, Relaxed);
            self.news.notify_one();
        }
        (data.len() < bytes.len()).then(|| Packed {
            data: data.into(),
            dictionary,
        })
    }

    fn is_second_due(&self) -> bool {
        let left = self.second.load(Relaxed);
        left > 0 && self.second.fetch_sub(1, Relaxed) == 1
    }

    /// Packed with the newest dictionary.
    pub(super) fn is_current(&self, packed: &Packed) -> bool {
        packed.dictionary.as_ref().map_or(0, |d| d.generation) == self.generation()
    }
}

// === impl Account ===

impl Account {
    /// Length of the JSON.
    pub fn raw(&self) -> u64 {
        self.raw.load(Relaxed)
    }

    /// Bytes that it takes.
    pub fn kept(&self) -> u64 {
        self.kept.load(Relaxed)
    }

    pub(super) fn add(&self, raw: usize, kept: usize) {
        self.raw.fetch_add(raw as u64, Relaxed);
        self.kept.fetch_add(kept as u64, Relaxed);
    }

    pub(super) fn change(&self, before: usize, after: usize) {
        self.kept.fetch_add(after as u64, Relaxed);
        self.kept.fetch_sub(before as u64, Relaxed);
    }

    pub(super) fn remove(&self, raw: usize, kept: usize) {
        self.raw.fetch_sub(raw as u64, Relaxed);
        self.kept.fetch_sub(kept as u64, Relaxed);
    }
}

// === impl Outcome ===

impl Outcome {
    fn begin(&self) {
        self.raw.store(0, Relaxed);
        self.packed.store(0, Relaxed);
    }

    /// Counts one body. True when the dictionary has stopped paying: half as much again as it promised.
    fn count(&self, raw: usize, packed: usize, promise: u64) -> bool {
        let raw = self.raw.fetch_add(raw as u64, Relaxed) + raw as u64;
        let packed = self.packed.fetch_add(packed as u64, Relaxed) + packed as u64;
        if raw < JUDGED_BYTES {
            return false;
        }
        self.begin();
        packed * 1000 / raw > promise * 3 / 2
    }
}

// === impl Packed ===

impl Packed {
    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// The `len` bytes that were packed.
    pub(super) fn unpack(&self, len: usize) -> Bytes {
        let mut bytes = Vec::with_capacity(len);
        let done = CONTEXTS.with_borrow_mut(|(_, context)| match &self.dictionary {
            Some(dictionary) => context.decompress_using_ddict(&mut bytes, &self.data, &dictionary.unpack),
            None => context.decompress(&mut bytes, &self.data),
        });
        if let Err(code) = done {
            // We packed it ourselves, so this is broken memory; a reader gets no bytes rather than wrong ones.
            tracing::error!(reason = zstd_safe::get_error_name(code), "a packed body cannot be read");
            bytes.clear();
        }
        bytes.into()
    }
}

// === impl Dictionary ===

impl Dictionary {
    fn new(generation: u64, bytes: &[u8]) -> Option<Self> {
        Some(Self {
            generation,
            pack: CDict::try_create(bytes, LEVEL)?,
            unpack: DDict::try_create(bytes)?,
            promise: 0,
        })
    }
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dictionary({})", self.generation)
    }
}

/// Packs with a dictionary or without one.
fn pack(dictionary: Option<&Dictionary>, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut data = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    let done = CONTEXTS.with_borrow_mut(|(context, _)| match dictionary {
        Some(dictionary) => context.compress_using_cdict(&mut data, bytes, &dictionary.pack),
        None => context.compress(&mut data, bytes, LEVEL),
    });
    done.is_ok().then_some(data)
}

#[cfg(test)]
pub(crate) mod tests;
