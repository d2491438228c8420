//! The rules of create, update, patch and delete.

use std::sync::Arc;

use serde_json::{Value, json};

use super::meta::{Author, Part, text};
use super::resource::{CRDS, ResourceType};
use super::status::StatusError;
use super::store::{Object, State};
use super::{json as encoding, meta};

/// What a deletion demands of the object.
#[derive(Debug, Default)]
pub(super) struct Preconditions {
    pub(super) uid: Option<String>,
    pub(super) resource_version: Option<String>,
}

/// Metadata that an update never changes, whatever the client sends.
const SERVER_OWNED: &[&str] = &[
    "uid",
    "creationTimestamp",
    "generation",
    "deletionTimestamp",
    "namespace",
    "managedFields",
    "resourceVersion",
];

type Written = Result<Arc<Object>, StatusError>;

// === impl State ===

impl State {
    /// Creates an object. `namespace` is the request's; the object may repeat it, but not differ.
    pub(super) fn create(
        &mut self,
        kind: &ResourceType,
        namespace: Option<&str>,
        mut value: Value,
        author: &Author,
    ) -> Written {
        self.check_type(kind, &value)?;
        let namespace = self.namespace_of(kind, namespace, &value, author)?;
        if text(&value, "name").is_empty() && !text(&value, "generateName").is_empty() {
            let name = format!("{}{}", text(&value, "generateName"), meta::name_suffix(&mut self.rng));
            meta::set(&mut value, "name", name);
        }
        let name = text(&value, "name").to_owned();
        check_name(kind, &name)?;
        let key = kind.key(namespace.as_deref(), &name);
        if self.get(&kind.id, &key).is_some() {
            return Err(StatusError::already_exists(kind, &name));
        }
        if author.client && !text(&value, "resourceVersion").is_empty() {
            return Err(StatusError::bad_request(
                "resourceVersion should not be set on objects to be created",
            ));
        }
        if author.client && kind.status && kind.builtin {
            meta::unset(&mut value, "status");
        }
        let (uid, now) = (meta::uid(&mut self.rng), self.now());
        meta::set(&mut value, "uid", uid);
        meta::set(&mut value, "creationTimestamp", now.as_str());
        meta::unset(&mut value["metadata"], "managedFields");
        meta::unset(&mut value["metadata"], "deletionTimestamp");
        if let Some(namespace) = namespace {
            meta::set(&mut value, "namespace", namespace);
        }
        if has_generation(kind) {
            meta::set(&mut value, "generation", 1);
        }
        default(kind, &mut value);
        if *kind.id == *CRDS {
            self.define(&mut value, &now)?;
        }
        meta::stamp_managed_fields(
            &mut value,
            author,
            if author.client { Part::Main } else { Part::Whole },
            &now,
        );
        Ok(self.put(kind, key, value))
    }

    /// Replaces an object, or a part of it. Without a resourceVersion the write is unconditional.
    pub(super) fn update(
        &mut self,
        kind: &ResourceType,
        key: &str,
        mut value: Value,
        part: Part,
        author: &Author,
    ) -> Written {
        self.check_type(kind, &value)?;
        let stored = self.existing(kind, key)?;
        let (old, name) = (stored.value()?, stored.name());
        let stated = text(&value, "resourceVersion");
        if !stated.is_empty() && stated != text(&old, "resourceVersion") {
            let why = "the object has been modified; please apply your changes to the latest version and try again";
            return Err(StatusError::conflict(kind, name, why));
        }
        let uid = text(&value, "uid");
        if !uid.is_empty() && uid != text(&old, "uid") {
            let why = format!(
                "Precondition failed: UID in precondition: {uid}, UID in object meta: {}",
                text(&old, "uid")
            );
            return Err(StatusError::conflict(kind, name, &why));
        }
        if text(&value, "name") != name {
            return Err(StatusError::bad_request(
                "the name of the object does not match the name on the URL",
            ));
        }
        if part == Part::Status {
            let status = value["status"].take();
            value = old.clone();
            value["status"] = status;
        } else if part == Part::Main && kind.status {
            keep(&mut value, &old, "status");
        }
        // What the server alone may write is as it was.
        for field in SERVER_OWNED {
            match old["metadata"].get(field) {
                Some(kept) => meta::set(&mut value, field, kept.clone()),
                None => meta::unset(&mut value["metadata"], field),
            }
        }
        value["apiVersion"] = old["apiVersion"].clone();
        value["kind"] = old["kind"].clone();
        if value == old {
            // A write that changes nothing is not written: no new version, no event.
            return Ok(stored);
        }
        if !text(&value, "deletionTimestamp").is_empty() && !held(&value) {
            // The last finalizer of a dying object is gone: so is the object. The update is answered, but never stored: it
            // has no version of its own.
            self.finish_delete(kind, key)?;
            let body = encoding::encode(kind, &value);
            let key = key.to_owned();
            return Ok(Arc::new(Object { key, body }));
        }
        if value.get("spec") != old.get("spec") && has_generation(kind) {
            let generation = old["metadata"]["generation"].as_u64().unwrap_or(0) + 1;
            meta::set(&mut value, "generation", generation);
        }
        let now = self.now();
        if *kind.id == *CRDS && part != Part::Status {
            self.define(&mut value, &now)?;
        }
        meta::stamp_managed_fields(&mut value, author, part, &now);
        Ok(self.put(kind, key.to_owned(), value))
    }

