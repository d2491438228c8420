use std::sync::Arc;

use super::*;
use crate::{
    object::{Codec, Compression, PointerSet, Scanner, Transform, TypeMeta, text_like_its_neighbours},
    store::Indexer,
};

fn stored(count: usize) -> (Arc<Scanner>, Indexer) {
    let scanner = Arc::new(Scanner::new(
        TypeMeta::new("v1", "Pod"),
        Transform::default(),
        PointerSet::default(),
    ));
    let mut indexer = Indexer::default();
    for i in 0..count {
        let object = scanner.scan(text_like_its_neighbours(i).as_bytes()).unwrap();
        indexer.upsert(Arc::new(object), 1);
    }
    (scanner, indexer)
}

/// Waits for what happens in another thread.
async fn generation(codec: &Arc<Codec>, wanted: u64) {
    while codec.generation() < wanted {
        codec.news().await;
    }
}

#[tokio::test]
async fn what_came_before_the_dictionary_is_packed_step_by_step() {
    let (scanner, indexer) = stored(600);
    let codec = scanner.codec();
    generation(codec, 1).await;
    let mut sweep = Sweep::default();
    assert_eq!(codec.account().kept(), codec.account().raw());
    let mut steps = 0;
    while sweep.is_due(codec) {
        sweep.step(indexer.current(), codec);
        steps += 1;
    }
    assert_eq!(steps, 3, "256 slots each");
    assert!(
        codec.account().kept() * 5 < codec.account().raw(),
        "{:?}",
        codec.account()
    );
    for (_, object) in indexer.current().in_namespace(None) {
        let i: usize = object.key.name().trim_start_matches("web-").parse().unwrap();
        assert_eq!(object.body().bytes(), text_like_its_neighbours(i));
    }
}

#[tokio::test]
async fn a_later_dictionary_repacks_what_an_earlier_one_packed() {
    let (scanner, indexer) = stored(600);
    let codec = scanner.codec();
    generation(codec, 1).await;
    let mut sweep = Sweep::default();
    while sweep.is_due(codec) {
        sweep.step(indexer.current(), codec);
    }
    codec.learn(samples(indexer.current()));
    generation(codec, 2).await;
    assert!(sweep.is_due(codec));
    while sweep.is_due(codec) {
        sweep.step(indexer.current(), codec);
    }
    let object = indexer.current().in_namespace(None).next().unwrap().1.clone();
    let kept = object.body().kept();
    object.body().settle();
    assert_eq!(
        object.body().kept(),
        kept,
        "settled under the newest dictionary already"
    );
}

#[test]
fn samples_are_spread_over_the_whole_store() {
    let (_, indexer) = stored(2 * SAMPLES);
    let samples = samples(indexer.current());
    assert_eq!(samples.len(), SAMPLES);
    assert!(samples.iter().any(|s| s.windows(9).any(|w| w == b"\"web-1022")));
}

#[test]
fn nothing_is_due_without_a_dictionary() {
    let codec = Codec::new(Compression::Auto);
    assert!(!Sweep::default().is_due(&codec));
}
