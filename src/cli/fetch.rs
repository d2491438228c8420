//! Reads all pages of a list, each from the snapshot of the first one.

use serde_json::Value;
use tonic::{Code, Status, transport::Channel};

use crate::{
    cli::{
        error::{CliError, reason},
        query::cache,
    },
    proto::v1alpha1::{
        BatchGetObjectsRequest, CachedObject, GetObjectRequest, InformerSelector, ListObjectKeysRequest,
        ListObjectsRequest, ObjectKey, Omitted, Projection, ReadOptions,
    },
};

/// Most keys of one BatchGetObjects.
const BATCH: usize = 1000;

/// All objects that match, each turned by `map` at once, so that a table need not hold the bodies.
pub async fn objects<T>(
    channel: &Channel,
    request: ListObjectsRequest,
    mut map: impl FnMut(&CachedObject) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let mut client = cache(channel);
    let mut restarts = Restarts::default();
    'restart: loop {
        let mut request = request.clone();
        let mut all = Vec::new();
        loop {
            let page = match client.list_objects(request.clone()).await {
                Ok(page) => page.into_inner(),
                Err(status) => {
                    restarts.allow(status)?;
                    continue 'restart;
                }
            };
            for object in page.objects {
                let informer = request.informer.as_ref();
                let object = whole(channel, informer, request.projection.as_ref(), object).await?;
                if let Some(object) = object {
                    all.push(map(&object)?);
                }
            }
            if page.next_page_token.is_empty() {
                return Ok(all);
            }
            request.page_token = page.next_page_token;
        }
    }
}

/// All keys that match.
pub async fn keys(channel: &Channel, request: ListObjectKeysRequest) -> Result<Vec<ObjectKey>, CliError> {
    let mut client = cache(channel);
    let mut restarts = Restarts::default();
    'restart: loop {
        let mut request = request.clone();
        let mut all = Vec::new();
        loop {
            let page = match client.list_object_keys(request.clone()).await {
                Ok(page) => page.into_inner(),
                Err(status) => {
                    restarts.allow(status)?;
                    continue 'restart;
                }
            };
            all.extend(page.keys);
            if page.next_page_token.is_empty() {
                return Ok(all);
            }
            request.page_token = page.next_page_token;
        }
    }
}

/// The named objects, in the order of their names, and the names that the cache does not hold.
pub async fn named(
    channel: &Channel,
    informer: InformerSelector,
    keys: Vec<ObjectKey>,
    projection: Projection,
    read: ReadOptions,
) -> Result<(Vec<CachedObject>, Vec<String>), CliError> {
    let mut client = cache(channel);
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for chunk in keys.chunks(BATCH) {
        let request = BatchGetObjectsRequest {
            informer: Some(informer.clone()),
            keys: chunk.to_vec(),
            projection: Some(projection.clone()),
            read: Some(read.clone()),
        };
        let reply = client.batch_get_objects(request).await?.into_inner();
        missing.extend(reply.missing.into_iter().map(|key| key.name));
        for object in reply.objects {
            found.extend(whole(channel, Some(&informer), Some(&projection), object).await?);
        }
    }
    Ok((found, missing))
}

/// An object whose body did not fit beside others is read alone; by then it may be gone.
async fn whole(
    channel: &Channel,
    informer: Option<&InformerSelector>,
    projection: Option<&Projection>,
    object: CachedObject,
) -> Result<Option<CachedObject>, CliError> {
    let omitted = object
        .object
        .as_ref()
        .map_or(Omitted::Unspecified, |payload| payload.omitted());
    if omitted != Omitted::TooLarge {
        return Ok(Some(object));
    }
    let key = object.r#ref.map(|r| ObjectKey {
        namespace: r.namespace,
        name: r.name,
    });
    let request = GetObjectRequest {
        informer: informer.cloned(),
        key,
        projection: projection.cloned(),
        read: None,
    };
    match cache(channel).get_object(request).await {
        Ok(reply) => Ok(reply.into_inner().object),
        Err(status) if status.code() == Code::NotFound && reason(&status) == "OBJECT_NOT_FOUND" => Ok(None),
        Err(status) => Err(status.into()),
    }
}

/// An object's body as JSON.
pub fn body(object: &CachedObject) -> Result<Value, CliError> {
    let data = object
        .object
        .as_ref()
        .map(|payload| &payload.data[..])
        .unwrap_or_default();
    serde_json::from_slice(data).map_err(|error| {
        let name = object.r#ref.as_ref().map_or("", |r| r.name.as_str());
        CliError::Failed(format!("the server sent a body of `{name}` that is not JSON: {error}"))
    })
}

/// An expired snapshot means that the reader was slow once; twice, and it will not get better.
#[derive(Default)]
struct Restarts {
    used: bool,
}

// === impl Restarts ===

impl Restarts {
    fn allow(&mut self, status: Status) -> Result<(), CliError> {
        let expired = status.code() == Code::Aborted && reason(&status) == "PAGE_SNAPSHOT_EXPIRED";
        if expired && !std::mem::replace(&mut self.used, true) {
            Ok(())
        } else {
            Err(status.into())
        }
    }
}
