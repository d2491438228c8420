//! Late, partial, changing worlds: resources and versions that come and go, rights per namespace, namespaces by label. Rows named
//! `sim` and `real` run on both clusters.
//!
//! ```text
//!   test ──plain HTTP──▶ cluster (sim or kube-apiserver) ◀── sidecar ◀──gRPC── view.rs: what a client holds, checked
//! ```

mod crds;
mod namespaces;
mod rights;
#[path = "../bench/sidecar.rs"]
mod sidecar;
mod view;
mod world;

use world::Kind;

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
    crds::case_28_a_crd_that_does_not_exist_yet_is_waited_for_and_disturbs_nobody,
    crds::case_30_a_crd_deleted_and_created_again_needs_no_restart,
    crds::case_30_a_version_that_is_no_longer_served,
    crds::case_30_a_changed_schema_and_unknown_fields_pass_unharmed,
    namespaces::case_31_namespaces_by_label_come_and_go,
    rights::case_29_a_denial_is_an_event_on_the_own_pod,
    namespaces::case_31_update_informer_moves_the_namespaces_of_an_open_watch,
);
