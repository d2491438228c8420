//! Tokens: where the next page starts, and which snapshot is pinned. Opaque to clients.
//!
//! ```text
//!   base64url( kind | FNV-1a 64 over kind and message | prost message )
//! ```
//!
//! The sum tells a token that was cut or altered from one of this server; it is no secret. What protects other clients'
//! snapshots is the random id of the pin.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use prost::Message;
use tonic::Code;

use super::error::ApiError;
use crate::hash::Fnv64;

/// Where the next page of a call starts.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PageToken {
    /// "informers/{id}".
    #[prost(string, tag = "1")]
    pub(crate) informer: String,
    /// Incarnation of the informer.
    #[prost(string, tag = "2")]
    pub(crate) epoch: String,
    /// Revision of the snapshot.
    #[prost(uint64, tag = "3")]
    pub(crate) revision: u64,
    /// Id of the pinned snapshot.
    #[prost(string, tag = "4")]
    pub(crate) pin: String,
    /// See [`fingerprint`].
    #[prost(fixed64, tag = "5")]
    pub(crate) fingerprint: u64,
    /// Namespace of the last key sent.
    #[prost(string, tag = "6")]
    pub(crate) namespace: String,
    /// Name of the last key sent, or the last value.
    #[prost(string, tag = "7")]
    pub(crate) last: String,
}

/// Names a pinned snapshot.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SnapshotToken {
    /// "informers/{id}".
    #[prost(string, tag = "1")]
    pub(crate) informer: String,
    /// Incarnation of the informer.
    #[prost(string, tag = "2")]
    pub(crate) epoch: String,
    /// Id of the pinned snapshot.
    #[prost(string, tag = "3")]
    pub(crate) pin: String,
}

const PAGE: u8 = 1;
const SNAPSHOT: u8 = 2;
const SUM_LEN: usize = size_of::<u64>();

// === impl PageToken ===

impl PageToken {
    /// As a client gets it.
    pub(crate) fn seal(&self) -> String {
        seal(PAGE, self)
    }

    /// As a client sent it in `field`.
    pub(crate) fn open(field: &str, token: &str) -> Result<Self, ApiError> {
        open(PAGE, token).ok_or_else(|| invalid_token(field, "it is not a page token of this server"))
    }
}

// === impl SnapshotToken ===

impl SnapshotToken {
    /// As a client gets it.
    pub(crate) fn seal(&self) -> String {
        seal(SNAPSHOT, self)
    }

    /// As a client sent it in `field`.
    pub(crate) fn open(field: &str, token: &str) -> Result<Self, ApiError> {
        open(SNAPSHOT, token).ok_or_else(|| invalid_token(field, "it is not a snapshot token of this server"))
    }
}

/// One number for all that must not change between the pages of a call.
pub(crate) fn fingerprint(parts: &[&str]) -> u64 {
    let mut hash = Fnv64::default();
    for part in parts {
        hash.update(part.as_bytes());
        // 0xff is in no UTF-8 text: parts cannot run into each other.
        hash.update(&[0xff]);
    }
    hash.finish()
}

/// A page's size as asked for; 0 means the default, more than the maximum means the maximum.
pub(crate) fn page_size(asked: i32, default: usize, max: usize) -> Result<usize, ApiError> {
    match usize::try_from(asked) {
        Ok(0) => Ok(default),
        Ok(size) => Ok(size.min(max)),
        Err(_) => Err(ApiError::invalid(
            "page_size",
            "INVALID_FIELD",
            format!("page_size: {asked} is negative; leave it 0 for {default}, at most {max}"),
        )),
    }
}

/// INVALID_TOKEN for a field.
pub(crate) fn invalid_token(field: &str, problem: &str) -> ApiError {
    ApiError::invalid(field, "INVALID_TOKEN", format!("{field}: {problem}")).remedy(format!(
        "send a token as it came, with the request that it came for, or leave {field} empty"
    ))
}

/// A token whose snapshot is gone.
pub(crate) fn expired(field: &str, remedy: &str) -> ApiError {
    ApiError::new(
        Code::Aborted,
        "PAGE_SNAPSHOT_EXPIRED",
        format!("{field}: its snapshot has expired (60 s after the last use, sooner if many are pinned, and with the informer); {remedy}"),
    )
    .field(field)
    .remedy(remedy)
}

fn seal(kind: u8, message: &impl Message) -> String {
    let body = message.encode_to_vec();
    let mut token = Vec::with_capacity(1 + SUM_LEN + body.len());
    token.push(kind);
    token.extend_from_slice(&sum(kind, &body).to_be_bytes());
    token.extend_from_slice(&body);
    URL_SAFE_NO_PAD.encode(token)
}

fn open<T: Message + Default>(kind: u8, token: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (found, rest) = bytes.split_first()?;
    let (claimed, body) = rest.split_first_chunk::<SUM_LEN>()?;
    (*found == kind && sum(kind, body).to_be_bytes() == *claimed)
        .then(|| T::decode(body).ok())
        .flatten()
}

fn sum(kind: u8, body: &[u8]) -> u64 {
    let mut hash = Fnv64::default();
    hash.update(&[kind]);
    hash.update(body);
    hash.finish()
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> PageToken {
        PageToken {
            informer: "informers/pods".into(),
            epoch: "e-0".into(),
            revision: 7,
            pin: "id".into(),
            fingerprint: 42,
            namespace: "ns".into(),
            last: "näme".into(),
        }
    }

    #[test]
    fn a_token_comes_back_as_it_went() {
        assert_eq!(PageToken::open("f", &token().seal()).unwrap(), token());
    }

    #[test]
    fn no_altered_or_cut_token_is_taken() {
        let sealed = token().seal();
        for at in 0..sealed.len() {
            assert!(PageToken::open("f", &sealed[..at]).is_err(), "cut at {at}");
            let mut altered = sealed.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert!(PageToken::open("f", &altered).is_err(), "altered at {at}");
        }
        let snapshot = SnapshotToken::default().seal();
        assert!(PageToken::open("f", &snapshot).is_err(), "another kind of token");
    }

    #[test]
    fn fingerprints_differ_where_parts_do() {
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        assert_eq!(fingerprint(&["a", ""]), fingerprint(&["a", ""]));
    }

    #[test]
    fn page_sizes_are_bounded() {
        let sizes = [0, 1, 10, 11].map(|n| page_size(n, 5, 10).unwrap());
        assert_eq!(sizes, [5, 1, 10, 10]);
        assert!(page_size(-1, 5, 10).is_err());
    }
}
