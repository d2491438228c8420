//! The few calls to etcd that faults need, over its JSON gateway.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use crate::wait::DEADLINE;

/// The current revision, which is what Kubernetes shows as resource version.
pub(crate) fn revision(address: SocketAddr) -> i64 {
    let reply = post(address, "/v3/kv/range", &json!({"key": "AA==", "keys_only": true}));
    reply["header"]["revision"]
        .as_str()
        .and_then(|revision| revision.parse().ok())
        .unwrap_or_else(|| panic!("no revision in etcd's reply: {reply}"))
}

/// Forgets everything older than the current revision and returns that revision.
pub(crate) fn compact(address: SocketAddr) -> i64 {
    let revision = revision(address);
    let request = json!({"revision": revision.to_string(), "physical": true});
    let reply = post(address, "/v3/kv/compaction", &request);
    assert!(reply["header"].is_object(), "etcd did not compact: {reply}");
    revision
}

/// One HTTP/1.1 request on a connection of its own; the reply is a single JSON object.
fn post(address: SocketAddr, path: &str, body: &Value) -> Value {
    let body = body.to_string();
    let exchange = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(DEADLINE))?;
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nHost: etcd\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
    };
    let reply = exchange().unwrap_or_else(|error| panic!("etcd at {address}{path}: {error}"));
    let json = reply.split_once("\r\n\r\n").map_or("", |(_, json)| json);
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in etcd's reply {reply:?}"))
}
