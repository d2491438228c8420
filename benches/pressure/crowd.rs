//! Many subscribers come, and all of them come again.

use futures::future::join_all;
use informerd::proto::v1alpha1::{StartResume, watch_request::Start};

use crate::rig::{Rig, Subscriber};

pub(crate) async fn measure(subscribers: usize) -> String {
    let rig = Rig::start().await;
    rig.fill(500);
    rig.sim.clear_request_log();
    let crowd = join_all((0..subscribers).map(|_| come(&rig, None))).await;
    let (lists, watches) = rig.upstream();
    assert_eq!(lists, 1, "one list for all");
    assert!(watches <= 1, "one watch for all");
    let tokens: Vec<_> = crowd.into_iter().map(|subscriber| subscriber.token).collect();
    rig.sim.clear_request_log();
    let resumed = tokens.into_iter().map(|token| {
        let resume = StartResume {
            token: token.into(),
            ..StartResume::default()
        };
        come(&rig, Some(Start::Resume(resume)))
    });
    drop(join_all(resumed).await);
    let anew = rig.sim.request_log().len();
    assert_eq!(anew, 0, "nothing upstream");
    format!(
        "| {subscribers} subscribers come: lists (with watch-lists) and further watches upstream; all restart: requests \
         upstream | {lists} and {watches}; {anew} |"
    )
}

async fn come(rig: &Rig, start: Option<Start>) -> Subscriber {
    let mut subscriber = rig.watch(start).await;
    subscriber.synced().await;
    subscriber
}
