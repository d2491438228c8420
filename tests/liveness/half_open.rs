//! Field case 7: the peer is gone and TCP does not know.

use std::time::Duration;

use informerd::{cluster::TransportConfig, reflector::ReflectorConfig, upstream::UpstreamState};
use support::{ADMIN, ControlPlane, Proxy, Workload, eventually};

use crate::world::{World, quick, write};

/// The idle limit is no help here: it is minutes away.
fn by_pings_alone() -> ReflectorConfig {
    ReflectorConfig {
        idle_timeout: Duration::from_secs(3600),
        watch_header_timeout: Duration::from_secs(2),
        ..ReflectorConfig::default()
    }
}

#[test]
fn case_7_the_defaults_find_and_replace_a_dead_connection_within_60_seconds() {
    let (transport, reflector) = (TransportConfig::default(), ReflectorConfig::default());
    // The connection dies right after a frame; the first new one meets the same black hole; then the backoff's first delay
    // at its longest.
    let noticed = transport.ping_interval + transport.ping_timeout;
    let replaced = noticed + reflector.watch_header_timeout + 2 * Duration::from_millis(800);
    assert!(replaced < Duration::from_secs(60), "{replaced:?}");
    assert!(transport.http2);
    // Shorter than that, a quiet watch would be cut between two bookmarks.
    assert!(reflector.idle_timeout > Duration::from_secs(75));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_7_a_half_open_connection_is_found_by_pings_and_the_watch_goes_on_without_a_list() {
    let plane = ControlPlane::shared();
    let client = plane.client().await;
    let namespaces = Workload::new(client.clone(), 3).create_namespaces("half", 1).await;
    let proxy = Proxy::start(plane.address());
    let mut options = quick(&plane.kubeconfig_via(ADMIN, &proxy));
    options.reflector = by_pings_alone();
    let world = World::start(options, &namespaces).await;
    let namespace = &namespaces[0];
    world.watching().await;
    write(&client, namespace, "before").await;
    world.sees("before").await;
    for round in 0..3 {
        let (accepted, open) = (proxy.accepted(), proxy.open());
        assert!(open > 0);
        proxy.freeze(true);
        let during = format!("during-{round}");
        write(&client, namespace, &during).await;
        eventually("the frozen connection is given up", || async {
            (proxy.accepted() > accepted).then_some(())
        })
        .await;
        world
            .status("the broken watch is told", |s| s.state == UpstreamState::Backoff)
            .await;
        proxy.freeze(false);
        world.sees(&during).await;
        let after = format!("after-{round}");
        write(&client, namespace, &after).await;
        world.sees(&after).await;
        let status = world.watching().await;
        assert_eq!(status.lists, 1, "{status:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_7_without_http_2_the_idle_limit_replaces_the_connection() {
    let plane = ControlPlane::shared();
    let client = plane.client().await;
    let namespaces = Workload::new(client.clone(), 4).create_namespaces("idle", 1).await;
    let proxy = Proxy::start(plane.address());
    let mut options = quick(&plane.kubeconfig_via(ADMIN, &proxy));
    options.transport.http2 = false;
    options.reflector.idle_timeout = Duration::from_secs(2);
    let world = World::start(options, &namespaces).await;
    let namespace = &namespaces[0];
    world.watching().await;
    let accepted = proxy.accepted();
    proxy.freeze(true);
    write(&client, namespace, "during").await;
    eventually("the frozen connection is given up", || async {
        (proxy.accepted() > accepted).then_some(())
    })
    .await;
    proxy.freeze(false);
    world.sees("during").await;
    assert_eq!(world.watching().await.lists, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_reflector_has_one_connection_of_its_own_for_all_its_requests() {
    let plane = ControlPlane::shared();
    let namespaces = Workload::new(plane.client().await, 5).create_namespaces("own", 6).await;
    let proxy = Proxy::start(plane.address());
    let world = World::start(quick(&plane.kubeconfig_via(ADMIN, &proxy)), &namespaces).await;
    world.watching().await;
    // Discovery's connections are cut too, and nobody needs others.
    let before = proxy.accepted();
    proxy.cut_all();
    world.status("a second watch", |s| s.watches == 2).await;
    assert_eq!((proxy.open(), proxy.accepted() - before), (6, 6));
}
