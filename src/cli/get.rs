//! `informerd get`: objects from the cache, printed as kubectl prints them.
//!
//! ```text
//! arguments -> targets -> informer (scope, kind) -> keys | objects -> printer -> stdout
//! ```

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tonic::transport::Channel;

use crate::{
    cli::{
        Io,
        args::{GetArgs, GetOutput},
        connect::ServerAddress,
        error::CliError,
        fetch::{self, body},
        print::{cell::Context, columns::Columns, json, name, table::Table, yaml},
        query::{self, Target, by_name, resolve, resource_of, scoped, wire},
    },
    proto::v1alpha1::{
        CachedObject, Filter, Informer, ListObjectKeysRequest, ListObjectsRequest, ObjectKey, Projection, ReadOptions,
        View, read_options::Freshness,
    },
};

/// Runs the command.
pub async fn run(args: GetArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let targets = query::targets(&args.targets)?;
    let named = targets.iter().any(|target| !target.names.is_empty());
    if named && args.filter.many_namespaces() {
        return Err(CliError::Usage(
            "a resource cannot be retrieved by name across several namespaces".into(),
        ));
    }
    if named && args.filter.selects() {
        return Err(CliError::Usage(
            "names and selectors (or an index) exclude each other".into(),
        ));
    }
    let filter = args.filter.filter()?;
    let channel = ServerAddress::parse(args.server.server.as_deref())?.connect().await?;
    let mut get = Get {
        args: &args,
        channel,
        filter,
        missing: Vec::new(),
        namespaced: true,
    };
    let out = match args.output {
        GetOutput::Name => get.names(&targets).await?,
        GetOutput::Json | GetOutput::Yaml => get.documents(&targets).await?,
        GetOutput::Table | GetOutput::Wide => get.tables(&targets).await?,
    };
    io.out.write_all(out.as_bytes()).await?;
    io.out.flush().await?;
    if !get.missing.is_empty() {
        for line in get.missing {
            io.note(&line);
        }
        return Err(CliError::Told);
    }
    if out.is_empty() && matches!(args.output, GetOutput::Table | GetOutput::Wide) {
        io.note(&match &args.filter.namespace[..] {
            [namespace] if get.namespaced && !args.filter.all_namespaces => {
                format!("No resources found in {namespace} namespace.")
            }
            _ => "No resources found".into(),
        });
    }
    Ok(())
}

/// One run of the command.
struct Get<'a> {
    args: &'a GetArgs,
    channel: Channel,
    filter: Filter,
    /// What to say about names that the cache does not hold.
    missing: Vec<String>,
    /// All resources so far are namespaced.
    namespaced: bool,
}

// === impl Get ===

