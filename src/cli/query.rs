//! What a command asks for: targets and filters, and the informer that answers.

use std::time::Duration;

use tonic::transport::Channel;

use crate::{
    cli::{args::FilterArgs, connect::MAX_MESSAGE_BYTES, error::CliError},
    proto::v1alpha1::{
        CountObjectsRequest, Filter, GetInformerRequest, IndexFilter, Informer, InformerSelector, ReadOptions,
        ResourceRef, WaitForCacheSyncRequest, cache_service_client::CacheServiceClient, informer_selector::By,
        informer_service_client::InformerServiceClient, work_queue_service_client::WorkQueueServiceClient,
    },
};

/// A resource, and the names wanted of it; none means all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As the user spelt it.
    pub resource: String,
    /// Object names.
    pub names: Vec<String>,
}

// === targets ===

/// Reads `RESOURCE[,RESOURCE...] [NAME...]` or `RESOURCE/NAME...`.
pub fn targets(args: &[String]) -> Result<Vec<Target>, CliError> {
    let usage = |text: String| Err(CliError::Usage(text));
    if !args.iter().any(|arg| arg.contains('/')) {
        let Some((resources, names)) = args.split_first() else {
            return usage("name a resource, for example pods".into());
        };
        let mut targets: Vec<Target> = Vec::new();
        for resource in resources.split(',').map(str::trim) {
            if resource.is_empty() {
                return usage(format!("`{resources}` has an empty resource name"));
            }
            if !targets.iter().any(|t| t.resource == resource) {
                targets.push(Target {
                    resource: resource.into(),
                    names: names.to_vec(),
                });
            }
        }
        return Ok(targets);
    }
    let mut targets: Vec<Target> = Vec::new();
    for arg in args {
        let (resource, name) = match arg.split_once('/') {
            Some((resource, name)) if !resource.is_empty() && !name.is_empty() && !name.contains('/') => {
                (resource, name)
            }
            _ => {
                return usage(format!("`{arg}`: when one argument is RESOURCE/NAME, all have to be"));
            }
        };
        match targets.last_mut().filter(|last| last.resource == resource) {
            Some(last) => last.names.push(name.into()),
            None => targets.push(Target {
                resource: resource.into(),
                names: vec![name.into()],
            }),
        }
    }
    Ok(targets)
}

/// True if the arguments name exactly one object: its output then is the object and not a list.
#[must_use]
pub fn is_single(targets: &[Target]) -> bool {
    matches!(targets, [one] if one.names.len() == 1)
}

// === impl FilterArgs ===

impl FilterArgs {
    /// The filter, with the namespaces as given; see [`scoped`].
    pub fn filter(&self) -> Result<Filter, CliError> {
        let mut index: Option<IndexFilter> = None;
        for (name, value) in &self.index {
            let filter = index.get_or_insert_with(|| IndexFilter {
                name: name.clone(),
                values: Vec::new(),
            });
            if filter.name != *name {
                return Err(CliError::Usage(format!(
                    "--index {name}: one index at a time, and {} is named too; use a selector for the other condition",
                    filter.name
                )));
            }
            filter.values.push(value.clone());
        }
        Ok(Filter {
            namespaces: if self.all_namespaces {
                Vec::new()
            } else {
                self.namespace.clone()
            },
            names: Vec::new(),
            label_selector: self.selector.clone(),
            field_selector: self.field_selector.clone(),
            index,
        })
    }

    /// True if objects of several namespaces can come, which then have to be told apart.
    #[must_use]
    pub fn many_namespaces(&self) -> bool {
        self.all_namespaces || self.namespace.len() > 1
    }

    /// True if something else than names and namespaces selects.
    #[must_use]
    pub fn selects(&self) -> bool {
        !(self.selector.is_empty() && self.field_selector.is_empty() && self.index.is_empty())
    }
}

/// The filter for an informer: a namespace means nothing to cluster-scoped objects, as with kubectl.
#[must_use]
pub fn scoped(mut filter: Filter, informer: &Informer) -> Filter {
    if !informer.namespaced {
        filter.namespaces.clear();
    }
    filter
}

// === clients ===

