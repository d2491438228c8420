//! What the rows ask the sidecar for, and in which form they compare.

use std::time::Duration;

use informerd::proto::v1alpha1::{
    CreateInformerRequest, Filter, IndexFilter, InformerSelector, InformerSpec, ListObjectsRequest, ReadOptions,
    ResourceRef, WaitForCacheSyncRequest, WatchRequest, read_options::Freshness,
};
use serde_json::{Value, json};
use support::DEADLINE;

use super::sidecar::{Bench, named, resource};

/// A filter for one namespace.
pub(crate) fn within(namespace: &str) -> Option<Filter> {
    Some(Filter {
        namespaces: vec![namespace.to_owned()],
        ..Filter::default()
    })
}

/// A watch on the ConfigMaps of a namespace.
pub(crate) fn watch_configs(namespace: &str) -> WatchRequest {
    WatchRequest {
        informer: resource("configmaps"),
        filter: within(namespace),
        ..WatchRequest::default()
    }
}

/// An informer of its own, synced; answers its name.
pub(crate) async fn informer(bench: &Bench, spec: InformerSpec) -> String {
    let request = CreateInformerRequest {
        informer_id: String::new(),
        spec: Some(spec),
    };
    let created = bench.informers().create_informer(request).await.expect("an informer");
    let name = created.into_inner().informer.expect("an informer").name;
    let request = WaitForCacheSyncRequest {
        names: vec![name.clone()],
        timeout: duration(DEADLINE),
    };
    bench.informers().wait_for_cache_sync(request).await.expect("synced");
    name
}

pub(crate) fn duration(time: Duration) -> Option<prost_types::Duration> {
    Some(time.try_into().expect("a duration"))
}

pub(crate) fn reference(name: &str) -> Option<ResourceRef> {
    Some(ResourceRef {
        resource: name.to_owned(),
        ..ResourceRef::default()
    })
}

/// Bodies of all objects that match, in pages of two, so that paging is always part of it.
pub(crate) async fn list(bench: &Bench, informer: Option<InformerSelector>, filter: Option<Filter>) -> Vec<Value> {
    let mut request = ListObjectsRequest {
        informer,
        filter,
        page_size: 2,
        read: patient(None),
        ..ListObjectsRequest::default()
    };
    let mut bodies = Vec::new();
    loop {
        let page = bench
            .cache()
            .list_objects(request.clone())
            .await
            .expect("a page")
            .into_inner();
        assert!(page.objects.len() <= 2, "the page is larger than asked for");
        for object in page.objects {
            let payload = object.object.expect("a body");
            bodies.push(serde_json::from_slice(&payload.data).expect("JSON"));
        }
        if page.next_page_token.is_empty() {
            return bodies;
        }
        request.page_token = page.next_page_token;
    }
}

pub(crate) fn patient(freshness: Option<Freshness>) -> Option<ReadOptions> {
    Some(ReadOptions {
        freshness,
        freshness_timeout: duration(Duration::from_secs(60)),
        ..ReadOptions::default()
    })
}

/// What an index holds under a value.
pub(crate) async fn by_index(bench: &Bench, informer: &str, index: &str, value: &str) -> Vec<String> {
    let filter = Filter {
        index: Some(IndexFilter {
            name: index.to_owned(),
            values: vec![value.to_owned()],
        }),
        ..Filter::default()
    };
    let found = list(bench, named(informer), Some(filter)).await;
    found.iter().map(name).collect()
}

pub(crate) fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().expect("a name").to_owned()
}

/// An object as informerd keeps it: without what it cuts, with what items of lists lack.
pub(crate) fn kept(mut object: Value, api_version: &str, kind: &str) -> Value {
    object["metadata"]
        .as_object_mut()
        .expect("metadata")
        .remove("managedFields");
    object["apiVersion"] = json!(api_version);
    object["kind"] = json!(kind);
    object
}

pub(crate) fn items(list: Value, api_version: &str, kind: &str) -> Vec<Value> {
    let items = list["items"].as_array().expect("a list").clone();
    items.into_iter().map(|item| kept(item, api_version, kind)).collect()
}
