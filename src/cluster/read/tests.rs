use std::sync::{Arc, Mutex};

use http::{Request, Response, header};
use http_body_util::Full;
use kube::client::Body;

use super::*;
use crate::upstream::Resource;

/// A client whose every request is noted and has this answer.
fn answering(code: u16, retry_after: Option<&str>, body: &str) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (noted, body, retry_after) = (asked.clone(), body.to_owned(), retry_after.map(str::to_owned));
    let service = tower::service_fn(move |request: Request<Body>| {
        let accept = request.headers()[header::ACCEPT].to_str().unwrap();
        let metadata = if accept.contains("PartialObjectMetadata") {
            " metadata"
        } else {
            ""
        };
        noted.lock().unwrap().push(format!("{}{metadata}", request.uri()));
        let mut answer = Response::builder().status(code);
        if let Some(seconds) = &retry_after {
            answer = answer.header(header::RETRY_AFTER, seconds);
        }
        let answer = answer.body(Full::new(Bytes::from(body.clone()))).unwrap();
        async move { Ok::<_, std::io::Error>(answer) }
    });
    (Client::new(service, "default"), asked)
}

fn read(group: &str, namespace: &str) -> LiveRead {
    LiveRead {
        resource: Resource {
            group: group.into(),
            version: "v1".into(),
            plural: "things".into(),
            kind: "Thing".into(),
            namespaced: true,
        },
        namespace: Some(namespace).filter(|ns| !ns.is_empty()).map(Into::into),
        label_selector: String::new(),
        field_selector: String::new(),
        metadata_only: false,
    }
}

#[tokio::test]
async fn q3_an_object_is_got_by_its_path_and_escaped() {
    let (client, asked) = answering(200, None, r#"{"kind":"Thing"}"#);
    let body = object(&client, &read("", "a"), "system:x y").await.unwrap().unwrap();
    assert_eq!(&body[..], br#"{"kind":"Thing"}"#);
    let metadata = LiveRead {
        metadata_only: true,
        ..read("g.io", "")
    };
    object(&client, &metadata, "x").await.unwrap();
    assert_eq!(
        *asked.lock().unwrap(),
        [
            "/api/v1/namespaces/a/things/system%3Ax%20y",
            "/apis/g.io/v1/things/x metadata"
        ]
    );
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_is_never_asked_for() {
    let (client, asked) = answering(200, None, "{}");
    for name in ["", ".", "..", "../secrets/x", "a%2Fb"] {
        assert_eq!(object(&client, &read("", "a"), name).await, Ok(None), "{name:?}");
        assert_eq!(object(&client, &read("", ".."), "x").await, Ok(None));
    }
    assert!(asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn q3_the_api_server_itself_evaluates_the_informers_selectors() {
    let list = r#"{"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"x"}}]}"#;
    let (client, asked) = answering(200, None, list);
    let selecting = LiveRead {
        label_selector: "app in (a,b)".into(),
        field_selector: "spec.nodeName=n".into(),
        ..read("", "a")
    };
    let body = object(&client, &selecting, "x,y").await.unwrap().unwrap();
    assert_eq!(&body[..], br#"{"metadata":{"name":"x"}}"#);
    assert_eq!(
        *asked.lock().unwrap(),
        [
            "/api/v1/namespaces/a/things?fieldSelector=metadata.name%3Dx%5C%2Cy%2Cspec.nodeName%3Dn\
             &labelSelector=app+in+%28a%2Cb%29"
        ]
    );
    for empty in [r#"{"metadata":{},"items":[]}"#, r#"{"metadata":{},"items":null}"#] {
        let (client, _) = answering(200, None, empty);
        assert_eq!(object(&client, &selecting, "x").await, Ok(None));
    }
}

#[tokio::test]
async fn q3_the_newest_version_is_that_of_a_list_of_one_without_a_version() {
    let (client, asked) = answering(
        200,
        None,
        r#"{"metadata":{"resourceVersion":"4711"},"items":[{"x":1}]}"#,
    );
    let selecting = LiveRead {
        label_selector: "a=b".into(),
        ..read("", "a")
    };
    assert_eq!(version(&client, &selecting).await.unwrap().to_string(), "4711");
    assert_eq!(*asked.lock().unwrap(), ["/api/v1/namespaces/a/things?limit=1 metadata"]);
}

#[tokio::test]
async fn q10_what_the_api_server_says_is_told_as_it_is() {
    let (client, _) = answering(404, None, r#"{"code":404,"reason":"NotFound"}"#);
    assert_eq!(object(&client, &read("", "a"), "x").await, Ok(None));
    // No such resource is another matter than no such object.
    let error = version(&client, &read("", "a")).await.unwrap_err();
    assert_eq!((error.error.http_status, &*error.error.reason), (404, "NotFound"));
    let (client, asked) = answering(429, Some("7"), r#"{"code":429,"reason":"TooManyRequests"}"#);
    let error = object(&client, &read("", "a"), "x").await.unwrap_err();
    assert_eq!(
        (error.error.http_status, error.retry_after),
        (429, Some(Duration::from_secs(7)))
    );
    assert_eq!(
        asked.lock().unwrap().len(),
        1,
        "it is not asked again behind the caller's back"
    );
    for nonsense in ["", "[]", "{}", r#"{"metadata":{"resourceVersion":""}}"#] {
        let (client, _) = answering(200, None, nonsense);
        let error = version(&client, &read("", "a")).await.unwrap_err();
        assert_eq!(error.error.reason, "MalformedAnswer", "{nonsense:?}");
    }
}
