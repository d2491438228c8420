//! QueueSpec: defaults filled in, bounds applied, sources resolved. What comes out is encoded again, so that equal declarations
//! are equal bytes.

use std::time::{Duration, SystemTime};

use prost::Message as _;

use crate::{
    informer::SharedInformerFactory,
    object::Pointer,
    processor::EventKind,
    proto::v1alpha1::{self as pb, informer_selector::By, key_mapper, rate_limiter},
    queue::{Bucket, QueueConfig, RateLimiter},
    queues::{KeyNamespace, MapFrom, Mapper, Predicate, QueueSpec, SourceSpec},
    selector::{FieldSelector, LabelSelector},
    service::{
        access::{compile, informer_for},
        convert::{duration, duration_pb, unknown_enum},
        error::ApiError,
    },
};

const MAX_SOURCES: usize = 32;
const LEASE: (Duration, Duration, Duration) = (
    Duration::from_secs(30),
    Duration::from_secs(1),
    Duration::from_secs(3600),
);
const MAX_PER_WORKER: u32 = 10_000;
const GATE_CAP: (Duration, Duration) = (Duration::from_secs(70), Duration::from_secs(600));
const MAX_PARKED: (u32, u32) = (10_000, 1_000_000);
const SESSION_GRACE: Duration = Duration::from_secs(2);
/// Priority of what need not be looked at soon (row E6).
const LOW: i32 = -100;
const MAX_HOLD: Duration = Duration::from_secs(3600);

/// Reads a declaration.
pub(super) async fn spec(factory: &SharedInformerFactory, mut spec: pb::QueueSpec) -> Result<QueueSpec, ApiError> {
    if spec.sources.len() > MAX_SOURCES {
        return Err(invalid("spec.sources", format!("at most {MAX_SOURCES}")));
    }
    let lease = bounded("spec.lease_duration", spec.lease_duration, LEASE)?;
    let gate_cap = duration("spec.stale_gate_cap", spec.stale_gate_cap)?
        .unwrap_or(GATE_CAP.0)
        .min(GATE_CAP.1);
    let session_grace = duration("spec.session_grace", spec.session_grace)?
        .unwrap_or(SESSION_GRACE)
        .min(lease);
    let restart_hold = duration("spec.restart_hold", spec.restart_hold)?
        .unwrap_or(lease)
        .min(MAX_HOLD);
    let limiter = limiter(spec.rate_limiter.get_or_insert_default())?;
    let max_per_worker = or_default(spec.max_items_per_worker, MAX_PER_WORKER).min(MAX_PER_WORKER);
    let max_parked = or_default(spec.max_parked_items, MAX_PARKED.0).min(MAX_PARKED.1);
    let mut sources = Vec::new();
    for declared in &mut spec.sources {
        sources.push(source(factory, declared).await?);
    }
    spec.lease_duration = Some(duration_pb(lease));
    spec.stale_gate_cap = Some(duration_pb(gate_cap));
    spec.session_grace = Some(duration_pb(session_grace));
    spec.restart_hold = Some(duration_pb(restart_hold));
    spec.max_items_per_worker = max_per_worker;
    spec.max_parked_items = max_parked;
    Ok(QueueSpec {
        sources,
        config: QueueConfig {
            limiter,
            lease,
            max_per_worker: max_per_worker as usize,
            fair: !spec.plain_order,
            gate_cap,
            max_parked: max_parked as usize,
            // From the wall clock, so that tokens grow over restarts.
            first_token: SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(1, |d| d.as_micros() as u64),
        },
        restart_hold,
        session_grace,
        declaration: spec.encode_to_vec(),
    })
}

