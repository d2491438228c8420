import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from informer.v1alpha1 import types_pb2 as _types_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_TYPE_UNSPECIFIED: _ClassVar[EventType]
    EVENT_TYPE_ADDED: _ClassVar[EventType]
    EVENT_TYPE_UPDATED: _ClassVar[EventType]
    EVENT_TYPE_DELETED: _ClassVar[EventType]
    EVENT_TYPE_RESYNC: _ClassVar[EventType]

class EventCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_CAUSE_UNSPECIFIED: _ClassVar[EventCause]
    EVENT_CAUSE_INITIAL: _ClassVar[EventCause]
    EVENT_CAUSE_LIVE: _ClassVar[EventCause]
    EVENT_CAUSE_REPLACED: _ClassVar[EventCause]
    EVENT_CAUSE_RESYNC: _ClassVar[EventCause]
    EVENT_CAUSE_SELECTOR: _ClassVar[EventCause]
    EVENT_CAUSE_CATCH_UP: _ClassVar[EventCause]

class OldObject(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OLD_OBJECT_UNSPECIFIED: _ClassVar[OldObject]
    OLD_OBJECT_NONE: _ClassVar[OldObject]
    OLD_OBJECT_REFERENCE: _ClassVar[OldObject]
    OLD_OBJECT_FULL: _ClassVar[OldObject]

class Overflow(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OVERFLOW_UNSPECIFIED: _ClassVar[Overflow]
    OVERFLOW_COALESCE: _ClassVar[Overflow]
    OVERFLOW_RESET: _ClassVar[Overflow]
    OVERFLOW_FAIL: _ClassVar[Overflow]

class ResumeFailure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESUME_FAILURE_UNSPECIFIED: _ClassVar[ResumeFailure]
    RESUME_FAILURE_RESET: _ClassVar[ResumeFailure]
    RESUME_FAILURE_FAIL: _ClassVar[ResumeFailure]

class WatchMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WATCH_MODE_UNSPECIFIED: _ClassVar[WatchMode]
    WATCH_MODE_SNAPSHOT: _ClassVar[WatchMode]
    WATCH_MODE_REPLAY: _ClassVar[WatchMode]
    WATCH_MODE_DIFF: _ClassVar[WatchMode]
    WATCH_MODE_UNCHANGED: _ClassVar[WatchMode]
    WATCH_MODE_NOW: _ClassVar[WatchMode]

class ResetReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESET_REASON_UNSPECIFIED: _ClassVar[ResetReason]
    RESET_REASON_RESUME_EXPIRED: _ClassVar[ResetReason]
    RESET_REASON_EPOCH_CHANGED: _ClassVar[ResetReason]
    RESET_REASON_OVERFLOW: _ClassVar[ResetReason]
    RESET_REASON_INFORMER_REPLACED: _ClassVar[ResetReason]
    RESET_REASON_FILTER_CHANGED: _ClassVar[ResetReason]

class TerminatingReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TERMINATING_REASON_UNSPECIFIED: _ClassVar[TerminatingReason]
    TERMINATING_REASON_SHUTDOWN: _ClassVar[TerminatingReason]
    TERMINATING_REASON_INFORMER_DELETED: _ClassVar[TerminatingReason]
    TERMINATING_REASON_SLOW_CONSUMER: _ClassVar[TerminatingReason]

class ListenerState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LISTENER_STATE_UNSPECIFIED: _ClassVar[ListenerState]
    LISTENER_STATE_SNAPSHOT: _ClassVar[ListenerState]
    LISTENER_STATE_LIVE: _ClassVar[ListenerState]
    LISTENER_STATE_REPLAY: _ClassVar[ListenerState]
    LISTENER_STATE_DIRTY: _ClassVar[ListenerState]
    LISTENER_STATE_BLOCKED: _ClassVar[ListenerState]
EVENT_TYPE_UNSPECIFIED: EventType
EVENT_TYPE_ADDED: EventType
EVENT_TYPE_UPDATED: EventType
EVENT_TYPE_DELETED: EventType
EVENT_TYPE_RESYNC: EventType
EVENT_CAUSE_UNSPECIFIED: EventCause
EVENT_CAUSE_INITIAL: EventCause
EVENT_CAUSE_LIVE: EventCause
EVENT_CAUSE_REPLACED: EventCause
EVENT_CAUSE_RESYNC: EventCause
EVENT_CAUSE_SELECTOR: EventCause
EVENT_CAUSE_CATCH_UP: EventCause
OLD_OBJECT_UNSPECIFIED: OldObject
OLD_OBJECT_NONE: OldObject
OLD_OBJECT_REFERENCE: OldObject
OLD_OBJECT_FULL: OldObject
OVERFLOW_UNSPECIFIED: Overflow
OVERFLOW_COALESCE: Overflow
OVERFLOW_RESET: Overflow
OVERFLOW_FAIL: Overflow
RESUME_FAILURE_UNSPECIFIED: ResumeFailure
RESUME_FAILURE_RESET: ResumeFailure
RESUME_FAILURE_FAIL: ResumeFailure
WATCH_MODE_UNSPECIFIED: WatchMode
WATCH_MODE_SNAPSHOT: WatchMode
WATCH_MODE_REPLAY: WatchMode
WATCH_MODE_DIFF: WatchMode
WATCH_MODE_UNCHANGED: WatchMode
WATCH_MODE_NOW: WatchMode
RESET_REASON_UNSPECIFIED: ResetReason
RESET_REASON_RESUME_EXPIRED: ResetReason
RESET_REASON_EPOCH_CHANGED: ResetReason
RESET_REASON_OVERFLOW: ResetReason
RESET_REASON_INFORMER_REPLACED: ResetReason
RESET_REASON_FILTER_CHANGED: ResetReason
TERMINATING_REASON_UNSPECIFIED: TerminatingReason
TERMINATING_REASON_SHUTDOWN: TerminatingReason
TERMINATING_REASON_INFORMER_DELETED: TerminatingReason
TERMINATING_REASON_SLOW_CONSUMER: TerminatingReason
LISTENER_STATE_UNSPECIFIED: ListenerState
LISTENER_STATE_SNAPSHOT: ListenerState
LISTENER_STATE_LIVE: ListenerState
LISTENER_STATE_REPLAY: ListenerState
LISTENER_STATE_DIRTY: ListenerState
LISTENER_STATE_BLOCKED: ListenerState

class StartSnapshot(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartNow(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartResume(_message.Message):
    __slots__ = ("token", "known_object_hashes", "on_failure")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    KNOWN_OBJECT_HASHES_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    token: bytes
    known_object_hashes: _containers.RepeatedScalarFieldContainer[int]
    on_failure: ResumeFailure
    def __init__(self, token: _Optional[bytes] = ..., known_object_hashes: _Optional[_Iterable[int]] = ..., on_failure: _Optional[_Union[ResumeFailure, str]] = ...) -> None: ...

class FlowControl(_message.Message):
    __slots__ = ("max_outstanding_events", "max_outstanding_bytes")
    MAX_OUTSTANDING_EVENTS_FIELD_NUMBER: _ClassVar[int]
    MAX_OUTSTANDING_BYTES_FIELD_NUMBER: _ClassVar[int]
    max_outstanding_events: int
    max_outstanding_bytes: int
    def __init__(self, max_outstanding_events: _Optional[int] = ..., max_outstanding_bytes: _Optional[int] = ...) -> None: ...

class BatchOptions(_message.Message):
    __slots__ = ("max_events", "max_bytes", "linger")
    MAX_EVENTS_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    LINGER_FIELD_NUMBER: _ClassVar[int]
    max_events: int
    max_bytes: int
    linger: _duration_pb2.Duration
    def __init__(self, max_events: _Optional[int] = ..., max_bytes: _Optional[int] = ..., linger: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("informer", "filter", "projection", "old_object", "snapshot", "now", "resume", "event_types", "suppress_unchanged", "overflow", "flow", "batch", "max_receive_bytes", "bookmark_interval", "resync_period", "client_id")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    OLD_OBJECT_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    SUPPRESS_UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    OVERFLOW_FIELD_NUMBER: _ClassVar[int]
    FLOW_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    MAX_RECEIVE_BYTES_FIELD_NUMBER: _ClassVar[int]
    BOOKMARK_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    RESYNC_PERIOD_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    projection: _types_pb2.Projection
    old_object: OldObject
    snapshot: StartSnapshot
    now: StartNow
    resume: StartResume
    event_types: _containers.RepeatedScalarFieldContainer[EventType]
    suppress_unchanged: bool
    overflow: Overflow
    flow: FlowControl
    batch: BatchOptions
    max_receive_bytes: int
    bookmark_interval: _duration_pb2.Duration
    resync_period: _duration_pb2.Duration
    client_id: str
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ..., old_object: _Optional[_Union[OldObject, str]] = ..., snapshot: _Optional[_Union[StartSnapshot, _Mapping]] = ..., now: _Optional[_Union[StartNow, _Mapping]] = ..., resume: _Optional[_Union[StartResume, _Mapping]] = ..., event_types: _Optional[_Iterable[_Union[EventType, str]]] = ..., suppress_unchanged: _Optional[bool] = ..., overflow: _Optional[_Union[Overflow, str]] = ..., flow: _Optional[_Union[FlowControl, _Mapping]] = ..., batch: _Optional[_Union[BatchOptions, _Mapping]] = ..., max_receive_bytes: _Optional[int] = ..., bookmark_interval: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., resync_period: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., client_id: _Optional[str] = ...) -> None: ...

class WatchEvent(_message.Message):
    __slots__ = ("type", "cause", "ref", "object", "old_ref", "old_object", "revision", "resource_version", "final_state_unknown", "recreated", "coalesced")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    OLD_REF_FIELD_NUMBER: _ClassVar[int]
    OLD_OBJECT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    FINAL_STATE_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    RECREATED_FIELD_NUMBER: _ClassVar[int]
    COALESCED_FIELD_NUMBER: _ClassVar[int]
    type: EventType
    cause: EventCause
    ref: _types_pb2.ObjectRef
    object: _types_pb2.ObjectPayload
    old_ref: _types_pb2.ObjectRef
    old_object: _types_pb2.ObjectPayload
    revision: int
    resource_version: str
    final_state_unknown: bool
    recreated: bool
    coalesced: int
    def __init__(self, type: _Optional[_Union[EventType, str]] = ..., cause: _Optional[_Union[EventCause, str]] = ..., ref: _Optional[_Union[_types_pb2.ObjectRef, _Mapping]] = ..., object: _Optional[_Union[_types_pb2.ObjectPayload, _Mapping]] = ..., old_ref: _Optional[_Union[_types_pb2.ObjectRef, _Mapping]] = ..., old_object: _Optional[_Union[_types_pb2.ObjectPayload, _Mapping]] = ..., revision: _Optional[int] = ..., resource_version: _Optional[str] = ..., final_state_unknown: _Optional[bool] = ..., recreated: _Optional[bool] = ..., coalesced: _Optional[int] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("events", "continued", "resume_token", "created", "reset", "synced", "bookmark", "terminating")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    CONTINUED_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    SYNCED_FIELD_NUMBER: _ClassVar[int]
    BOOKMARK_FIELD_NUMBER: _ClassVar[int]
    TERMINATING_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[WatchEvent]
    continued: bool
    resume_token: bytes
    created: Created
    reset: Reset
    synced: Synced
    bookmark: Bookmark
    terminating: Terminating
    def __init__(self, events: _Optional[_Iterable[_Union[WatchEvent, _Mapping]]] = ..., continued: _Optional[bool] = ..., resume_token: _Optional[bytes] = ..., created: _Optional[_Union[Created, _Mapping]] = ..., reset: _Optional[_Union[Reset, _Mapping]] = ..., synced: _Optional[_Union[Synced, _Mapping]] = ..., bookmark: _Optional[_Union[Bookmark, _Mapping]] = ..., terminating: _Optional[_Union[Terminating, _Mapping]] = ...) -> None: ...

class Created(_message.Message):
    __slots__ = ("watch_id", "mode", "status", "max_receive_bytes", "max_batch_bytes", "bookmark_interval")
    WATCH_ID_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    MAX_RECEIVE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_BYTES_FIELD_NUMBER: _ClassVar[int]
    BOOKMARK_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    watch_id: str
    mode: WatchMode
    status: _types_pb2.CacheStatus
    max_receive_bytes: int
    max_batch_bytes: int
    bookmark_interval: _duration_pb2.Duration
    def __init__(self, watch_id: _Optional[str] = ..., mode: _Optional[_Union[WatchMode, str]] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., max_receive_bytes: _Optional[int] = ..., max_batch_bytes: _Optional[int] = ..., bookmark_interval: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Reset(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: ResetReason
    def __init__(self, reason: _Optional[_Union[ResetReason, str]] = ...) -> None: ...

class Synced(_message.Message):
    __slots__ = ("object_count", "digest", "status")
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    object_count: int
    digest: int
    status: _types_pb2.CacheStatus
    def __init__(self, object_count: _Optional[int] = ..., digest: _Optional[int] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ...) -> None: ...

class Bookmark(_message.Message):
    __slots__ = ("object_count", "digest", "status", "lag_events")
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    LAG_EVENTS_FIELD_NUMBER: _ClassVar[int]
    object_count: int
    digest: int
    status: _types_pb2.CacheStatus
    lag_events: int
    def __init__(self, object_count: _Optional[int] = ..., digest: _Optional[int] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., lag_events: _Optional[int] = ...) -> None: ...

class Terminating(_message.Message):
    __slots__ = ("reason", "retry_delay")
    REASON_FIELD_NUMBER: _ClassVar[int]
    RETRY_DELAY_FIELD_NUMBER: _ClassVar[int]
    reason: TerminatingReason
    retry_delay: _duration_pb2.Duration
    def __init__(self, reason: _Optional[_Union[TerminatingReason, str]] = ..., retry_delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class AckWatchRequest(_message.Message):
    __slots__ = ("watch_id", "sequence")
    WATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    watch_id: str
    sequence: int
    def __init__(self, watch_id: _Optional[str] = ..., sequence: _Optional[int] = ...) -> None: ...

class AckWatchResponse(_message.Message):
    __slots__ = ("acked_sequence", "sent_sequence", "lag_events")
    ACKED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SENT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    LAG_EVENTS_FIELD_NUMBER: _ClassVar[int]
    acked_sequence: int
    sent_sequence: int
    lag_events: int
    def __init__(self, acked_sequence: _Optional[int] = ..., sent_sequence: _Optional[int] = ..., lag_events: _Optional[int] = ...) -> None: ...

class WatchInfo(_message.Message):
    __slots__ = ("watch_id", "informer", "client_id", "state", "revision", "lag_events", "sent_sequence", "acked_sequence", "sent_events", "resets")
    WATCH_ID_FIELD_NUMBER: _ClassVar[int]
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    LAG_EVENTS_FIELD_NUMBER: _ClassVar[int]
    SENT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ACKED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SENT_EVENTS_FIELD_NUMBER: _ClassVar[int]
    RESETS_FIELD_NUMBER: _ClassVar[int]
    watch_id: str
    informer: str
    client_id: str
    state: ListenerState
    revision: int
    lag_events: int
    sent_sequence: int
    acked_sequence: int
    sent_events: int
    resets: int
    def __init__(self, watch_id: _Optional[str] = ..., informer: _Optional[str] = ..., client_id: _Optional[str] = ..., state: _Optional[_Union[ListenerState, str]] = ..., revision: _Optional[int] = ..., lag_events: _Optional[int] = ..., sent_sequence: _Optional[int] = ..., acked_sequence: _Optional[int] = ..., sent_events: _Optional[int] = ..., resets: _Optional[int] = ...) -> None: ...

class ListWatchesRequest(_message.Message):
    __slots__ = ("informer", "page_size", "page_token")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    informer: str
    page_size: int
    page_token: str
    def __init__(self, informer: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWatchesResponse(_message.Message):
    __slots__ = ("watches", "next_page_token")
    WATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    watches: _containers.RepeatedCompositeFieldContainer[WatchInfo]
    next_page_token: str
    def __init__(self, watches: _Optional[_Iterable[_Union[WatchInfo, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
