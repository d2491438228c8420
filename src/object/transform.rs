//! What is cut from an object before it is stored. A cut is a byte range that the scanner found at its true depth, never
//! a text search: an annotation may well contain the text `"managedFields"`.

/// Which parts are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transform {
    /// Cut metadata.managedFields.
    pub managed_fields: bool,
    /// Cut the annotation kubectl.kubernetes.io/last-applied-configuration.
    pub last_applied: bool,
}

/// Pointer of managedFields.
pub(crate) const MANAGED_FIELDS: &str = "/metadata/managedFields";
/// Pointer of the last-applied annotation.
pub(crate) const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
/// Key of the last-applied annotation.
pub(crate) const LAST_APPLIED_KEY: &str = "kubectl.kubernetes.io/last-applied-configuration";

// === impl Transform ===

impl Transform {
    /// Nothing is cut.
    pub const NONE: Self = Self {
        managed_fields: false,
        last_applied: false,
    };

    /// Reads drop pointers; `Err` names the first that is not supported.
    pub fn from_pointers<'a>(pointers: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut this = Self::NONE;
        for pointer in pointers {
            match pointer {
                MANAGED_FIELDS => this.managed_fields = true,
                LAST_APPLIED => this.last_applied = true,
                other => return Err(other.to_owned()),
            }
        }
        Ok(this)
    }

    /// The drop pointers.
    pub fn pointers(self) -> Vec<&'static str> {
        let mut pointers = Vec::new();
        if self.managed_fields {
            pointers.push(MANAGED_FIELDS);
        }
        if self.last_applied {
            pointers.push(LAST_APPLIED);
        }
        pointers
    }
}

/// Both parts are cut: together they are about half of a typical body and no controller reads them.
impl Default for Transform {
    fn default() -> Self {
        Self {
            managed_fields: true,
            last_applied: true,
        }
    }
}
