//! UpdateInformer: which fields change, checked.

use tonic::Code;

use crate::{
    informer::{FactoryError, SpecUpdate},
    proto::v1alpha1 as pb,
    service::{convert::duration, error::ApiError},
};

/// Name and change of a request.
pub(super) fn read(request: pb::UpdateInformerRequest) -> Result<(String, SpecUpdate), ApiError> {
    if request.name.is_empty() {
        return Err(ApiError::invalid("name", "INVALID_FIELD", "name is required"));
    }
    let spec = request.spec.unwrap_or_default();
    let paths = request.update_mask.unwrap_or_default().paths;
    if paths.is_empty() {
        return Err(ApiError::invalid(
            "update_mask",
            "INVALID_FIELD",
            "update_mask is required: it names the fields that change",
        )
        .remedy(ALLOWED));
    }
    let mut update = SpecUpdate::default();
    for path in &paths {
        match path.as_str() {
            "namespaces" => update.namespaces = Some(spec.namespaces.clone()),
            "namespace_selector" => update.namespace_selector = Some(spec.namespace_selector.clone()),
            "max_staleness" => {
                update.max_staleness = Some(duration("spec.max_staleness", spec.max_staleness)?.unwrap_or_default());
            }
            other => {
                return Err(ApiError::invalid(
                    "update_mask",
                    "INVALID_FIELD",
                    format!("update_mask: {other:?} cannot be changed while the informer runs"),
                )
                .with("path", other)
                .remedy(ALLOWED));
            }
        }
    }
    Ok((request.name, update))
}

const ALLOWED: &str =
    "use some of namespaces, namespace_selector, max_staleness; for other changes delete and create the informer";

/// A change that cannot be made.
pub(super) fn refused(name: &str, error: FactoryError) -> ApiError {
    match error {
        FactoryError::Conflict { name: other } => ApiError::new(
            Code::AlreadyExists,
            "INFORMER_SPEC_CONFLICT",
            format!("{name} would cache the same as {other}"),
        )
        .field("spec")
        .resource("informer.v1alpha1.Informer", other)
        .remedy("use the other informer, or delete it first"),
        error @ FactoryError::NotFound(_) => ApiError::from(error).field("name"),
        error => error.into(),
    }
}
