//! What indexes tell: their values, and counts (row S4).

use std::collections::{BTreeMap, BTreeSet};

use prost::Message as _;

use super::{
    CacheApi, LIMITS,
    read::{Opened, PageRequest},
    walk::Walk,
};
use crate::{
    proto::v1alpha1 as pb,
    service::{error::ApiError, page::page_size},
    store::IndexKey,
};

/// Default size of a page.
const VALUES: usize = 1000;
const MAX_GROUPS: usize = 10_000;

/// Values up to a number and a size; the first always fits.
struct Bounded {
    values: Vec<pb::IndexValue>,
    room: usize,
    bytes: usize,
}

// === impl CacheApi ===

impl CacheApi {
    pub(super) async fn index_values(
        &self,
        request: pb::ListIndexValuesRequest,
    ) -> Result<pb::ListIndexValuesResponse, ApiError> {
        let size = page_size(request.page_size, VALUES, LIMITS.page_size)?;
        if request.index.is_empty() {
            return Err(ApiError::invalid("index", "INVALID_FIELD", "index is required"));
        }
        let page = self
            .open_page(PageRequest {
                call: ["ListIndexValues".into(), request.index.clone()],
                informer: request.informer,
                filter: None,
                read: request.read,
                token: request.page_token,
                allow_unpinned: None,
            })
            .await?;
        let opened = &page.opened;
        let index = opened.index("index", &request.index)?;
        let after = page.from.as_ref().map(|t| t.last.as_str());
        let mut values = Bounded::new(size);
        let complete = opened
            .snapshot
            .indexes()
            .values(&index, after)
            .all(|(value, slots)| values.push(value, slots.len()));
        let next_page_token = match values.values.last() {
            Some(last) if !complete => self.next_token(&page, "", &last.value),
            _ => String::new(),
        };
        Ok(pb::ListIndexValuesResponse {
            values: values.values,
            next_page_token,
            status: Some(opened.status()),
        })
    }

    pub(super) async fn count(&self, request: pb::CountObjectsRequest) -> Result<pb::CountObjectsResponse, ApiError> {
        let opened = self.open(request.informer, request.filter, request.read).await?;
        let mut groups = Bounded::new(MAX_GROUPS);
        let (object_count, complete) = if request.group_by_index.is_empty() {
            (opened.count().await, true)
        } else {
            let index = opened.index("group_by_index", &request.group_by_index)?;
            opened.count_groups(&index, &mut groups).await
        };
        Ok(pb::CountObjectsResponse {
            object_count,
            groups: groups.values,
            status: Some(opened.status()),
            groups_truncated: !complete,
        })
    }
}

// === impl Opened ===

impl Opened {
    fn index(&self, field: &str, name: &str) -> Result<IndexKey, ApiError> {
        let found = self.snapshot.indexes().find(name);
        found.map_err(|e| ApiError::from(e).field(field))
    }

    async fn count(&self) -> u64 {
        if self.query.is_everything() {
            return self.snapshot.len() as u64;
        }
        let (mut total, mut found) = (0, Walk::new(&self.snapshot, &self.query, None));
        while found.next().await.is_some() {
            total += 1;
        }
        total
    }

    /// The objects that match, and whether all their values found room.
    async fn count_groups(&self, index: &IndexKey, groups: &mut Bounded) -> (u64, bool) {
        if self.query.is_everything() {
            // The index itself knows, without a look at any object.
            let mut values = self.snapshot.indexes().values(index, None);
            let complete = values.all(|(value, slots)| groups.push(value, slots.len()));
            return (self.snapshot.len() as u64, complete);
        }
        let (mut total, mut counts) = (0, BTreeMap::<String, u64>::new());
        let mut found = Walk::new(&self.snapshot, &self.query, None);
        while let Some(object) = found.next().await {
            total += 1;
            // A value that an object holds twice counts once.
            for value in index.values(object).into_iter().collect::<BTreeSet<_>>() {
                match counts.get_mut(value.as_ref()) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(value.into_owned(), 1)),
                }
            }
        }
        let complete = counts.iter().all(|(value, count)| groups.push(value, *count));
        (total, complete)
    }
}

// === impl Bounded ===

impl Bounded {
    fn new(room: usize) -> Self {
        Self {
            values: Vec::new(),
            room,
            bytes: 0,
        }
    }

    /// False, and not taken, if there is no room.
    fn push(&mut self, value: &str, object_count: u64) -> bool {
        let value = pb::IndexValue {
            value: value.to_owned(),
            object_count,
        };
        let bytes = self.bytes + value.encoded_len();
        if self.values.len() == self.room || (bytes > LIMITS.page_bytes && !self.values.is_empty()) {
            return false;
        }
        self.bytes = bytes;
        self.values.push(value);
        true
    }
}
