//! Basic behaviour, once on the simulated cluster and once on a real kube-apiserver: the same code drives both, so a
//! difference between them shows here and not in a test that trusts the simulation.
//!
//! ```text
//!   test ──plain HTTP──▶ cluster ◀──proxy── sidecar ◀──gRPC── test
//! ```

#[path = "basics/backend.rs"]
mod backend;
#[path = "basics/follow.rs"]
mod follow;
#[path = "basics/live.rs"]
mod live;
#[path = "basics/objects.rs"]
mod objects;
#[path = "basics/positions.rs"]
mod positions;
#[path = "basics/queries.rs"]
mod queries;
#[path = "basics/requests.rs"]
mod requests;
#[path = "bench/sidecar.rs"]
mod sidecar;

use backend::Kind;

/// Runs each row on both clusters.
macro_rules! on_both {
    ($($group:ident::$row:ident),* $(,)?) => {
        mod sim {
            use super::Kind;

            $(#[tokio::test(flavor = "multi_thread")]
            async fn $row() {
                super::$group::$row(Kind::Sim).await;
            })*
        }
        mod real {
            use super::Kind;

            $(#[tokio::test(flavor = "multi_thread")]
            async fn $row() {
                super::$group::$row(Kind::Real).await;
            })*
        }
    };
}

on_both!(
    objects::a_snapshot_is_what_the_api_server_has,
    objects::changes_come_live_and_in_order,
    queries::a_filter_tells_of_objects_that_enter_and_leave,
    queries::the_api_servers_own_selectors_tell_of_objects_that_enter_and_leave,
    queries::only_the_namespaces_asked_for_are_cached,
    queries::indexes_follow_the_objects,
    positions::a_broken_connection_costs_no_list_and_loses_nothing,
    positions::after_410_one_list_brings_exactly_the_differences,
    positions::bookmarks_move_the_resource_version_without_changes,
    positions::a_write_can_be_waited_for,
    objects::finalizers_show_as_an_update_before_the_deletion,
    objects::a_cluster_scoped_resource_has_no_namespaces,
    objects::custom_resources_are_cached_under_all_their_names,
    live::q3_live_reads_see_what_the_api_server_has,
    positions::a_resumed_watch_brings_what_was_missed_or_says_reset,
);
