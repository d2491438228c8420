//! informerd as a process, and clients of it.

use std::{path::PathBuf, time::Duration};

use informerd::{
    cli::connect::ServerAddress,
    proto::v1alpha1::{
        CreateInformerRequest, GetInformerRequest, Indexer, Informer, InformerSelector, InformerSpec, ResourceRef,
        UpstreamState, WaitForCacheSyncRequest, informer_selector::By, informer_service_client::InformerServiceClient,
    },
};
use support::{ControlPlane, Process, Spawn, eventually};
use tonic::transport::Channel;

use crate::proc;

/// A running informerd. It has no informer before [`Self::sync`].
pub(crate) struct Sidecar {
    process: Process,
    socket: PathBuf,
    channel: Channel,
    name: String,
}

/// What the initial sync took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Synced {
    pub(crate) objects: u64,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    /// Resident before the informer was created.
    pub(crate) empty_rss: u64,
    pub(crate) rss: u64,
    pub(crate) peak: u64,
    pub(crate) body_bytes: u64,
}

// === impl Sidecar ===

impl Sidecar {
    pub(crate) async fn start(plane: &ControlPlane, name: &str) -> Self {
        let socket = plane.dir().join(format!("{name}.sock"));
        let process = Spawn::new(
            &format!("informerd-{name}"),
            env!("CARGO_BIN_EXE_informerd"),
            plane.dir(),
        )
        .arg("serve")
        .args(["--socket".to_owned(), socket.display().to_string()])
        .args(["--kubeconfig".to_owned(), plane.kubeconfig().display().to_string()])
        .start();
        let address = ServerAddress::Unix(socket.clone());
        let channel = eventually("informerd listens", || async { address.connect().await.ok() }).await;
        Self {
            process,
            socket,
            channel,
            name: String::new(),
        }
    }

    /// Creates the informer, over all pods and with the index that yardstick's has, and waits until it is synced.
    pub(crate) async fn sync(&mut self) -> Synced {
        let mut informers = InformerServiceClient::new(self.channel.clone());
        let pid = self.pid();
        let empty_rss = proc::rss(pid);
        let (started, before) = (std::time::Instant::now(), proc::cpu(pid));
        let request = CreateInformerRequest {
            spec: Some(InformerSpec {
                resource: Some(ResourceRef {
                    resource: "pods".into(),
                    ..ResourceRef::default()
                }),
                indexers: vec![Indexer {
                    name: "node".into(),
                    json_pointer: "/spec/nodeName".into(),
                }],
                ..InformerSpec::default()
            }),
            ..CreateInformerRequest::default()
        };
        let created = informers.create_informer(request).await.expect("an informer");
        self.name = created.into_inner().informer.unwrap_or_default().name;
        let request = WaitForCacheSyncRequest {
            names: vec![self.name.clone()],
            timeout: Some(prost_types::Duration { seconds: 300, nanos: 0 }),
        };
        informers.wait_for_cache_sync(request).await.expect("it syncs");
        let (wall, cpu, rss) = (started.elapsed(), proc::cpu(pid).saturating_sub(before), proc::rss(pid));
        let informer = self.informer().await;
        Synced {
            objects: informer.object_count,
            wall,
            cpu,
            empty_rss,
            rss,
            peak: proc::peak(pid),
            body_bytes: informer.object_bytes,
        }
    }

    /// The informer with its status.
    pub(crate) async fn informer(&self) -> Informer {
        let request = GetInformerRequest {
            name: self.name.clone(),
        };
        let reply = InformerServiceClient::new(self.channel.clone())
            .get_informer(request)
            .await
            .expect("the informer");
        reply.into_inner().informer.unwrap_or_default()
    }

    /// Waits until it has made `lists` lists and watches again.
    pub(crate) async fn listed(&self, lists: u64) -> Informer {
        eventually("the relist", || async {
            let informer = self.informer().await;
            let state = informer.status.as_ref().map(|status| status.upstream_state());
            (informer.list_count >= lists && state == Some(UpstreamState::Watching)).then_some(informer)
        })
        .await
    }

    /// Selects the informer in requests.
    pub(crate) fn selector(&self) -> InformerSelector {
        InformerSelector {
            by: Some(By::Name(self.name.clone())),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Where it listens, for a connection of another runtime.
    pub(crate) fn address(&self) -> ServerAddress {
        ServerAddress::Unix(self.socket.clone())
    }
}