impl Get<'_> {
    async fn informer(&mut self, target: &Target) -> Result<Informer, CliError> {
        let informer = resolve(&self.channel, &target.resource, &self.filter, self.args.timeout).await?;
        self.namespaced &= informer.namespaced;
        Ok(informer)
    }

    async fn names(&mut self, targets: &[Target]) -> Result<String, CliError> {
        let mut out = String::new();
        for target in targets {
            let informer = self.informer(target).await?;
            let prefix = name::prefix(&informer.kind, resource_of(&informer).0);
            if target.names.is_empty() {
                let request = ListObjectKeysRequest {
                    informer: Some(by_name(&informer)),
                    filter: Some(scoped(self.filter.clone(), &informer)),
                    read: Some(self.read()),
                    ..ListObjectKeysRequest::default()
                };
                let keys = fetch::keys(&self.channel, request).await?;
                out += &name::lines(&prefix, keys.iter().map(|key| key.name.as_str()));
            } else {
                let found = self.named(&informer, target, View::Reference).await?;
                out += &name::lines(
                    &prefix,
                    found.iter().filter_map(|o| o.r#ref.as_ref()).map(|r| r.name.as_str()),
                );
            }
        }
        Ok(out)
    }

    async fn documents(&mut self, targets: &[Target]) -> Result<String, CliError> {
        let mut documents: Vec<Value> = Vec::new();
        for target in targets {
            let informer = self.informer(target).await?;
            let typed = |object: &CachedObject| Ok(with_type(body(object)?, &informer));
            documents.extend(self.objects(&informer, target, View::Full, typed).await?);
        }
        let yaml = self.args.output == GetOutput::Yaml;
        Ok(match (&documents[..], query::is_single(targets)) {
            // The one object that was named is missing: kubectl then prints nothing.
            ([], true) => String::new(),
            ([one], true) if yaml => yaml::object(one),
            ([one], true) => json::object(one),
            (many, _) if yaml => yaml::list(many),
            (many, _) => json::list(many),
        })
    }

    async fn tables(&mut self, targets: &[Target]) -> Result<String, CliError> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |t| i64::try_from(t.as_secs()).unwrap_or(0));
        let context = Context {
            now,
            wide: self.args.output == GetOutput::Wide,
        };
        let mut out = String::new();
        for target in targets {
            let informer = self.informer(target).await?;
            let (group, resource) = resource_of(&informer);
            let columns = Columns::of(group, resource);
            // With several resources in one output, each name says which it is of.
            let prefix = (targets.len() > 1).then(|| name::prefix(&informer.kind, group) + "/");
            let with_namespace = informer.namespaced && self.args.filter.many_namespaces();
            let view = if columns.needs_body { View::Full } else { View::Metadata };
            let rows = self
                .objects(&informer, target, view, |object| {
                    let mut row = columns.row(&body(object)?, &context);
                    if let (Some(prefix), Some(name)) = (&prefix, row.first_mut()) {
                        name.insert_str(0, prefix);
                    }
                    if with_namespace {
                        row.insert(
                            0,
                            object.r#ref.as_ref().map(|r| r.namespace.clone()).unwrap_or_default(),
                        );
                    }
                    Ok(row)
                })
                .await?;
            let mut header = columns.header(context.wide);
            if with_namespace {
                header.insert(0, "NAMESPACE".into());
            }
            let table = Table { header, rows }.render(!self.args.no_headers);
            if !out.is_empty() && !table.is_empty() && !self.args.no_headers {
                out.push('\n');
            }
            out += &table;
        }
        Ok(out)
    }

    async fn objects<T>(
        &mut self,
        informer: &Informer,
        target: &Target,
        view: View,
        map: impl FnMut(&CachedObject) -> Result<T, CliError>,
    ) -> Result<Vec<T>, CliError> {
        if !target.names.is_empty() {
            return self.named(informer, target, view).await?.iter().map(map).collect();
        }
        let request = ListObjectsRequest {
            informer: Some(by_name(informer)),
            filter: Some(scoped(self.filter.clone(), informer)),
            projection: Some(Projection {
                view: view.into(),
                ..Projection::default()
            }),
            read: Some(self.read()),
            ..ListObjectsRequest::default()
        };
        fetch::objects(&self.channel, request, map).await
    }

    async fn named(&mut self, informer: &Informer, target: &Target, view: View) -> Result<Vec<CachedObject>, CliError> {
        let filter = scoped(self.filter.clone(), informer);
        let namespace = filter.namespaces.first().cloned().unwrap_or_default();
        let keys = target
            .names
            .iter()
            .map(|name| ObjectKey {
                namespace: namespace.clone(),
                name: name.clone(),
            })
            .collect();
        let projection = Projection {
            view: view.into(),
            ..Projection::default()
        };
        let (found, missing) = fetch::named(&self.channel, by_name(informer), keys, projection, self.read()).await?;
        let (group, resource) = resource_of(informer);
        self.missing
            .extend(missing.iter().map(|name| name::not_found(resource, group, name)));
        Ok(found)
    }

    fn read(&self) -> ReadOptions {
        ReadOptions {
            freshness: self
                .args
                .min_resource_version
                .clone()
                .map(Freshness::MinResourceVersion),
            freshness_timeout: Some(wire(self.args.timeout)),
            ..ReadOptions::default()
        }
    }
}

/// Items of the API server's lists lack apiVersion and kind, which stand once in the list; kubectl puts them back.
fn with_type(mut object: Value, informer: &Informer) -> Value {
    let resource = informer.spec.as_ref().and_then(|spec| spec.resource.as_ref());
    if let (Some(map), Some(resource)) = (object.as_object_mut(), resource) {
        let api_version = match resource.group.as_str() {
            "" => resource.version.clone(),
            group => format!("{group}/{}", resource.version),
        };
        for (field, value) in [("apiVersion", api_version), ("kind", informer.kind.clone())] {
            map.entry(field).or_insert(Value::String(value));
        }
    }
    object
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::proto::v1alpha1::{InformerSpec, ResourceRef};

    #[test]
    fn an_object_without_a_type_gets_the_informers_and_another_keeps_its_own() {
        let resource = ResourceRef {
            group: "apps".into(),
            version: "v1".into(),
            resource: "deployments".into(),
        };
        let informer = Informer {
            kind: "Deployment".into(),
            spec: Some(InformerSpec {
                resource: Some(resource),
                ..InformerSpec::default()
            }),
            ..Informer::default()
        };
        assert_eq!(
            with_type(json!({"spec": {}}), &informer),
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "spec": {}})
        );
        let own = json!({"apiVersion": "x/v2", "kind": "Foo"});
        assert_eq!(with_type(own.clone(), &informer), own);
    }
}