async fn source(factory: &SharedInformerFactory, source: &mut pb::QueueSource) -> Result<SourceSpec, ApiError> {
    let (informer, filter) = informer_for(factory, source.informer.clone(), source.filter.clone()).await?;
    let query = compile(&informer, &filter)?;
    let mut events = Vec::new();
    for event in &source.event_types {
        events.push(match pb::EventType::try_from(*event) {
            Ok(pb::EventType::Added) => EventKind::Added,
            Ok(pb::EventType::Updated) => EventKind::Updated,
            Ok(pb::EventType::Deleted) => EventKind::Deleted,
            Ok(pb::EventType::Resync) => EventKind::Resync,
            Ok(pb::EventType::Unspecified) | Err(_) => return Err(unknown_enum("sources.event_types", *event)),
        });
    }
    let mut predicates = Vec::new();
    for group in &source.predicates {
        if group.any_of.is_empty() {
            return Err(invalid("sources.predicates.any_of", "at least one predicate"));
        }
        let group: Result<Vec<_>, _> = group.any_of.iter().map(|p| predicate(*p)).collect();
        predicates.push(group?);
    }
    let declared = source.mapper.get_or_insert_default();
    let published = informer.processor().load();
    let mapper = mapper(declared, |name| published.snapshot.indexes().find(name))?;
    let resync = duration("sources.resync_period", source.resync_period)?
        .or(informer.spec().resync)
        .filter(|p| !p.is_zero())
        .map(|p| p.max(Duration::from_secs(1)));
    source.informer = Some(pb::InformerSelector {
        by: Some(By::Name(informer.name().to_owned())),
    });
    if let Some(filter) = &mut source.filter {
        normalize(filter);
    }
    source.event_types.sort_unstable();
    source.event_types.dedup();
    let initial_priority = *source.initial_priority.get_or_insert(LOW);
    let resync_priority = *source.resync_priority.get_or_insert(LOW);
    source.resync_period = resync.map(duration_pb);
    Ok(SourceSpec {
        informer,
        query,
        events,
        predicates,
        mapper,
        priority: source.priority,
        initial_priority,
        resync_priority,
        resync,
    })
}

/// The canonical form of a filter that compiled.
fn normalize(filter: &mut pb::Filter) {
    filter.namespaces.sort();
    filter.namespaces.dedup();
    filter.names.sort();
    filter.names.dedup();
    if let Ok(labels) = LabelSelector::parse(&filter.label_selector) {
        filter.label_selector = labels.normalized();
    }
    if let Ok(fields) = FieldSelector::parse(&filter.field_selector) {
        filter.field_selector = fields.normalized();
    }
}

fn predicate(value: i32) -> Result<Predicate, ApiError> {
    match pb::Predicate::try_from(value) {
        Ok(pb::Predicate::GenerationChanged) => Ok(Predicate::GenerationChanged),
        Ok(pb::Predicate::LabelsChanged) => Ok(Predicate::LabelsChanged),
        Ok(pb::Predicate::AnnotationsChanged) => Ok(Predicate::AnnotationsChanged),
        Ok(pb::Predicate::ResourceVersionChanged) => Ok(Predicate::ResourceVersionChanged),
        Ok(pb::Predicate::Unspecified) | Err(_) => Err(unknown_enum("sources.predicates", value)),
    }
}

fn mapper(
    declared: &mut pb::KeyMapper,
    index: impl FnOnce(&str) -> Result<crate::store::IndexKey, crate::store::IndexError>,
) -> Result<Mapper, ApiError> {
    use key_mapper::By as M;
    let by = declared.by.get_or_insert(M::Identity(pb::MapIdentity {}));
    let from = match by {
        M::Identity(_) => MapFrom::Identity,
        M::Owner(owner) if owner.kind.is_empty() => {
            return Err(invalid(
                "sources.mapper.owner.kind",
                "required, for example \"Deployment\"",
            ));
        }
        M::Owner(owner) => MapFrom::Owner {
            group: owner.group.clone(),
            kind: owner.kind.clone(),
            controller_only: owner.controller_only,
        },
        M::Label(key) => MapFrom::Label(key.clone()),
        M::Annotation(key) => {
            let escaped = key.replace('~', "~0").replace('/', "~1");
            MapFrom::Pointer(pointer(
                "sources.mapper.annotation",
                &format!("/metadata/annotations/{escaped}"),
            )?)
        }
        M::Index(name) => MapFrom::Index(index(name).map_err(|e| ApiError::from(e).field("sources.mapper.index"))?),
        M::JsonPointer(text) => MapFrom::Pointer(pointer("sources.mapper.json_pointer", text)?),
    };
    let rule = match pb::KeyNamespace::try_from(declared.namespace_rule) {
        Ok(pb::KeyNamespace::Unspecified) => pb::KeyNamespace::Object,
        Ok(rule) => rule,
        Err(_) => return Err(unknown_enum("sources.mapper.namespace_rule", declared.namespace_rule)),
    };
    let namespace = match rule {
        pb::KeyNamespace::Unspecified | pb::KeyNamespace::Object => KeyNamespace::Object,
        pb::KeyNamespace::None => KeyNamespace::None,
        pb::KeyNamespace::Value => KeyNamespace::Value,
        pb::KeyNamespace::Fixed if declared.namespace.is_empty() => {
            return Err(invalid("sources.mapper.namespace", "required with KEY_NAMESPACE_FIXED"));
        }
        pb::KeyNamespace::Fixed => KeyNamespace::Fixed(declared.namespace.as_str().into()),
    };
    let senseless = match from {
        MapFrom::Identity => namespace != KeyNamespace::Object,
        MapFrom::Owner { .. } => namespace == KeyNamespace::Value,
        _ => false,
    };
    if senseless {
        return Err(invalid(
            "sources.mapper.namespace_rule",
            "not for this mapper: identity keeps the object's namespace, and owners have no namespace of their own",
        ));
    }
    declared.namespace_rule = rule.into();
    Ok(Mapper { from, namespace })
}

