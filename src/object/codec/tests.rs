use std::time::{Duration, Instant};

use super::*;

/// A body like that of its neighbours, but for names and numbers.
pub(crate) fn text_like_its_neighbours(i: usize) -> String {
    let hash = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let env: String = (0..80)
        .map(|n| format!(r#"{{"name":"SETTING_{n}","value":"{}"}},"#, "value".repeat(n % 4 + 1)))
        .collect();
    format!(
        r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"web-{i}","namespace":"ns-{}","uid":"{hash:032x}"}},"spec":{{"nodeName":"node-{}","containers":[{{"env":[{}]}}]}}}}"#,
        i % 7,
        hash % 100,
        env.trim_end_matches(',')
    )
}

/// A codec with a dictionary, and the bodies that it knows.
pub(crate) fn trained() -> (Arc<Codec>, fn(usize) -> String) {
    let codec = Codec::new(Compression::Auto);
    for i in 0..FIRST {
        codec.sample(|| text_like_its_neighbours(i).into());
    }
    let until = Instant::now() + Duration::from_secs(60);
    while codec.generation() == 0 {
        assert!(Instant::now() < until, "no dictionary");
        std::thread::yield_now();
    }
    (codec, text_like_its_neighbours)
}

#[test]
fn a_dictionary_packs_better_than_none_and_bodies_outlive_it() {
    let (codec, text) = trained();
    let bytes = text(100_000);
    let with = codec.pack(bytes.as_bytes()).unwrap();
    let without = Codec::new(Compression::Always).pack(bytes.as_bytes()).unwrap();
    assert!(
        with.len() * 3 < without.len() * 2,
        "{} and {}",
        with.len(),
        without.len()
    );
    drop(codec);
    assert_eq!(with.unpack(bytes.len()), bytes);
    assert_eq!(without.unpack(bytes.len()), bytes);
}

#[test]
fn few_or_small_bodies_stay_raw() {
    let codec = Codec::new(Compression::Auto);
    for i in 0..5000 {
        codec.sample(|| format!("{{\"n\":{i}}}").into());
    }
    assert!(codec.pack(text_like_its_neighbours(1).as_bytes()).is_none());
    let off = Codec::new(Compression::Off);
    for i in 0..5000 {
        off.sample(|| text_like_its_neighbours(i).into());
    }
    assert!(off.pack(text_like_its_neighbours(1).as_bytes()).is_none());
}

#[test]
fn bodies_that_pack_worse_than_promised_ask_for_another_dictionary() {
    let outcome = Outcome::default();
    let mut asked = 0;
    for _ in 0..100 {
        asked += usize::from(outcome.count(1 << 20, 100 << 10, 100));
    }
    assert_eq!(asked, 0, "as promised");
    for _ in 0..2 * 8 {
        asked += usize::from(outcome.count(1 << 20, 200 << 10, 100));
    }
    assert!(asked > 0, "twice as large as promised");
}

#[test]
fn broken_bytes_read_as_none() {
    let packed = Packed {
        data: Arc::from(&b"no zstd"[..]),
        dictionary: None,
    };
    assert!(packed.unpack(10).is_empty());
}

#[test]
fn samples_from_the_whole_store_are_wanted_once_when_much_has_come() {
    let (codec, text) = trained();
    assert!(!codec.takes_samples());
    for i in 0..SECOND as usize + 10 {
        codec.pack(text(i % 50).as_bytes());
    }
    assert!(codec.takes_samples());
    assert!(!codec.takes_samples());
}