/// A client of the cache service.
#[must_use]
pub fn cache(channel: &Channel) -> CacheServiceClient<Channel> {
    CacheServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// A client of the informer service.
#[must_use]
pub fn informers(channel: &Channel) -> InformerServiceClient<Channel> {
    InformerServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// A client of the work queue service.
#[must_use]
pub fn queues(channel: &Channel) -> WorkQueueServiceClient<Channel> {
    WorkQueueServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// Selects by resource.
#[must_use]
pub fn by_resource(resource: &str) -> InformerSelector {
    let resource = ResourceRef {
        resource: resource.into(),
        ..ResourceRef::default()
    };
    InformerSelector {
        by: Some(By::Resource(resource)),
    }
}

/// Selects a known informer.
#[must_use]
pub fn by_name(informer: &Informer) -> InformerSelector {
    InformerSelector {
        by: Some(By::Name(informer.name.clone())),
    }
}

/// `timeout` for the wire.
#[must_use]
pub fn wire(timeout: Duration) -> prost_types::Duration {
    prost_types::Duration {
        seconds: i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(timeout.subsec_nanos()).unwrap_or(0),
    }
}

/// The informer that covers a resource and a filter, created on first use. A count is the cheapest question that names
/// it, and it also finds a bad selector or index before anything is printed.
pub async fn resolve(
    channel: &Channel,
    resource: &str,
    filter: &Filter,
    timeout: Duration,
) -> Result<Informer, CliError> {
    let request = CountObjectsRequest {
        informer: Some(by_resource(resource)),
        filter: Some(filter.clone()),
        read: Some(ReadOptions {
            allow_unsynced: true,
            freshness_timeout: Some(wire(timeout)),
            ..ReadOptions::default()
        }),
        ..CountObjectsRequest::default()
    };
    let reply = cache(channel).count_objects(request).await?.into_inner();
    let name = reply.status.map(|status| status.informer).unwrap_or_default();
    let mut informer = get_informer(channel, &name).await?;
    if informer.kind.is_empty() {
        // Not resolved with the API server yet: neither scope nor kind are known before it is.
        let wait = WaitForCacheSyncRequest {
            names: vec![name.clone()],
            timeout: Some(wire(timeout)),
        };
        informers(channel).wait_for_cache_sync(wait).await?;
        informer = get_informer(channel, &name).await?;
    }
    Ok(informer)
}

async fn get_informer(channel: &Channel, name: &str) -> Result<Informer, CliError> {
    let reply = informers(channel)
        .get_informer(GetInformerRequest { name: name.into() })
        .await?
        .into_inner();
    reply
        .informer
        .ok_or_else(|| CliError::Failed(format!("the server's reply about {name} holds no informer")))
}

/// Group and plural of an informer's resource.
#[must_use]
pub fn resource_of(informer: &Informer) -> (&str, &str) {
    let resource = informer.spec.as_ref().and_then(|spec| spec.resource.as_ref());
    resource.map_or(("", ""), |r| (r.group.as_str(), r.resource.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Vec<(String, Vec<String>)>, CliError> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Ok(targets(&args)?.into_iter().map(|t| (t.resource, t.names)).collect())
    }

    fn want(list: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        list.iter()
            .map(|(r, n)| ((*r).to_owned(), n.iter().map(|s| (*s).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn targets_are_read_as_kubectl_reads_them() {
        for (line, expected) in [
            ("pods", want(&[("pods", &[])])),
            ("po a b", want(&[("po", &["a", "b"])])),
            ("pods,deploy a", want(&[("pods", &["a"]), ("deploy", &["a"])])),
            ("pods,pods", want(&[("pods", &[])])),
            (
                "pod/a pod/b deployments.v1.apps/c",
                want(&[("pod", &["a", "b"]), ("deployments.v1.apps", &["c"])]),
            ),
        ] {
            assert_eq!(read(line).expect(line), expected);
        }
    }

    #[test]
    fn mixed_and_empty_targets_are_usage_errors() {
        for line in ["pod/a b", "pods/ x", "/x", "a/b/c", "pods,,nodes", ","] {
            assert_eq!(read(line).expect_err(line).exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn one_object_is_told_from_a_list_of_one() {
        for (line, single) in [
            ("pods", false),
            ("pods a", true),
            ("pods/a", true),
            ("pods a b", false),
            ("pods,nodes a", false),
        ] {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_single(&targets(&args).expect(line)), single, "{line}");
        }
    }

    #[test]
    fn values_of_one_index_are_alternatives_and_two_indexes_are_refused() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut args = FilterArgs {
            index: vec![pair("a", "1"), pair("a", "2")],
            ..FilterArgs::default()
        };
        let index = args.filter().expect("valid").index.expect("set");
        assert_eq!(
            (index.name.as_str(), index.values),
            ("a", vec!["1".to_owned(), "2".into()])
        );
        args.index.push(pair("b", "1"));
        assert_eq!(args.filter().expect_err("two").exit_code(), 2);
    }

    #[test]
    fn namespaces_do_not_apply_to_cluster_scoped_resources() {
        let filter = Filter {
            namespaces: vec!["default".into()],
            ..Filter::default()
        };
        let cluster = Informer {
            namespaced: false,
            ..Informer::default()
        };
        let namespaced = Informer {
            namespaced: true,
            ..Informer::default()
        };
        assert!(scoped(filter.clone(), &cluster).namespaces.is_empty());
        assert_eq!(scoped(filter, &namespaced).namespaces, ["default"]);
    }
}
