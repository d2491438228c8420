//! Labels and owner references, wherever their text is read from.

use jiter::{Jiter, JiterError, Peek};

use crate::object::{Interner, Label, OwnerRef, Uid};

/// Reads an object whose values are strings; others are passed over.
pub(super) fn labels(interner: &Interner<str>, json: &mut Jiter<'_>) -> Result<Vec<Label>, JiterError> {
    let mut labels = Vec::new();
    let mut key = json.known_object()?.map(|k| interner.intern(k));
    while let Some(name) = key {
        let peek = json.peek()?;
        if peek == Peek::String {
            let value = interner.intern(json.known_str()?);
            labels.push((name, value));
        } else {
            json.known_skip(peek)?;
        }
        key = json.next_key()?.map(|k| interner.intern(k));
    }
    Ok(labels)
}

/// Reads an array of owner references.
pub(super) fn owners(interner: &Interner<str>, json: &mut Jiter<'_>) -> Result<Vec<OwnerRef>, JiterError> {
    let mut owners = Vec::new();
    let mut next = json.known_array()?;
    while let Some(peek) = next {
        if peek == Peek::Object {
            owners.push(owner(interner, json)?);
        } else {
            json.known_skip(peek)?;
        }
        next = json.array_step()?;
    }
    Ok(owners)
}

fn owner(interner: &Interner<str>, json: &mut Jiter<'_>) -> Result<OwnerRef, JiterError> {
    let mut owner = OwnerRef::default();
    let mut key = json.known_object()?.map(str::to_owned);
    while let Some(name) = key {
        let peek = json.peek()?;
        match (name.as_str(), peek) {
            ("apiVersion", Peek::String) => owner.api_version = interner.intern(json.known_str()?),
            ("kind", Peek::String) => owner.kind = interner.intern(json.known_str()?),
            ("name", Peek::String) => owner.name = json.known_str()?.into(),
            ("uid", Peek::String) => owner.uid = Uid::parse(json.known_str()?),
            ("controller", Peek::True) => owner.controller = json.known_bool(peek)?,
            _ => json.known_skip(peek)?,
        }
        key = json.next_key()?.map(str::to_owned);
    }
    Ok(owner)
}
