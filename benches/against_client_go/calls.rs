//! Reads of single objects: from the sidecar over its socket, and from the API server for comparison.

use std::time::Instant;

use informerd::proto::v1alpha1::{GetObjectRequest, ObjectKey, cache_service_client::CacheServiceClient};

use crate::{
    Cluster,
    sidecar::Sidecar,
    table::{Quantiles, Table},
};

const CALLS: usize = 5000;
const CALLS_OF_SERVER: usize = 1000;

/// One call in flight. The reply's bytes are counted as received: neither side decodes the pod.
pub(crate) async fn measure(cluster: &Cluster, sidecar: &Sidecar, table: &mut Table) {
    let mut cache = CacheServiceClient::new(sidecar.channel());
    // A step that is prime to the number of pods comes by all of them.
    let pods = || (0..).map(|i: usize| &cluster.pods[i * 7919 % cluster.pods.len()]);
    let mut times = Vec::with_capacity(CALLS);
    for (namespace, name) in pods().take(CALLS) {
        let request = GetObjectRequest {
            informer: Some(sidecar.selector()),
            key: Some(ObjectKey {
                namespace: namespace.clone(),
                name: name.clone(),
            }),
            ..GetObjectRequest::default()
        };
        let started = Instant::now();
        let reply = cache.get_object(request).await.expect("the pod is cached").into_inner();
        times.push(started.elapsed().as_secs_f64() * 1e6);
        let object = reply.object.unwrap_or_default();
        assert_eq!(object.r#ref.map(|r| r.name).as_deref(), Some(name.as_str()));
        assert!(!object.object.unwrap_or_default().data.is_empty());
    }
    let ours = Quantiles::of(times);

    let mut times = Vec::with_capacity(CALLS_OF_SERVER);
    let mut bytes = 0;
    for (namespace, name) in pods().take(CALLS_OF_SERVER) {
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        let started = Instant::now();
        bytes += cluster.get(&path).await.len();
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    let server = Quantiles::of(times);
    table.pair(
        "one object, 1 in flight",
        "GET from the API server",
        server,
        "GetObject over the socket",
        ours,
    );
    table.note(format!(
        "A pod has {} bytes of JSON as the API server sends it. client-go's own lister reads from the memory of its process, \
         without any call; who links client-go does not pay for the socket.",
        bytes / CALLS_OF_SERVER
    ));
}
