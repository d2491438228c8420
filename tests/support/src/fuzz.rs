//! Fuzzing on the stable compiler, as a part of `cargo test`: inputs are changed at random, and a property must hold for each.
//!
//! ```text
//!   tests/fuzz/corpus/TARGET/*  ──►  pool ──pick──► mutate (bits, cuts, splices, words) ──► property ──► class
//!                                     ▲                                                      │ panic     │ new
//!                                     └──────────────────────────────────────────────────────┼───────────┘
//!                                              corpus/TARGET/failure-HASH  ◄─────────────────┘
//! ```
//!
//! There is no coverage to be had without instrumented code. In its place a property says of what class an input was (which
//! error, how many objects, ...), and the first input of each class joins the pool.
//!
//! | variable | meaning |
//! |---|---|
//! | `INFORMERD_FUZZ_SECONDS` | each target runs so long instead of its usual number of inputs |
//! | `INFORMERD_FUZZ_SEED` | another series of inputs |
//! | `INFORMERD_FUZZ_INPUT` | a file: only this input |
//!
//! An input that fails is printed and saved in the corpus, which is run first: so it is replayed until it is mended, and it is
//! committed with the mend. All that a property does at random it draws from the generator that it is given, whose seed is
//! the input itself.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Random;

/// Longest input that is made.
const MAX_BYTES: usize = 16 << 10;
/// Most inputs that are kept to be changed further.
const MAX_POOL: usize = 4096;

/// What the code under test made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It was taken for valid.
    Accepted,
    /// It was refused.
    Refused,
}

/// One target: a property and where its inputs come from.
#[derive(Debug)]
pub struct Fuzz {
    name: &'static str,
    words: &'static [&'static str],
    runs: u64,
}

// === impl Fuzz ===

impl Fuzz {
    /// The target whose corpus is the directory `name`.
    pub fn target(name: &'static str) -> Self {
        Self {
            name,
            words: &[],
            runs: 10_000,
        }
    }

    /// Words of the grammar, which chance alone would not find.
    pub fn words(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// How many inputs are tried where no time is set.
    pub fn runs(self, runs: u64) -> Self {
        Self { runs, ..self }
    }

    /// Checks the property. It panics where it does not hold, else tells what became of the input and its class.
    ///
    /// # Panics
    /// If the property does, or if all inputs came to the same verdict: such a target would prove nothing.
    pub fn check<C: Hash>(self, property: impl Fn(&[u8], &mut Random) -> (Verdict, C)) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fuzz/corpus")
            .join(self.name);
        let guarded = |input: &[u8]| -> (Verdict, u64) {
            let run = || property(input, &mut Random::new(hash(input)));
            match catch_unwind(AssertUnwindSafe(run)) {
                Ok((verdict, class)) => (verdict, hash((verdict, class))),
                Err(panic) => {
                    let path = corpus.join(format!("failure-{:016x}", hash(input)));
                    let saved = std::fs::write(&path, input);
                    eprintln!("fuzz {}: failed for \"{}\"", self.name, input.escape_ascii());
                    eprintln!("fuzz {}: saved as {}: {saved:?}", self.name, path.display());
                    resume_unwind(panic);
                }
            }
        };
        if let Some(path) = std::env::var_os("INFORMERD_FUZZ_INPUT") {
            let input = std::fs::read(&path).expect("read INFORMERD_FUZZ_INPUT");
            eprintln!("fuzz {}: {:?}", self.name, guarded(&input));
            return;
        }
        let mut pool = read(&corpus);
        assert!(!pool.is_empty(), "the corpus {} is empty", corpus.display());
        let (mut verdicts, mut classes) = (HashSet::new(), HashSet::new());
        for input in &pool {
            let (verdict, class) = guarded(input);
            verdicts.insert(verdict);
            classes.insert(class);
        }
        let seed = number("INFORMERD_FUZZ_SEED").unwrap_or(1);
        let seconds = number("INFORMERD_FUZZ_SECONDS").map(Duration::from_secs);
        let mut random = Random::new(seed);
        let started = Instant::now();
        let mut runs = 0;
        while seconds.map_or(runs < self.runs, |seconds| started.elapsed() < seconds) {
            runs += 1;
            let input = mutate(&pool, self.words, &mut random);
            let (verdict, class) = guarded(&input);
            verdicts.insert(verdict);
            if classes.insert(class) && pool.len() < MAX_POOL {
                pool.push(input);
            }
        }
        eprintln!(
            "fuzz {}: {runs} inputs of {} classes in {:?}, seed {seed}",
            self.name,
            classes.len(),
            started.elapsed()
        );
        assert_eq!(verdicts.len(), 2, "{}: {verdicts:?} is all that came out", self.name);
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// The files of the corpus, in the order of their names.
fn read(corpus: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(corpus).unwrap_or_else(|e| panic!("{}: {e}", corpus.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: &PathBuf| std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    paths.iter().map(read).collect()
}

/// One to six changes to an input of the pool.
fn mutate(pool: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut input = pool[random.below(pool.len())].clone();
    for _ in 0..=random.below(6) {
        let (from, to) = range(&input, random);
        match random.below(10) {
            0 if from < to => input[from] ^= 1 << random.below(8),
            1 if from < to => input[from] = random.number() as u8,
            2 => drop(input.drain(from..to)),
            3 => input.truncate(to),
            4 => {
                let part = input[from..to].to_vec();
                let at = random.below(input.len() + 1);
                input.splice(at..at, part);
            }
            // Also with something of the pool, so that long things with one flaw arise.
            5 => {
                let other = &pool[random.below(pool.len())];
                let (start, end) = range(other, random);
                input.splice(from..to, other[start..end].iter().copied());
            }
            6 if !words.is_empty() => {
                let word = words[random.below(words.len())];
                input.splice(from..from, word.bytes());
            }
            7 if !words.is_empty() => {
                let word = words[random.below(words.len())];
                input.splice(from..to, word.bytes());
            }
            8 => {
                // What stands beside each other in ASCII has often the same meaning.
                if let Some(byte) = input.get_mut(from) {
                    *byte = byte.wrapping_add(1);
                }
            }
            _ => {
                let byte = b" \t\n\r\"\\/,:;{}[]()!=<>.*~-+09azAZ\0\x7f\x80\xc3\xed\xff";
                input.insert(from, byte[random.below(byte.len())]);
            }
        }
    }
    input.truncate(MAX_BYTES);
    input
}

/// Two places of an input, near each other more often than not.
fn range(input: &[u8], random: &mut Random) -> (usize, usize) {
    let from = random.below(input.len() + 1);
    let most = if random.below(4) == 0 { input.len() } else { 12 };
    (from, (from + random.below(most + 1)).min(input.len()))
}
