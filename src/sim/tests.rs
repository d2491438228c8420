//! The simulated cluster seen through HTTP, as a client sees it.

mod discovery;
mod faults;
mod lists;
mod story;
mod watches;
mod writes;

use bytes::BytesMut;
use http::Request;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::*;

/// A client that knows no Kubernetes: paths in, JSON out.
struct Http {
    client: kube::Client,
}

/// An open watch.
struct Lines {
    body: kube::client::Body,
    buffer: BytesMut,
}

impl Http {
    fn new(sim: &Sim) -> Self {
        let mut config = kube::Config::new(sim.url().parse().unwrap());
        // What the server says is what is tested, not what the client makes of it.
        config.default_retry = false;
        Self {
            client: kube::Client::try_from(config).unwrap(),
        }
    }

    async fn send(&self, request: Request<Vec<u8>>) -> (http::response::Parts, kube::client::Body) {
        self.client
            .send(request.map(kube::client::Body::from))
            .await
            .unwrap()
            .into_parts()
    }

    async fn text(&self, path: &str) -> String {
        let (head, body) = self.send(Request::get(path).body(Vec::new()).unwrap()).await;
        assert!(head.status.is_success(), "{path}: {}", head.status);
        String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap()
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        self.call("GET", path, Value::Null, "application/json").await
    }

    async fn call(&self, method: &str, path: &str, body: Value, content_type: &str) -> (u16, Value) {
        let bytes = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", content_type);
        let (head, body) = self.send(request.body(bytes).unwrap()).await;
        let bytes = body.collect().await.unwrap().to_bytes();
        // Paths that nobody serves are answered in plain text.
        let text = || Value::String(String::from_utf8_lossy(&bytes).into_owned());
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        (head.status.as_u16(), body)
    }

    async fn watch(&self, path: &str) -> Lines {
        let (head, body) = self.send(Request::get(path).body(Vec::new()).unwrap()).await;
        assert!(head.status.is_success(), "{path}: {}", head.status);
        Lines {
            body,
            buffer: BytesMut::new(),
        }
    }
}

impl Lines {
    /// The next line; nothing at the end, an error if the connection was lost.
    async fn line(&mut self) -> Option<Result<String, String>> {
        loop {
            if let Some(end) = self.buffer.iter().position(|b| *b == b'\n') {
                let line = self.buffer.split_to(end + 1);
                return Some(Ok(String::from_utf8(line[..end].to_vec()).unwrap()));
            }
            match self.body.frame().await? {
                Ok(frame) => self.buffer.extend_from_slice(frame.data_ref().unwrap()),
                Err(e) => return Some(Err(format!("{e:?}"))),
            }
        }
    }

    async fn value(&mut self) -> Value {
        serde_json::from_str(&self.line().await.unwrap().unwrap()).unwrap()
    }

    /// `ADDED name`, and the like.
    async fn event(&mut self) -> String {
        let event = self.value().await;
        let name = event["object"]["metadata"]["name"].as_str().unwrap_or("-");
        format!("{} {name}", event["type"].as_str().unwrap())
    }

    async fn events<const N: usize>(&mut self) -> [String; N] {
        let mut events = [const { String::new() }; N];
        for event in &mut events {
            *event = self.event().await;
        }
        events
    }
}

async fn start() -> (Sim, Http) {
    let sim = Sim::builder().start().await.unwrap();
    let http = Http::new(&sim);
    (sim, http)
}

fn pod(namespace: &str, name: &str, app: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": app}},
        "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]},
    })
}

const WIDGETS: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd], categories: [all]}
  versions:
  - {name: v1beta1, served: true, storage: false}
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    selectableFields: [{jsonPath: .spec.color}]
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w1, namespace: default}
spec: {color: red}
"#;

fn names(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|item| match item["metadata"]["namespace"].as_str() {
            Some(namespace) => {
                format!("{namespace}/{}", item["metadata"]["name"].as_str().unwrap())
            }
            None => item["metadata"]["name"].as_str().unwrap().to_owned(),
        })
        .collect()
}