    /// Merges a JSON merge patch into an object.
    pub(super) fn patch(
        &mut self,
        kind: &ResourceType,
        key: &str,
        patch: &Value,
        part: Part,
        author: &Author,
    ) -> Written {
        let stored = self.existing(kind, key)?;
        let mut value = stored.value()?;
        encoding::merge_patch(&mut value, patch);
        self.update(kind, key, value, part, author)
    }

    /// Deletes an object, or marks it while finalizers hold it.
    pub(super) fn delete(&mut self, kind: &ResourceType, key: &str, demands: &Preconditions) -> Written {
        let stored = self.existing(kind, key)?;
        let mut value = stored.value()?;
        for (field, demand) in [("uid", &demands.uid), ("resourceVersion", &demands.resource_version)] {
            if let Some(demand) = demand.as_deref().filter(|demand| *demand != text(&value, field)) {
                let why = format!(
                    "Precondition failed: {field} in precondition: {demand}, {field} in object meta: {}",
                    text(&value, field)
                );
                return Err(StatusError::conflict(kind, stored.name(), &why));
            }
        }
        if !held(&value) {
            return self.finish_delete(kind, key);
        }
        if !text(&value, "deletionTimestamp").is_empty() {
            return Ok(stored);
        }
        let now = self.now();
        meta::set(&mut value, "deletionTimestamp", now);
        meta::set(&mut value, "deletionGracePeriodSeconds", 0);
        Ok(self.put(kind, key.to_owned(), value))
    }

    fn finish_delete(&mut self, kind: &ResourceType, key: &str) -> Written {
        let gone = self
            .remove(kind, key)
            .ok_or_else(|| StatusError::not_found(kind, key))?;
        match &*kind.id {
            "namespaces" => self.empty_namespace(key),
            CRDS => {
                if let Some(kind) = self.registry.by_name(key) {
                    self.drop_resource(&kind);
                }
            }
            _ => {}
        }
        Ok(gone)
    }

    fn empty_namespace(&mut self, namespace: &str) {
        let kinds: Vec<_> = self.registry.all().filter(|kind| kind.namespaced).cloned().collect();
        for kind in kinds {
            for (key, object) in &self.table(&kind.id) {
                if object.namespace() == Some(namespace) {
                    self.remove(&kind, key);
                }
            }
        }
    }

    fn existing(&self, kind: &ResourceType, key: &str) -> Written {
        let name = key.split_once('/').map_or(key, |(_, name)| name);
        self.get(&kind.id, key)
            .ok_or_else(|| StatusError::not_found(kind, name))
    }

    /// The object must be of the resource's kind, in any of its served versions.
    fn check_type(&self, kind: &ResourceType, value: &Value) -> Result<(), StatusError> {
        meta::check_shape(value)?;
        let (api_version, name) = (
            value["apiVersion"].as_str().unwrap_or(""),
            value["kind"].as_str().unwrap_or(""),
        );
        let fits = self
            .registry
            .by_kind(api_version, name)
            .is_some_and(|found| found.id == kind.id);
        if fits || (api_version.is_empty() && name.is_empty() && kind.builtin) {
            return Ok(());
        }
        let message = format!(
            "{api_version:?}, Kind={name:?} in the object does not match the expected {}, Kind={}",
            kind.api_version(),
            kind.kind
        );
        Err(StatusError::bad_request(message))
    }

