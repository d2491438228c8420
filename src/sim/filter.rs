//! Which objects a request is about, beyond its resource: namespace, label and field selector.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::resource::ResourceType;
use super::status::StatusError;
use super::store::Object;
use crate::selector::{FieldSelector, LabelSelector, pointer_of};

#[derive(Debug, Default)]
pub(super) struct Filter {
    namespace: Option<String>,
    labels: LabelSelector,
    fields: FieldSelector,
}

/// Reads an object's labels and skips the rest.
#[derive(Deserialize)]
struct Labelled<'a> {
    #[serde(borrow)]
    metadata: Labels<'a>,
}

#[derive(Deserialize)]
struct Labels<'a> {
    #[serde(borrow, default)]
    labels: HashMap<Cow<'a, str>, Cow<'a, str>>,
}

// === impl Filter ===

impl Filter {
    pub(super) fn parse(
        kind: &ResourceType,
        namespace: Option<&str>,
        labels: Option<&str>,
        fields: Option<&str>,
    ) -> Result<Self, StatusError> {
        let refuse = |e: crate::selector::SelectorError| StatusError::bad_request(e.to_string());
        let labels = LabelSelector::parse(labels.unwrap_or("")).map_err(refuse)?;
        let fields = FieldSelector::parse(fields.unwrap_or("")).map_err(refuse)?;
        if let Some(unknown) = fields.requirements().iter().find(|r| !kind.selectable(&r.path)) {
            let message = format!(
                "Unable to find {:?} that match label selector {:?}, field selector {:?}: field label not supported: {}",
                format!("{}, Resource={}", kind.api_version(), kind.plural),
                labels.normalized(),
                fields.normalized(),
                unknown.path
            );
            return Err(StatusError::bad_request(message));
        }
        Ok(Self {
            namespace: namespace.map(str::to_owned),
            labels,
            fields,
        })
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    pub(super) fn has_selectors(&self) -> bool {
        !self.labels.is_everything() || !self.fields.is_everything()
    }

    pub(super) fn matches(&self, object: &Object) -> bool {
        self.namespace
            .as_deref()
            .is_none_or(|namespace| object.namespace() == Some(namespace))
            && self.matches_labels(object)
            && self.matches_fields(object)
    }

    fn matches_labels(&self, object: &Object) -> bool {
        if self.labels.is_everything() {
            return true;
        }
        let labels = serde_json::from_slice::<Labelled<'_>>(&object.body)
            .map(|o| o.metadata.labels)
            .unwrap_or_default();
        self.labels.matches(|key| labels.get(key).map(|value| &**value))
    }

    fn matches_fields(&self, object: &Object) -> bool {
        let parsed = OnceCell::new();
        self.fields.matches(|path| match path {
            "metadata.name" => Some(object.name().to_owned().into()),
            "metadata.namespace" => object.namespace().map(|namespace| namespace.to_owned().into()),
            path => {
                let value: &Value = parsed.get_or_init(|| object.value().unwrap_or_default());
                match value.pointer(&pointer_of(path))? {
                    Value::String(text) => Some(Cow::Owned(text.clone())),
                    scalar @ (Value::Number(_) | Value::Bool(_)) => Some(Cow::Owned(scalar.to_string())),
                    _ => None,
                }
            }
        })
    }
}