fn pointer(field: &str, text: &str) -> Result<Pointer, ApiError> {
    Pointer::parse(text).map_err(|e| ApiError::invalid(field, "INVALID_POINTER", e.to_string()))
}

/// client-go's default: the longer of the key's exponential delay and the bucket (row Q8).
fn limiter(declared: &mut pb::RateLimiter) -> Result<RateLimiter, ApiError> {
    use rate_limiter::Item;
    let item = declared
        .item
        .get_or_insert_with(|| Item::Exponential(pb::ExponentialDelay::default()));
    let item = match item {
        Item::Exponential(delay) => {
            let base = filled(
                "rate_limiter.exponential.base",
                &mut delay.base,
                Duration::from_millis(5),
            )?;
            let max = filled(
                "rate_limiter.exponential.max",
                &mut delay.max,
                Duration::from_secs(1000),
            )?;
            RateLimiter::Exponential { base, max }
        }
        Item::FastSlow(delay) => RateLimiter::FastSlow {
            fast: filled("rate_limiter.fast_slow.fast", &mut delay.fast, Duration::from_millis(5))?,
            slow: filled("rate_limiter.fast_slow.slow", &mut delay.slow, Duration::from_secs(10))?,
            max_fast: delay.max_fast_attempts,
        },
    };
    let bucket = declared.bucket.get_or_insert_default();
    let mut limiter = item;
    if !bucket.disabled {
        if !bucket.qps.is_finite() || bucket.qps < 0.0 {
            return Err(invalid("rate_limiter.bucket.qps", "a number above 0"));
        }
        if bucket.qps == 0.0 {
            bucket.qps = 10.0;
        }
        bucket.burst = or_default(bucket.burst, 100);
        let bucket = RateLimiter::Bucket(Bucket::new(bucket.qps, bucket.burst));
        limiter = RateLimiter::MaxOf(vec![limiter, bucket]);
    }
    if let Some(max) = duration("rate_limiter.max_delay", declared.max_delay)?.filter(|d| !d.is_zero()) {
        limiter = RateLimiter::MaxWait(Box::new(limiter), max);
    }
    Ok(limiter)
}

/// A duration with its default, written back.
fn filled(field: &str, value: &mut Option<prost_types::Duration>, default: Duration) -> Result<Duration, ApiError> {
    let duration = duration(field, *value)?.unwrap_or(default);
    *value = Some(duration_pb(duration));
    Ok(duration)
}

/// A duration with default, least and most.
fn bounded(
    field: &str,
    value: Option<prost_types::Duration>,
    (default, least, most): (Duration, Duration, Duration),
) -> Result<Duration, ApiError> {
    let value = duration(field, value)?.unwrap_or(default);
    if value < least || value > most {
        return Err(invalid(field, format!("{} s to {} s", least.as_secs(), most.as_secs())));
    }
    Ok(value)
}

fn or_default(value: u32, default: u32) -> u32 {
    if value == 0 { default } else { value }
}

fn invalid(field: &str, rule: impl std::fmt::Display) -> ApiError {
    ApiError::invalid(field, "INVALID_FIELD", format!("{field}: {rule}"))
}