    /// The namespace to create in. Clients need it to exist; for the owner of the simulation it is made.
    fn namespace_of(
        &mut self,
        kind: &ResourceType,
        asked: Option<&str>,
        value: &Value,
        author: &Author,
    ) -> Result<Option<String>, StatusError> {
        if !kind.namespaced {
            return Ok(None);
        }
        let stated = text(value, "namespace");
        let namespace = match asked {
            Some(asked) if stated.is_empty() || stated == asked => asked,
            Some(_) => {
                let message = "the namespace of the provided object does not match the namespace sent on the request";
                return Err(StatusError::bad_request(message));
            }
            None if stated.is_empty() => "default",
            None => stated,
        };
        if self.get("namespaces", namespace).is_none() {
            let kind = self
                .registry
                .by_name("namespaces")
                .ok_or_else(StatusError::path_not_found)?;
            if author.client {
                return Err(StatusError::not_found(&kind, namespace));
            }
            let value = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
            self.create(&kind, None, value, author)?;
        }
        Ok(Some(namespace.to_owned()))
    }

    /// A CRD takes effect at once, and says so in its status.
    fn define(&mut self, crd: &mut Value, now: &str) -> Result<(), StatusError> {
        let name = text(crd, "name").to_owned();
        let kinds = ResourceType::from_crd(crd)
            .map_err(|why| StatusError::invalid("CustomResourceDefinition.apiextensions.k8s.io", &name, &why))?;
        let condition = |kind: &str, reason: &str| json!({"type": kind, "status": "True", "reason": reason, "message": "", "lastTransitionTime": now});
        crd["status"] = json!({
            "conditions": [condition("NamesAccepted", "NoConflicts"), condition("Established", "InitialNamesAccepted")],
            "acceptedNames": crd["spec"]["names"],
            "storedVersions": kinds.first().map(|kind| &kind.storage_version),
        });
        crd["status"]["storedVersions"] = json!([crd["status"]["storedVersions"].take()]);
        self.registry.remove(&name);
        kinds.into_iter().for_each(|kind| self.registry.insert(kind));
        Ok(())
    }
}

/// Whether finalizers hold an object.
fn held(value: &Value) -> bool {
    value["metadata"]["finalizers"]
        .as_array()
        .is_some_and(|finalizers| !finalizers.is_empty())
}

/// Kinds whose generation counts changes of their spec.
fn has_generation(kind: &ResourceType) -> bool {
    const WITHOUT: &[&str] = &["namespaces", "nodes", "services", "persistentvolumeclaims"];
    !kind.builtin || (kind.status && !WITHOUT.contains(&&*kind.id))
}

/// The few defaults without which readers of these kinds would stumble.
fn default(kind: &ResourceType, value: &mut Value) {
    value["apiVersion"] = crate::sim::resource::group_version(&kind.group, &kind.storage_version).into();
    value["kind"] = kind.kind.clone().into();
    match &*kind.id {
        "namespaces" => {
            let name = value["metadata"]["name"].clone();
            value["metadata"]["labels"]["kubernetes.io/metadata.name"] = name;
            value["spec"] = json!({"finalizers": ["kubernetes"]});
            value["status"] = json!({"phase": "Active"});
        }
        "pods" if value["status"]["phase"].is_null() => {
            value["status"]["phase"] = json!("Pending");
            value["status"]["qosClass"] = json!("BestEffort");
        }
        _ => {}
    }
}

fn keep(value: &mut Value, old: &Value, field: &str) {
    match old.get(field) {
        Some(kept) => value[field] = kept.clone(),
        None => meta::unset(value, field),
    }
}

fn check_name(kind: &ResourceType, name: &str) -> Result<(), StatusError> {
    if name.is_empty() {
        return Err(StatusError::invalid(
            &kind.kind,
            "",
            "metadata.name: Required value: name or generateName is required",
        ));
    }
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    if name.len() <= 253 && name.chars().all(allowed) {
        return Ok(());
    }
    let why = format!(
        "metadata.name: Invalid value: {name:?}: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'"
    );
    Err(StatusError::invalid(&kind.kind, name, &why))
}
