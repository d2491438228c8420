import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Encoding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENCODING_UNSPECIFIED: _ClassVar[Encoding]
    ENCODING_JSON: _ClassVar[Encoding]
    ENCODING_KUBERNETES_PROTOBUF: _ClassVar[Encoding]

class Omitted(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OMITTED_UNSPECIFIED: _ClassVar[Omitted]
    OMITTED_VIEW: _ClassVar[Omitted]
    OMITTED_TOO_LARGE: _ClassVar[Omitted]
    OMITTED_UNCHANGED: _ClassVar[Omitted]
    OMITTED_GONE: _ClassVar[Omitted]

class UpstreamState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UPSTREAM_STATE_UNSPECIFIED: _ClassVar[UpstreamState]
    UPSTREAM_STATE_STARTING: _ClassVar[UpstreamState]
    UPSTREAM_STATE_LISTING: _ClassVar[UpstreamState]
    UPSTREAM_STATE_WATCHING: _ClassVar[UpstreamState]
    UPSTREAM_STATE_BACKOFF: _ClassVar[UpstreamState]
    UPSTREAM_STATE_FORBIDDEN: _ClassVar[UpstreamState]
    UPSTREAM_STATE_GONE: _ClassVar[UpstreamState]
    UPSTREAM_STATE_WAITING: _ClassVar[UpstreamState]

class View(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VIEW_UNSPECIFIED: _ClassVar[View]
    VIEW_REFERENCE: _ClassVar[View]
    VIEW_METADATA: _ClassVar[View]
    VIEW_FULL: _ClassVar[View]

class ListMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIST_MODE_UNSPECIFIED: _ClassVar[ListMode]
    LIST_MODE_AUTO: _ClassVar[ListMode]
    LIST_MODE_WATCH_LIST: _ClassVar[ListMode]
    LIST_MODE_LIST: _ClassVar[ListMode]

class StartPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    START_POLICY_UNSPECIFIED: _ClassVar[StartPolicy]
    START_POLICY_EAGER: _ClassVar[StartPolicy]
    START_POLICY_ON_FIRST_USE: _ClassVar[StartPolicy]
ENCODING_UNSPECIFIED: Encoding
ENCODING_JSON: Encoding
ENCODING_KUBERNETES_PROTOBUF: Encoding
OMITTED_UNSPECIFIED: Omitted
OMITTED_VIEW: Omitted
OMITTED_TOO_LARGE: Omitted
OMITTED_UNCHANGED: Omitted
OMITTED_GONE: Omitted
UPSTREAM_STATE_UNSPECIFIED: UpstreamState
UPSTREAM_STATE_STARTING: UpstreamState
UPSTREAM_STATE_LISTING: UpstreamState
UPSTREAM_STATE_WATCHING: UpstreamState
UPSTREAM_STATE_BACKOFF: UpstreamState
UPSTREAM_STATE_FORBIDDEN: UpstreamState
UPSTREAM_STATE_GONE: UpstreamState
UPSTREAM_STATE_WAITING: UpstreamState
VIEW_UNSPECIFIED: View
VIEW_REFERENCE: View
VIEW_METADATA: View
VIEW_FULL: View
LIST_MODE_UNSPECIFIED: ListMode
LIST_MODE_AUTO: ListMode
LIST_MODE_WATCH_LIST: ListMode
LIST_MODE_LIST: ListMode
START_POLICY_UNSPECIFIED: StartPolicy
START_POLICY_EAGER: StartPolicy
START_POLICY_ON_FIRST_USE: StartPolicy

class ResourceRef(_message.Message):
    __slots__ = ("group", "version", "resource")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    group: str
    version: str
    resource: str
    def __init__(self, group: _Optional[str] = ..., version: _Optional[str] = ..., resource: _Optional[str] = ...) -> None: ...

class InformerSelector(_message.Message):
    __slots__ = ("name", "resource")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    resource: ResourceRef
    def __init__(self, name: _Optional[str] = ..., resource: _Optional[_Union[ResourceRef, _Mapping]] = ...) -> None: ...

class ObjectKey(_message.Message):
    __slots__ = ("namespace", "name")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    name: str
    def __init__(self, namespace: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class ObjectRef(_message.Message):
    __slots__ = ("namespace", "name", "uid", "resource_version", "generation", "deletion_timestamp_set")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    DELETION_TIMESTAMP_SET_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    name: str
    uid: str
    resource_version: str
    generation: int
    deletion_timestamp_set: bool
    def __init__(self, namespace: _Optional[str] = ..., name: _Optional[str] = ..., uid: _Optional[str] = ..., resource_version: _Optional[str] = ..., generation: _Optional[int] = ..., deletion_timestamp_set: _Optional[bool] = ...) -> None: ...

class ObjectPayload(_message.Message):
    __slots__ = ("encoding", "data", "omitted")
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    encoding: Encoding
    data: bytes
    omitted: Omitted
    def __init__(self, encoding: _Optional[_Union[Encoding, str]] = ..., data: _Optional[bytes] = ..., omitted: _Optional[_Union[Omitted, str]] = ...) -> None: ...

class CachedObject(_message.Message):
    __slots__ = ("ref", "object")
    REF_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    ref: ObjectRef
    object: ObjectPayload
    def __init__(self, ref: _Optional[_Union[ObjectRef, _Mapping]] = ..., object: _Optional[_Union[ObjectPayload, _Mapping]] = ...) -> None: ...

class UpstreamError(_message.Message):
    __slots__ = ("http_status", "reason", "message", "time")
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    http_status: int
    reason: str
    message: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, http_status: _Optional[int] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CacheStatus(_message.Message):
    __slots__ = ("informer", "epoch", "revision", "resource_version", "synced", "upstream_state", "current_as_of", "last_error")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    SYNCED_FIELD_NUMBER: _ClassVar[int]
    UPSTREAM_STATE_FIELD_NUMBER: _ClassVar[int]
    CURRENT_AS_OF_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    informer: str
    epoch: str
    revision: int
    resource_version: str
    synced: bool
    upstream_state: UpstreamState
    current_as_of: _timestamp_pb2.Timestamp
    last_error: UpstreamError
    def __init__(self, informer: _Optional[str] = ..., epoch: _Optional[str] = ..., revision: _Optional[int] = ..., resource_version: _Optional[str] = ..., synced: _Optional[bool] = ..., upstream_state: _Optional[_Union[UpstreamState, str]] = ..., current_as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_error: _Optional[_Union[UpstreamError, _Mapping]] = ...) -> None: ...

class ReadOptions(_message.Message):
    __slots__ = ("min_resource_version", "min_revision", "at_snapshot", "live", "pin_snapshot", "freshness_timeout", "allow_unsynced")
    MIN_RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    MIN_REVISION_FIELD_NUMBER: _ClassVar[int]
    AT_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    PIN_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    ALLOW_UNSYNCED_FIELD_NUMBER: _ClassVar[int]
    min_resource_version: str
    min_revision: int
    at_snapshot: str
    live: bool
    pin_snapshot: bool
    freshness_timeout: _duration_pb2.Duration
    allow_unsynced: bool
    def __init__(self, min_resource_version: _Optional[str] = ..., min_revision: _Optional[int] = ..., at_snapshot: _Optional[str] = ..., live: _Optional[bool] = ..., pin_snapshot: _Optional[bool] = ..., freshness_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., allow_unsynced: _Optional[bool] = ...) -> None: ...

class IndexFilter(_message.Message):
    __slots__ = ("name", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class Filter(_message.Message):
    __slots__ = ("namespaces", "names", "label_selector", "field_selector", "index")
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    LABEL_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    FIELD_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    namespaces: _containers.RepeatedScalarFieldContainer[str]
    names: _containers.RepeatedScalarFieldContainer[str]
    label_selector: str
    field_selector: str
    index: IndexFilter
    def __init__(self, namespaces: _Optional[_Iterable[str]] = ..., names: _Optional[_Iterable[str]] = ..., label_selector: _Optional[str] = ..., field_selector: _Optional[str] = ..., index: _Optional[_Union[IndexFilter, _Mapping]] = ...) -> None: ...

class Projection(_message.Message):
    __slots__ = ("view", "json_pointers", "encoding")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    JSON_POINTERS_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    view: View
    json_pointers: _containers.RepeatedScalarFieldContainer[str]
    encoding: Encoding
    def __init__(self, view: _Optional[_Union[View, str]] = ..., json_pointers: _Optional[_Iterable[str]] = ..., encoding: _Optional[_Union[Encoding, str]] = ...) -> None: ...

class Indexer(_message.Message):
    __slots__ = ("name", "json_pointer")
    NAME_FIELD_NUMBER: _ClassVar[int]
    JSON_POINTER_FIELD_NUMBER: _ClassVar[int]
    name: str
    json_pointer: str
    def __init__(self, name: _Optional[str] = ..., json_pointer: _Optional[str] = ...) -> None: ...

class HistoryLimits(_message.Message):
    __slots__ = ("max_revisions", "max_bytes", "max_age")
    MAX_REVISIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    max_revisions: int
    max_bytes: int
    max_age: _duration_pb2.Duration
    def __init__(self, max_revisions: _Optional[int] = ..., max_bytes: _Optional[int] = ..., max_age: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class InformerSpec(_message.Message):
    __slots__ = ("resource", "namespaces", "label_selector", "field_selector", "store_view", "drop_pointers", "keep_all", "list_mode", "history", "indexers", "start", "resync_default", "keep_pointers", "namespace_selector", "max_staleness")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    LABEL_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    FIELD_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    STORE_VIEW_FIELD_NUMBER: _ClassVar[int]
    DROP_POINTERS_FIELD_NUMBER: _ClassVar[int]
    KEEP_ALL_FIELD_NUMBER: _ClassVar[int]
    LIST_MODE_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    INDEXERS_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    RESYNC_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    KEEP_POINTERS_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    MAX_STALENESS_FIELD_NUMBER: _ClassVar[int]
    resource: ResourceRef
    namespaces: _containers.RepeatedScalarFieldContainer[str]
    label_selector: str
    field_selector: str
    store_view: View
    drop_pointers: _containers.RepeatedScalarFieldContainer[str]
    keep_all: bool
    list_mode: ListMode
    history: HistoryLimits
    indexers: _containers.RepeatedCompositeFieldContainer[Indexer]
    start: StartPolicy
    resync_default: _duration_pb2.Duration
    keep_pointers: _containers.RepeatedScalarFieldContainer[str]
    namespace_selector: str
    max_staleness: _duration_pb2.Duration
    def __init__(self, resource: _Optional[_Union[ResourceRef, _Mapping]] = ..., namespaces: _Optional[_Iterable[str]] = ..., label_selector: _Optional[str] = ..., field_selector: _Optional[str] = ..., store_view: _Optional[_Union[View, str]] = ..., drop_pointers: _Optional[_Iterable[str]] = ..., keep_all: _Optional[bool] = ..., list_mode: _Optional[_Union[ListMode, str]] = ..., history: _Optional[_Union[HistoryLimits, _Mapping]] = ..., indexers: _Optional[_Iterable[_Union[Indexer, _Mapping]]] = ..., start: _Optional[_Union[StartPolicy, str]] = ..., resync_default: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., keep_pointers: _Optional[_Iterable[str]] = ..., namespace_selector: _Optional[str] = ..., max_staleness: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...
