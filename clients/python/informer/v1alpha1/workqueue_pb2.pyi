import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from informer.v1alpha1 import subscription_pb2 as _subscription_pb2
from informer.v1alpha1 import types_pb2 as _types_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Predicate(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PREDICATE_UNSPECIFIED: _ClassVar[Predicate]
    PREDICATE_GENERATION_CHANGED: _ClassVar[Predicate]
    PREDICATE_LABELS_CHANGED: _ClassVar[Predicate]
    PREDICATE_ANNOTATIONS_CHANGED: _ClassVar[Predicate]
    PREDICATE_RESOURCE_VERSION_CHANGED: _ClassVar[Predicate]

class KeyNamespace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KEY_NAMESPACE_UNSPECIFIED: _ClassVar[KeyNamespace]
    KEY_NAMESPACE_OBJECT: _ClassVar[KeyNamespace]
    KEY_NAMESPACE_NONE: _ClassVar[KeyNamespace]
    KEY_NAMESPACE_VALUE: _ClassVar[KeyNamespace]
    KEY_NAMESPACE_FIXED: _ClassVar[KeyNamespace]

class QueueState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEUE_STATE_UNSPECIFIED: _ClassVar[QueueState]
    QUEUE_STATE_ACTIVE: _ClassVar[QueueState]
    QUEUE_STATE_HOLDING: _ClassVar[QueueState]
    QUEUE_STATE_DRAINING: _ClassVar[QueueState]
    QUEUE_STATE_DRAINED: _ClassVar[QueueState]

class DrainMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAIN_MODE_UNSPECIFIED: _ClassVar[DrainMode]
    DRAIN_MODE_FINISH: _ClassVar[DrainMode]
    DRAIN_MODE_STOP: _ClassVar[DrainMode]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_SUCCESS: _ClassVar[Outcome]
    OUTCOME_RETRY: _ClassVar[Outcome]
    OUTCOME_REQUEUE_AFTER: _ClassVar[Outcome]
    OUTCOME_RELEASE: _ClassVar[Outcome]
    OUTCOME_TERMINAL: _ClassVar[Outcome]

class FailureReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAILURE_REASON_UNSPECIFIED: _ClassVar[FailureReason]
    FAILURE_REASON_RETRY: _ClassVar[FailureReason]
    FAILURE_REASON_LEASE_EXPIRED: _ClassVar[FailureReason]
    FAILURE_REASON_WORKER_LOST: _ClassVar[FailureReason]
    FAILURE_REASON_TERMINAL: _ClassVar[FailureReason]

class SessionEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SESSION_END_REASON_UNSPECIFIED: _ClassVar[SessionEndReason]
    SESSION_END_REASON_SHUTDOWN: _ClassVar[SessionEndReason]
    SESSION_END_REASON_QUEUE_DELETED: _ClassVar[SessionEndReason]
    SESSION_END_REASON_REPLACED: _ClassVar[SessionEndReason]

class ItemState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ITEM_STATE_UNSPECIFIED: _ClassVar[ItemState]
    ITEM_STATE_READY: _ClassVar[ItemState]
    ITEM_STATE_DELAYED: _ClassVar[ItemState]
    ITEM_STATE_LEASED: _ClassVar[ItemState]
    ITEM_STATE_GATED: _ClassVar[ItemState]
    ITEM_STATE_PARKED: _ClassVar[ItemState]
    ITEM_STATE_STALE: _ClassVar[ItemState]
PREDICATE_UNSPECIFIED: Predicate
PREDICATE_GENERATION_CHANGED: Predicate
PREDICATE_LABELS_CHANGED: Predicate
PREDICATE_ANNOTATIONS_CHANGED: Predicate
PREDICATE_RESOURCE_VERSION_CHANGED: Predicate
KEY_NAMESPACE_UNSPECIFIED: KeyNamespace
KEY_NAMESPACE_OBJECT: KeyNamespace
KEY_NAMESPACE_NONE: KeyNamespace
KEY_NAMESPACE_VALUE: KeyNamespace
KEY_NAMESPACE_FIXED: KeyNamespace
QUEUE_STATE_UNSPECIFIED: QueueState
QUEUE_STATE_ACTIVE: QueueState
QUEUE_STATE_HOLDING: QueueState
QUEUE_STATE_DRAINING: QueueState
QUEUE_STATE_DRAINED: QueueState
DRAIN_MODE_UNSPECIFIED: DrainMode
DRAIN_MODE_FINISH: DrainMode
DRAIN_MODE_STOP: DrainMode
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_SUCCESS: Outcome
OUTCOME_RETRY: Outcome
OUTCOME_REQUEUE_AFTER: Outcome
OUTCOME_RELEASE: Outcome
OUTCOME_TERMINAL: Outcome
FAILURE_REASON_UNSPECIFIED: FailureReason
FAILURE_REASON_RETRY: FailureReason
FAILURE_REASON_LEASE_EXPIRED: FailureReason
FAILURE_REASON_WORKER_LOST: FailureReason
FAILURE_REASON_TERMINAL: FailureReason
SESSION_END_REASON_UNSPECIFIED: SessionEndReason
SESSION_END_REASON_SHUTDOWN: SessionEndReason
SESSION_END_REASON_QUEUE_DELETED: SessionEndReason
SESSION_END_REASON_REPLACED: SessionEndReason
ITEM_STATE_UNSPECIFIED: ItemState
ITEM_STATE_READY: ItemState
ITEM_STATE_DELAYED: ItemState
ITEM_STATE_LEASED: ItemState
ITEM_STATE_GATED: ItemState
ITEM_STATE_PARKED: ItemState
ITEM_STATE_STALE: ItemState

class QueueSpec(_message.Message):
    __slots__ = ("sources", "rate_limiter", "lease_duration", "max_items_per_worker", "plain_order", "stale_gate_cap", "max_parked_items", "restart_hold", "session_grace")
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    RATE_LIMITER_FIELD_NUMBER: _ClassVar[int]
    LEASE_DURATION_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_PER_WORKER_FIELD_NUMBER: _ClassVar[int]
    PLAIN_ORDER_FIELD_NUMBER: _ClassVar[int]
    STALE_GATE_CAP_FIELD_NUMBER: _ClassVar[int]
    MAX_PARKED_ITEMS_FIELD_NUMBER: _ClassVar[int]
    RESTART_HOLD_FIELD_NUMBER: _ClassVar[int]
    SESSION_GRACE_FIELD_NUMBER: _ClassVar[int]
    sources: _containers.RepeatedCompositeFieldContainer[QueueSource]
    rate_limiter: RateLimiter
    lease_duration: _duration_pb2.Duration
    max_items_per_worker: int
    plain_order: bool
    stale_gate_cap: _duration_pb2.Duration
    max_parked_items: int
    restart_hold: _duration_pb2.Duration
    session_grace: _duration_pb2.Duration
    def __init__(self, sources: _Optional[_Iterable[_Union[QueueSource, _Mapping]]] = ..., rate_limiter: _Optional[_Union[RateLimiter, _Mapping]] = ..., lease_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_items_per_worker: _Optional[int] = ..., plain_order: _Optional[bool] = ..., stale_gate_cap: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_parked_items: _Optional[int] = ..., restart_hold: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., session_grace: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class QueueSource(_message.Message):
    __slots__ = ("informer", "filter", "event_types", "predicates", "mapper", "priority", "initial_priority", "resync_priority", "resync_period")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    MAPPER_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    INITIAL_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    RESYNC_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    RESYNC_PERIOD_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    event_types: _containers.RepeatedScalarFieldContainer[_subscription_pb2.EventType]
    predicates: _containers.RepeatedCompositeFieldContainer[PredicateGroup]
    mapper: KeyMapper
    priority: int
    initial_priority: int
    resync_priority: int
    resync_period: _duration_pb2.Duration
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., event_types: _Optional[_Iterable[_Union[_subscription_pb2.EventType, str]]] = ..., predicates: _Optional[_Iterable[_Union[PredicateGroup, _Mapping]]] = ..., mapper: _Optional[_Union[KeyMapper, _Mapping]] = ..., priority: _Optional[int] = ..., initial_priority: _Optional[int] = ..., resync_priority: _Optional[int] = ..., resync_period: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class PredicateGroup(_message.Message):
    __slots__ = ("any_of",)
    ANY_OF_FIELD_NUMBER: _ClassVar[int]
    any_of: _containers.RepeatedScalarFieldContainer[Predicate]
    def __init__(self, any_of: _Optional[_Iterable[_Union[Predicate, str]]] = ...) -> None: ...

class KeyMapper(_message.Message):
    __slots__ = ("identity", "owner", "label", "annotation", "index", "json_pointer", "namespace_rule", "namespace")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ANNOTATION_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    JSON_POINTER_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_RULE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    identity: MapIdentity
    owner: MapOwner
    label: str
    annotation: str
    index: str
    json_pointer: str
    namespace_rule: KeyNamespace
    namespace: str
    def __init__(self, identity: _Optional[_Union[MapIdentity, _Mapping]] = ..., owner: _Optional[_Union[MapOwner, _Mapping]] = ..., label: _Optional[str] = ..., annotation: _Optional[str] = ..., index: _Optional[str] = ..., json_pointer: _Optional[str] = ..., namespace_rule: _Optional[_Union[KeyNamespace, str]] = ..., namespace: _Optional[str] = ...) -> None: ...

class MapIdentity(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class MapOwner(_message.Message):
    __slots__ = ("group", "kind", "controller_only")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_ONLY_FIELD_NUMBER: _ClassVar[int]
    group: str
    kind: str
    controller_only: bool
    def __init__(self, group: _Optional[str] = ..., kind: _Optional[str] = ..., controller_only: _Optional[bool] = ...) -> None: ...

class RateLimiter(_message.Message):
    __slots__ = ("exponential", "fast_slow", "bucket", "max_delay")
    EXPONENTIAL_FIELD_NUMBER: _ClassVar[int]
    FAST_SLOW_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    MAX_DELAY_FIELD_NUMBER: _ClassVar[int]
    exponential: ExponentialDelay
    fast_slow: FastSlowDelay
    bucket: BucketDelay
    max_delay: _duration_pb2.Duration
    def __init__(self, exponential: _Optional[_Union[ExponentialDelay, _Mapping]] = ..., fast_slow: _Optional[_Union[FastSlowDelay, _Mapping]] = ..., bucket: _Optional[_Union[BucketDelay, _Mapping]] = ..., max_delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ExponentialDelay(_message.Message):
    __slots__ = ("base", "max")
    BASE_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    base: _duration_pb2.Duration
    max: _duration_pb2.Duration
    def __init__(self, base: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class FastSlowDelay(_message.Message):
    __slots__ = ("fast", "slow", "max_fast_attempts")
    FAST_FIELD_NUMBER: _ClassVar[int]
    SLOW_FIELD_NUMBER: _ClassVar[int]
    MAX_FAST_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    fast: _duration_pb2.Duration
    slow: _duration_pb2.Duration
    max_fast_attempts: int
    def __init__(self, fast: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., slow: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_fast_attempts: _Optional[int] = ...) -> None: ...

class BucketDelay(_message.Message):
    __slots__ = ("disabled", "qps", "burst")
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    QPS_FIELD_NUMBER: _ClassVar[int]
    BURST_FIELD_NUMBER: _ClassVar[int]
    disabled: bool
    qps: float
    burst: int
    def __init__(self, disabled: _Optional[bool] = ..., qps: _Optional[float] = ..., burst: _Optional[int] = ...) -> None: ...

class Queue(_message.Message):
    __slots__ = ("name", "spec", "epoch", "state", "create_time", "hold_end_time", "informers", "stats")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    HOLD_END_TIME_FIELD_NUMBER: _ClassVar[int]
    INFORMERS_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    name: str
    spec: QueueSpec
    epoch: str
    state: QueueState
    create_time: _timestamp_pb2.Timestamp
    hold_end_time: _timestamp_pb2.Timestamp
    informers: _containers.RepeatedScalarFieldContainer[str]
    stats: QueueStats
    def __init__(self, name: _Optional[str] = ..., spec: _Optional[_Union[QueueSpec, _Mapping]] = ..., epoch: _Optional[str] = ..., state: _Optional[_Union[QueueState, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., hold_end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., informers: _Optional[_Iterable[str]] = ..., stats: _Optional[_Union[QueueStats, _Mapping]] = ...) -> None: ...

class CreateQueueRequest(_message.Message):
    __slots__ = ("queue_id", "spec")
    QUEUE_ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    queue_id: str
    spec: QueueSpec
    def __init__(self, queue_id: _Optional[str] = ..., spec: _Optional[_Union[QueueSpec, _Mapping]] = ...) -> None: ...

class CreateQueueResponse(_message.Message):
    __slots__ = ("queue",)
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    queue: Queue
    def __init__(self, queue: _Optional[_Union[Queue, _Mapping]] = ...) -> None: ...

class GetQueueRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetQueueResponse(_message.Message):
    __slots__ = ("queue",)
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    queue: Queue
    def __init__(self, queue: _Optional[_Union[Queue, _Mapping]] = ...) -> None: ...

class ListQueuesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListQueuesResponse(_message.Message):
    __slots__ = ("queues", "next_page_token")
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    queues: _containers.RepeatedCompositeFieldContainer[Queue]
    next_page_token: str
    def __init__(self, queues: _Optional[_Iterable[_Union[Queue, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteQueueRequest(_message.Message):
    __slots__ = ("name", "force")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    force: bool
    def __init__(self, name: _Optional[str] = ..., force: _Optional[bool] = ...) -> None: ...

class DeleteQueueResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DrainQueueRequest(_message.Message):
    __slots__ = ("name", "mode", "timeout")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    mode: DrainMode
    timeout: _duration_pb2.Duration
    def __init__(self, name: _Optional[str] = ..., mode: _Optional[_Union[DrainMode, str]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class DrainQueueResponse(_message.Message):
    __slots__ = ("queue",)
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    queue: Queue
    def __init__(self, queue: _Optional[_Union[Queue, _Mapping]] = ...) -> None: ...

class ItemResult(_message.Message):
    __slots__ = ("code", "reason", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: int
    reason: str
    message: str
    def __init__(self, code: _Optional[int] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class AddItemsRequest(_message.Message):
    __slots__ = ("queue", "keys", "after", "rate_limited", "priority")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    RATE_LIMITED_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    queue: str
    keys: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    after: _duration_pb2.Duration
    rate_limited: bool
    priority: int
    def __init__(self, queue: _Optional[str] = ..., keys: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ..., after: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., rate_limited: _Optional[bool] = ..., priority: _Optional[int] = ...) -> None: ...

class AddItemsResponse(_message.Message):
    __slots__ = ("queued", "merged", "dirty")
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    MERGED_FIELD_NUMBER: _ClassVar[int]
    DIRTY_FIELD_NUMBER: _ClassVar[int]
    queued: int
    merged: int
    dirty: int
    def __init__(self, queued: _Optional[int] = ..., merged: _Optional[int] = ..., dirty: _Optional[int] = ...) -> None: ...

class ForgetItemsRequest(_message.Message):
    __slots__ = ("queue", "keys")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    queue: str
    keys: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    def __init__(self, queue: _Optional[str] = ..., keys: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ...) -> None: ...

class ForgetItemsResponse(_message.Message):
    __slots__ = ("forgotten",)
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    forgotten: int
    def __init__(self, forgotten: _Optional[int] = ...) -> None: ...

class WrittenVersion(_message.Message):
    __slots__ = ("informer", "resource_version")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    informer: str
    resource_version: str
    def __init__(self, informer: _Optional[str] = ..., resource_version: _Optional[str] = ...) -> None: ...

class Completion(_message.Message):
    __slots__ = ("lease_id", "outcome", "after", "wait_for", "error")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    WAIT_FOR_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    outcome: Outcome
    after: _duration_pb2.Duration
    wait_for: _containers.RepeatedCompositeFieldContainer[WrittenVersion]
    error: str
    def __init__(self, lease_id: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., after: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., wait_for: _Optional[_Iterable[_Union[WrittenVersion, _Mapping]]] = ..., error: _Optional[str] = ...) -> None: ...

class Extension(_message.Message):
    __slots__ = ("lease_id",)
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    def __init__(self, lease_id: _Optional[str] = ...) -> None: ...

class ExtensionResult(_message.Message):
    __slots__ = ("result", "expire_time")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    result: ItemResult
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, result: _Optional[_Union[ItemResult, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ObjectRequest(_message.Message):
    __slots__ = ("informer", "projection")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    projection: _types_pb2.Projection
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ...) -> None: ...

class Lease(_message.Message):
    __slots__ = ("lease_id", "fencing_token", "expire_time", "expires_in")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    FENCING_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_IN_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    fencing_token: int
    expire_time: _timestamp_pb2.Timestamp
    expires_in: _duration_pb2.Duration
    def __init__(self, lease_id: _Optional[str] = ..., fencing_token: _Optional[int] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_in: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WorkItem(_message.Message):
    __slots__ = ("key", "lease", "priority", "failures", "last_failure", "stale", "queued_for", "object", "object_missing")
    KEY_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FOR_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    OBJECT_MISSING_FIELD_NUMBER: _ClassVar[int]
    key: _types_pb2.ObjectKey
    lease: Lease
    priority: int
    failures: int
    last_failure: FailureReason
    stale: bool
    queued_for: _duration_pb2.Duration
    object: _types_pb2.CachedObject
    object_missing: bool
    def __init__(self, key: _Optional[_Union[_types_pb2.ObjectKey, _Mapping]] = ..., lease: _Optional[_Union[Lease, _Mapping]] = ..., priority: _Optional[int] = ..., failures: _Optional[int] = ..., last_failure: _Optional[_Union[FailureReason, str]] = ..., stale: _Optional[bool] = ..., queued_for: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., object: _Optional[_Union[_types_pb2.CachedObject, _Mapping]] = ..., object_missing: _Optional[bool] = ...) -> None: ...

class AcquireItemsRequest(_message.Message):
    __slots__ = ("queue", "worker_id", "max_items", "wait_timeout", "object", "completions", "extensions", "epoch")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    WAIT_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    COMPLETIONS_FIELD_NUMBER: _ClassVar[int]
    EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    queue: str
    worker_id: str
    max_items: int
    wait_timeout: _duration_pb2.Duration
    object: ObjectRequest
    completions: _containers.RepeatedCompositeFieldContainer[Completion]
    extensions: _containers.RepeatedCompositeFieldContainer[Extension]
    epoch: str
    def __init__(self, queue: _Optional[str] = ..., worker_id: _Optional[str] = ..., max_items: _Optional[int] = ..., wait_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., object: _Optional[_Union[ObjectRequest, _Mapping]] = ..., completions: _Optional[_Iterable[_Union[Completion, _Mapping]]] = ..., extensions: _Optional[_Iterable[_Union[Extension, _Mapping]]] = ..., epoch: _Optional[str] = ...) -> None: ...

class AcquireItemsResponse(_message.Message):
    __slots__ = ("items", "completions", "extensions", "state", "epoch", "statuses")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    COMPLETIONS_FIELD_NUMBER: _ClassVar[int]
    EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[WorkItem]
    completions: _containers.RepeatedCompositeFieldContainer[ItemResult]
    extensions: _containers.RepeatedCompositeFieldContainer[ExtensionResult]
    state: QueueState
    epoch: str
    statuses: _containers.RepeatedCompositeFieldContainer[_types_pb2.CacheStatus]
    def __init__(self, items: _Optional[_Iterable[_Union[WorkItem, _Mapping]]] = ..., completions: _Optional[_Iterable[_Union[ItemResult, _Mapping]]] = ..., extensions: _Optional[_Iterable[_Union[ExtensionResult, _Mapping]]] = ..., state: _Optional[_Union[QueueState, str]] = ..., epoch: _Optional[str] = ..., statuses: _Optional[_Iterable[_Union[_types_pb2.CacheStatus, _Mapping]]] = ...) -> None: ...

class CompleteItemsRequest(_message.Message):
    __slots__ = ("queue", "completions")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    COMPLETIONS_FIELD_NUMBER: _ClassVar[int]
    queue: str
    completions: _containers.RepeatedCompositeFieldContainer[Completion]
    def __init__(self, queue: _Optional[str] = ..., completions: _Optional[_Iterable[_Union[Completion, _Mapping]]] = ...) -> None: ...

class CompleteItemsResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ItemResult]
    def __init__(self, results: _Optional[_Iterable[_Union[ItemResult, _Mapping]]] = ...) -> None: ...

class ExtendLeasesRequest(_message.Message):
    __slots__ = ("queue", "worker_id", "extensions")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    EXTENSIONS_FIELD_NUMBER: _ClassVar[int]
    queue: str
    worker_id: str
    extensions: _containers.RepeatedCompositeFieldContainer[Extension]
    def __init__(self, queue: _Optional[str] = ..., worker_id: _Optional[str] = ..., extensions: _Optional[_Iterable[_Union[Extension, _Mapping]]] = ...) -> None: ...

class ExtendLeasesResponse(_message.Message):
    __slots__ = ("results", "extended", "expire_time")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ExtensionResult]
    extended: int
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, results: _Optional[_Iterable[_Union[ExtensionResult, _Mapping]]] = ..., extended: _Optional[int] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class HeldItem(_message.Message):
    __slots__ = ("key", "lease_id")
    KEY_FIELD_NUMBER: _ClassVar[int]
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    key: _types_pb2.ObjectKey
    lease_id: str
    def __init__(self, key: _Optional[_Union[_types_pb2.ObjectKey, _Mapping]] = ..., lease_id: _Optional[str] = ...) -> None: ...

class RunWorkerSessionRequest(_message.Message):
    __slots__ = ("queue", "worker_id", "held_items", "heartbeat_interval")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    HELD_ITEMS_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    queue: str
    worker_id: str
    held_items: _containers.RepeatedCompositeFieldContainer[HeldItem]
    heartbeat_interval: _duration_pb2.Duration
    def __init__(self, queue: _Optional[str] = ..., worker_id: _Optional[str] = ..., held_items: _Optional[_Iterable[_Union[HeldItem, _Mapping]]] = ..., heartbeat_interval: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RunWorkerSessionResponse(_message.Message):
    __slots__ = ("started", "leases_lost", "draining", "work_available", "heartbeat", "terminating")
    STARTED_FIELD_NUMBER: _ClassVar[int]
    LEASES_LOST_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    WORK_AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    TERMINATING_FIELD_NUMBER: _ClassVar[int]
    started: SessionStarted
    leases_lost: LeasesLost
    draining: QueueDraining
    work_available: WorkAvailable
    heartbeat: SessionHeartbeat
    terminating: SessionTerminating
    def __init__(self, started: _Optional[_Union[SessionStarted, _Mapping]] = ..., leases_lost: _Optional[_Union[LeasesLost, _Mapping]] = ..., draining: _Optional[_Union[QueueDraining, _Mapping]] = ..., work_available: _Optional[_Union[WorkAvailable, _Mapping]] = ..., heartbeat: _Optional[_Union[SessionHeartbeat, _Mapping]] = ..., terminating: _Optional[_Union[SessionTerminating, _Mapping]] = ...) -> None: ...

class SessionStarted(_message.Message):
    __slots__ = ("epoch", "state", "held_items")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    HELD_ITEMS_FIELD_NUMBER: _ClassVar[int]
    epoch: str
    state: QueueState
    held_items: _containers.RepeatedCompositeFieldContainer[HeldItemResult]
    def __init__(self, epoch: _Optional[str] = ..., state: _Optional[_Union[QueueState, str]] = ..., held_items: _Optional[_Iterable[_Union[HeldItemResult, _Mapping]]] = ...) -> None: ...

class HeldItemResult(_message.Message):
    __slots__ = ("result", "lease")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    result: ItemResult
    lease: Lease
    def __init__(self, result: _Optional[_Union[ItemResult, _Mapping]] = ..., lease: _Optional[_Union[Lease, _Mapping]] = ...) -> None: ...

class LostLease(_message.Message):
    __slots__ = ("lease_id", "key", "reason")
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    lease_id: str
    key: _types_pb2.ObjectKey
    reason: FailureReason
    def __init__(self, lease_id: _Optional[str] = ..., key: _Optional[_Union[_types_pb2.ObjectKey, _Mapping]] = ..., reason: _Optional[_Union[FailureReason, str]] = ...) -> None: ...

class LeasesLost(_message.Message):
    __slots__ = ("leases",)
    LEASES_FIELD_NUMBER: _ClassVar[int]
    leases: _containers.RepeatedCompositeFieldContainer[LostLease]
    def __init__(self, leases: _Optional[_Iterable[_Union[LostLease, _Mapping]]] = ...) -> None: ...

class QueueDraining(_message.Message):
    __slots__ = ("mode",)
    MODE_FIELD_NUMBER: _ClassVar[int]
    mode: DrainMode
    def __init__(self, mode: _Optional[_Union[DrainMode, str]] = ...) -> None: ...

class WorkAvailable(_message.Message):
    __slots__ = ("ready",)
    READY_FIELD_NUMBER: _ClassVar[int]
    ready: int
    def __init__(self, ready: _Optional[int] = ...) -> None: ...

class SessionHeartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SessionTerminating(_message.Message):
    __slots__ = ("reason", "retry_delay")
    REASON_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    reason: SessionEndReason
    retry_delay: _duration_pb2.Duration
    def __init__(self, reason: _Optional[_Union[SessionEndReason, str]] = ..., retry_delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class GetQueueStatsRequest(_message.Message):
    __slots__ = ("queue",)
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    queue: str
    def __init__(self, queue: _Optional[str] = ...) -> None: ...

class GetQueueStatsResponse(_message.Message):
    __slots__ = ("state", "stats", "workers")
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    state: QueueState
    stats: QueueStats
    workers: _containers.RepeatedCompositeFieldContainer[WorkerStats]
    def __init__(self, state: _Optional[_Union[QueueState, str]] = ..., stats: _Optional[_Union[QueueStats, _Mapping]] = ..., workers: _Optional[_Iterable[_Union[WorkerStats, _Mapping]]] = ...) -> None: ...

class QueueStats(_message.Message):
    __slots__ = ("ready", "delayed", "gated", "leased", "dirty", "parked", "depth", "adds", "retries", "acquired", "succeeded", "failed", "requeued", "released", "terminal", "expired", "refused", "stale", "unfinished_work", "longest_running", "oldest_ready", "waiting_polls")
    READY_FIELD_NUMBER: _ClassVar[int]
    DELAYED_FIELD_NUMBER: _ClassVar[int]
    GATED_FIELD_NUMBER: _ClassVar[int]
    LEASED_FIELD_NUMBER: _ClassVar[int]
    DIRTY_FIELD_NUMBER: _ClassVar[int]
    PARKED_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    ADDS_FIELD_NUMBER: _ClassVar[int]
    RETRIES_FIELD_NUMBER: _ClassVar[int]
    ACQUIRED_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    REQUEUED_FIELD_NUMBER: _ClassVar[int]
    RELEASED_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    UNFINISHED_WORK_FIELD_NUMBER: _ClassVar[int]
    LONGEST_RUNNING_FIELD_NUMBER: _ClassVar[int]
    OLDEST_READY_FIELD_NUMBER: _ClassVar[int]
    WAITING_POLLS_FIELD_NUMBER: _ClassVar[int]
    ready: int
    delayed: int
    gated: int
    leased: int
    dirty: int
    parked: int
    depth: _containers.RepeatedCompositeFieldContainer[PriorityDepth]
    adds: int
    retries: int
    acquired: int
    succeeded: int
    failed: int
    requeued: int
    released: int
    terminal: int
    expired: int
    refused: int
    stale: int
    unfinished_work: _duration_pb2.Duration
    longest_running: _duration_pb2.Duration
    oldest_ready: _duration_pb2.Duration
    waiting_polls: int
    def __init__(self, ready: _Optional[int] = ..., delayed: _Optional[int] = ..., gated: _Optional[int] = ..., leased: _Optional[int] = ..., dirty: _Optional[int] = ..., parked: _Optional[int] = ..., depth: _Optional[_Iterable[_Union[PriorityDepth, _Mapping]]] = ..., adds: _Optional[int] = ..., retries: _Optional[int] = ..., acquired: _Optional[int] = ..., succeeded: _Optional[int] = ..., failed: _Optional[int] = ..., requeued: _Optional[int] = ..., released: _Optional[int] = ..., terminal: _Optional[int] = ..., expired: _Optional[int] = ..., refused: _Optional[int] = ..., stale: _Optional[int] = ..., unfinished_work: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., longest_running: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., oldest_ready: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., waiting_polls: _Optional[int] = ...) -> None: ...

class PriorityDepth(_message.Message):
    __slots__ = ("priority", "depth")
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    priority: int
    depth: int
    def __init__(self, priority: _Optional[int] = ..., depth: _Optional[int] = ...) -> None: ...

class WorkerStats(_message.Message):
    __slots__ = ("worker_id", "leased", "session")
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    LEASED_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    worker_id: str
    leased: int
    session: bool
    def __init__(self, worker_id: _Optional[str] = ..., leased: _Optional[int] = ..., session: _Optional[bool] = ...) -> None: ...

class QueueItem(_message.Message):
    __slots__ = ("key", "state", "queued", "priority", "failures", "last_failure", "last_error", "ready_time", "worker_id", "lease", "lease_time", "wait_for", "gate_end_time")
    KEY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    READY_TIME_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    LEASE_TIME_FIELD_NUMBER: _ClassVar[int]
    WAIT_FOR_FIELD_NUMBER: _ClassVar[int]
    GATE_END_TIME_FIELD_NUMBER: _ClassVar[int]
    key: _types_pb2.ObjectKey
    state: ItemState
    queued: bool
    priority: int
    failures: int
    last_failure: FailureReason
    last_error: str
    ready_time: _timestamp_pb2.Timestamp
    worker_id: str
    lease: Lease
    lease_time: _timestamp_pb2.Timestamp
    wait_for: _containers.RepeatedCompositeFieldContainer[WrittenVersion]
    gate_end_time: _timestamp_pb2.Timestamp
    def __init__(self, key: _Optional[_Union[_types_pb2.ObjectKey, _Mapping]] = ..., state: _Optional[_Union[ItemState, str]] = ..., queued: _Optional[bool] = ..., priority: _Optional[int] = ..., failures: _Optional[int] = ..., last_failure: _Optional[_Union[FailureReason, str]] = ..., last_error: _Optional[str] = ..., ready_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., worker_id: _Optional[str] = ..., lease: _Optional[_Union[Lease, _Mapping]] = ..., lease_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., wait_for: _Optional[_Iterable[_Union[WrittenVersion, _Mapping]]] = ..., gate_end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListItemsRequest(_message.Message):
    __slots__ = ("queue", "states", "namespaces", "keys", "page_size", "page_token")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    queue: str
    states: _containers.RepeatedScalarFieldContainer[ItemState]
    namespaces: _containers.RepeatedScalarFieldContainer[str]
    keys: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    page_size: int
    page_token: str
    def __init__(self, queue: _Optional[str] = ..., states: _Optional[_Iterable[_Union[ItemState, str]]] = ..., namespaces: _Optional[_Iterable[str]] = ..., keys: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListItemsResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[QueueItem]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[QueueItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PeekItemsRequest(_message.Message):
    __slots__ = ("queue", "max_items")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    queue: str
    max_items: int
    def __init__(self, queue: _Optional[str] = ..., max_items: _Optional[int] = ...) -> None: ...

class PeekItemsResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[QueueItem]
    def __init__(self, items: _Optional[_Iterable[_Union[QueueItem, _Mapping]]] = ...) -> None: ...
