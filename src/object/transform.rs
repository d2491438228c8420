//! What is cut from an object before it is stored. A cut is a byte range that the scanner found at its true depth, never
//! a text search: an annotation may well contain the text `"managedFields"`.
//!
//! As in client-go (row H15) the transform comes before the store: indexes and selectors see what the cache holds. Unlike
//! there it is applied exactly once to an object however it arrived (row R18), and it cannot lose one (row R19).

use std::{fmt, sync::Arc};

use super::{
    cut::{Cut, MAX_POINTERS},
    pointer::{Pointer, PointerError},
};

/// Which parts are cut: some (drop), or all but some (keep).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transform {
    keep: bool,
    /// Sorted, without those that another one includes.
    pointers: Arc<[Pointer]>,
}

/// A transform that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// More than [`MAX_POINTERS`].
    #[error("{0} pointers; at most {MAX_POINTERS} are allowed")]
    TooMany(usize),
    /// Not a pointer.
    #[error(transparent)]
    Pointer(#[from] PointerError),
    /// It would cut what identifies the object.
    #[error("{pointer:?} would cut {field}, by which the cache identifies objects")]
    Identity {
        /// The pointer as it was written.
        pointer: String,
        /// What it would cut.
        field: &'static str,
    },
}

/// Pointer of managedFields.
const MANAGED_FIELDS: &str = "/metadata/managedFields";
/// Pointer of the last-applied annotation.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
/// What identifies an object, and the state of it that the cache holds.
const IDENTITY: [&str; 6] = [
    "/kind",
    "/apiVersion",
    "/metadata/name",
    "/metadata/namespace",
    "/metadata/uid",
    "/metadata/resourceVersion",
];
/// What is kept beside that of a stored object, because references, selectors and owners are read from it.
const ROUTING: [&str; 5] = [
    "/metadata/generation",
    "/metadata/creationTimestamp",
    "/metadata/deletionTimestamp",
    "/metadata/labels",
    "/metadata/ownerReferences",
];

// === impl Transform ===

impl Transform {
    /// Nothing is cut.
    pub fn none() -> Self {
        Self::normalized(false, Vec::new())
    }

    /// Cuts what the pointers name.
    pub fn drop<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Result<Self, TransformError> {
        let pointers = parse(texts)?;
        for pointer in &pointers {
            if let Some(field) = constants(&IDENTITY).find(|field| pointer.includes(field)) {
                let field = IDENTITY.into_iter().find(|text| *text == field.as_str());
                return Err(TransformError::Identity {
                    pointer: pointer.as_str().to_owned(),
                    field: field.unwrap_or_default(),
                });
            }
        }
        Ok(Self::normalized(false, pointers))
    }

    /// Cuts everything but what the pointers name and what identifies and routes an object.
    pub fn keep<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Result<Self, TransformError> {
        Ok(Self::normalized(true, parse(texts)?))
    }

    fn normalized(keep: bool, mut pointers: Vec<Pointer>) -> Self {
        pointers.sort();
        pointers.dedup();
        let all = pointers.clone();
        pointers.retain(|p| !all.iter().any(|other| other != p && other.is_prefix_of(p)));
        Self {
            keep,
            pointers: pointers.into(),
        }
    }

    /// True if the pointers name what stays.
    pub fn is_keep(&self) -> bool {
        self.keep
    }

    /// True if objects are stored exactly as they come.
    pub fn is_none(&self) -> bool {
        !self.keep && self.pointers.is_empty()
    }

    /// True if at most the parts are cut that everybody expects to be: who asks for a resource without saying more gets no
    /// objects that somebody else has made smaller than that.
    pub fn is_customary(&self) -> bool {
        let usual = Self::default();
        !self.keep && self.pointers.iter().all(|p| usual.pointers.contains(p))
    }

    /// The pointers.
    pub fn pointers(&self) -> impl Iterator<Item = &str> {
        self.pointers.iter().map(Pointer::as_str)
    }

