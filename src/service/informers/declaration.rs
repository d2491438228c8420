//! InformerSpec between the contract and the core.

use crate::{
    informer::{InformerSpec, SpecRequest, StartPolicy},
    object::{Pointer, Transform},
    processor::HistoryLimits,
    proto::v1alpha1 as pb,
    service::{
        convert::{duration, duration_pb, pointer_error, resource_query, unknown_enum},
        error::ApiError,
    },
    store::IndexSpec,
    upstream::ListMode,
};

/// Reads a declaration.
pub(super) fn spec_request(spec: pb::InformerSpec) -> Result<SpecRequest, ApiError> {
    let transform = transform(&spec)?;
    let resource = resource_query(spec.resource.unwrap_or_default()).map_err(|e| e.field("spec.resource.resource"))?;
    let metadata_only = match pb::View::try_from(spec.store_view) {
        Ok(pb::View::Unspecified | pb::View::Full) => false,
        Ok(pb::View::Metadata) => true,
        _ => return Err(unknown_enum("spec.store_view", spec.store_view)),
    };
    let list_mode = match pb::ListMode::try_from(spec.list_mode) {
        Ok(pb::ListMode::Unspecified | pb::ListMode::Auto) => ListMode::Auto,
        Ok(pb::ListMode::WatchList) => ListMode::WatchList,
        Ok(pb::ListMode::List) => ListMode::List,
        Err(_) => return Err(unknown_enum("spec.list_mode", spec.list_mode)),
    };
    let start = match pb::StartPolicy::try_from(spec.start) {
        Ok(pb::StartPolicy::Unspecified | pb::StartPolicy::Eager) => StartPolicy::Eager,
        Ok(pb::StartPolicy::OnFirstUse) => StartPolicy::OnFirstUse,
        Err(_) => return Err(unknown_enum("spec.start", spec.start)),
    };
    let mut history = HistoryLimits::default();
    if let Some(limits) = spec.history {
        if limits.max_revisions > 0 {
            history.max_revisions = limits.max_revisions as usize;
        }
        if limits.max_bytes > 0 {
            history.max_bytes = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
        }
        if let Some(age) = duration("spec.history.max_age", limits.max_age)?.filter(|a| !a.is_zero()) {
            history.max_age = age;
        }
    }
    Ok(SpecRequest {
        resource,
        namespaces: spec.namespaces,
        namespace_selector: spec.namespace_selector,
        default_scope: false,
        label_selector: spec.label_selector,
        field_selector: spec.field_selector,
        metadata_only,
        transform,
        list_mode,
        history,
        indexers: indexers("spec.indexers", spec.indexers)?,
        start,
        resync: duration("spec.resync_default", spec.resync_default)?,
        max_staleness: duration("spec.max_staleness", spec.max_staleness)?,
    })
}

/// What is cut: at most one of the three ways to say so.
fn transform(spec: &pb::InformerSpec) -> Result<Transform, ApiError> {
    let (drop, keep) = (&spec.drop_pointers, &spec.keep_pointers);
    let said: Vec<_> = [
        ("spec.keep_all", spec.keep_all),
        ("spec.drop_pointers", !drop.is_empty()),
        ("spec.keep_pointers", !keep.is_empty()),
    ]
    .into_iter()
    .filter_map(|(field, is_set)| is_set.then_some(field))
    .collect();
    if let [first, second, ..] = said[..] {
        return Err(
            ApiError::invalid(second, "INVALID_FIELD", format!("{first} excludes {second}"))
                .remedy(format!("set {first} or {second}, not both")),
        );
    }
    if spec.keep_all {
        Ok(Transform::none())
    } else if !keep.is_empty() {
        Transform::keep(keep.iter().map(String::as_str)).map_err(|e| pointer_error("spec.keep_pointers", &e))
    } else if !drop.is_empty() {
        Transform::drop(drop.iter().map(String::as_str)).map_err(|e| pointer_error("spec.drop_pointers", &e))
    } else {
        Ok(Transform::default())
    }
}

/// The pointers of a transform that are the ones to drop, or the ones to keep.
fn pointers_pb(transform: &Transform, keep: bool) -> Vec<String> {
    let pointers = transform.pointers().filter(|_| transform.is_keep() == keep);
    pointers.map(str::to_owned).collect()
}

pub(super) fn indexers(field: &str, indexers: Vec<pb::Indexer>) -> Result<Vec<IndexSpec>, ApiError> {
    indexers
        .into_iter()
        .map(|indexer| {
            let pointer = Pointer::parse(&indexer.json_pointer)
                .map_err(|e| ApiError::invalid(format!("{field}.json_pointer"), "INVALID_POINTER", e.to_string()))?;
            let spec = IndexSpec::new(&indexer.name, pointer);
            spec.map_err(|e| ApiError::from(e).field(format!("{field}.name")))
        })
        .collect()
}

pub(super) fn spec_pb(spec: &InformerSpec) -> pb::InformerSpec {
    pb::InformerSpec {
        resource: Some(pb::ResourceRef {
            group: spec.resource.group.clone(),
            version: spec.resource.version.clone(),
            resource: spec.resource.plural.clone(),
        }),
        namespaces: spec.namespaces.iter().cloned().collect(),
        label_selector: spec.label_selector.clone(),
        field_selector: spec.field_selector.clone(),
        store_view: if spec.metadata_only {
            pb::View::Metadata.into()
        } else {
            pb::View::Full.into()
        },
        drop_pointers: pointers_pb(&spec.transform, false),
        keep_all: spec.transform.is_none(),
        list_mode: match spec.list_mode {
            ListMode::Auto => pb::ListMode::Auto.into(),
            ListMode::WatchList => pb::ListMode::WatchList.into(),
            ListMode::List => pb::ListMode::List.into(),
        },
        history: Some(pb::HistoryLimits {
            max_revisions: u32::try_from(spec.history.max_revisions).unwrap_or(u32::MAX),
            max_bytes: spec.history.max_bytes as u64,
            max_age: Some(duration_pb(spec.history.max_age)),
        }),
        indexers: spec
            .indexers
            .iter()
            .map(|i| pb::Indexer {
                name: i.name.to_string(),
                json_pointer: i.pointer.to_string(),
            })
            .collect(),
        start: match spec.start {
            StartPolicy::Eager => pb::StartPolicy::Eager.into(),
            StartPolicy::OnFirstUse => pb::StartPolicy::OnFirstUse.into(),
        },
        resync_default: spec.resync.map(duration_pb),
        keep_pointers: pointers_pb(&spec.transform, true),
        namespace_selector: spec.namespace_selector.clone(),
        max_staleness: spec.max_staleness.map(duration_pb),
    }
}
