//! The API server's versions go backwards while there is a history and listeners are behind in it (field case 14).

use super::*;

impl Rig {
    /// A list of another history, as the reflector makes it.
    async fn list_anew(&mut self, objects: Vec<Object>, rv: u64) {
        let (mut fifo, sender) = DeltaFifo::new(1 << 20, self.processor.clone());
        let mut replacing = sender.begin_replace().await.unwrap().anew();
        for object in objects {
            replacing.observe(object);
        }
        replacing
            .commit(&sender, ResourceVersion::parse(&rv.to_string()))
            .await
            .unwrap();
        let batch = fifo.pop_batch(1).await.unwrap();
        self.controller.apply(0, Instant::now(), &batch[0].delta);
        self.controller.publish();
    }
}

#[tokio::test]
async fn case_14_nobody_is_told_changes_of_the_history_before_however_far_behind() {
    let mut rig = rig();
    rig.overflow = Overflow::Coalesce;
    rig.relist(0, vec![rig.object("a/x", "1", 700, "web")], 700).await;
    let mut behind = rig.listen("", Start::Snapshot);
    drain(&mut behind, 9).await;
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 800, "web")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 900, "web")));
    let mut level = rig.listen("", Start::Snapshot);
    drain(&mut level, 9).await;
    let before = rig.revision();
    rig.list_anew(vec![rig.object("a/x", "1", 50, "web")], 100).await;
    assert!(rig.processor.load().history.is_empty());
    rig.apply(Delta::Added(rig.shared("a/y", "2", 101, "web")));
    let whole = ["Added/Initial a/x rv=50", "Added/Initial a/y rv=101", "synced 2"];
    for listener in [&mut behind, &mut level] {
        let lines = drain(listener, 9).await;
        assert_eq!(
            (lines[0].as_str(), &lines[1..]),
            ("replaced", &whole.map(String::from)[..])
        );
    }
    let mut resumed = rig.listen("", Start::After(before));
    let lines = drain(&mut resumed, 9).await;
    assert_eq!(
        (lines[0].as_str(), &lines[1..]),
        ("reset", &whole.map(String::from)[..])
    );
    // From there on it is a history like any other.
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 102, "web")));
    for listener in [&mut behind, &mut level, &mut resumed] {
        assert_eq!(drain(listener, 9).await, ["Updated/Live a/x rv=102 old=50"]);
    }
}