    /// Ready to be applied.
    pub(super) fn compile(&self) -> Cut {
        let pointers = self.pointers.iter().cloned();
        if self.keep {
            Cut::keep(pointers.chain(constants(&IDENTITY)).chain(constants(&ROUTING)))
        } else {
            Cut::drop(pointers)
        }
    }
}

/// Both parts are cut: together they are about half of a typical body and no controller reads them.
impl Default for Transform {
    fn default() -> Self {
        Self::normalized(false, constants(&[MANAGED_FIELDS, LAST_APPLIED]).collect())
    }
}

/// Short, and equal for equal transforms: part of what tells informers apart.
impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.keep { "keep" } else { "drop" })?;
        f.debug_list().entries(self.pointers()).finish()
    }
}

// === impl Cut ===

impl Cut {
    /// What a projection sends of an object: the pointers and what identifies it.
    pub fn projection<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Result<Self, TransformError> {
        Ok(Self::keep(parse(texts)?.into_iter().chain(constants(&IDENTITY))))
    }

    /// Cuts what differs between any two states of an object, whether or not they say different things.
    pub fn versions() -> Self {
        Self::drop(constants(&["/metadata/resourceVersion", MANAGED_FIELDS]))
    }
}

fn parse<'a>(texts: impl ExactSizeIterator<Item = &'a str>) -> Result<Vec<Pointer>, TransformError> {
    if texts.len() > MAX_POINTERS {
        return Err(TransformError::TooMany(texts.len()));
    }
    Ok(texts.map(Pointer::parse).collect::<Result<_, _>>()?)
}

fn constants(texts: &'static [&'static str]) -> impl Iterator<Item = Pointer> {
    texts.iter().filter_map(|text| Pointer::parse(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropping(texts: &[&str]) -> Result<Transform, TransformError> {
        Transform::drop(texts.iter().copied())
    }

    #[test]
    fn h15_what_identifies_an_object_cannot_be_dropped_even_by_a_wildcard() {
        for (bad, field) in [
            ("/kind", "/kind"),
            ("/metadata", "/metadata/name"),
            ("/metadata/uid", "/metadata/uid"),
            ("/*", "/kind"),
            ("/metadata/*", "/metadata/name"),
            ("/*/resourceVersion", "/metadata/resourceVersion"),
        ] {
            let want = TransformError::Identity {
                pointer: bad.into(),
                field,
            };
            assert_eq!(dropping(&[bad]), Err(want), "{bad}");
        }
        for good in ["/spec", "/metadata/labels", "/*/template", "/metadata/*/x", "/status/*"] {
            assert!(dropping(&[good]).is_ok(), "{good}");
        }
        let many: Vec<_> = (0..65).map(|i| format!("/p{i}")).collect();
        assert_eq!(
            Transform::drop(many.iter().map(String::as_str)),
            Err(TransformError::TooMany(65))
        );
        assert!(matches!(dropping(&["spec"]), Err(TransformError::Pointer(_))));
    }

    #[test]
    fn case_32_transforms_are_equal_if_they_cut_the_same_pointers() {
        assert_eq!(
            dropping(&["/b", "/a", "/a/x", "/a"]).unwrap(),
            dropping(&["/a", "/b"]).unwrap()
        );
        assert_eq!(dropping(&[LAST_APPLIED, MANAGED_FIELDS]).unwrap(), Transform::default());
        assert_eq!(dropping(&[]).unwrap(), Transform::none());
        let kept = Transform::keep(["/a"].into_iter()).unwrap();
        let texts = [
            Transform::none(),
            Transform::default(),
            kept.clone(),
            dropping(&["/a"]).unwrap(),
        ];
        let distinct: std::collections::BTreeSet<_> = texts.iter().map(|t| format!("{t:?}")).collect();
        assert_eq!(distinct.len(), 4);
        assert!(Transform::none().is_customary() && Transform::default().is_customary());
        assert!(!kept.is_customary() && !dropping(&["/a", MANAGED_FIELDS]).unwrap().is_customary());
    }
}
