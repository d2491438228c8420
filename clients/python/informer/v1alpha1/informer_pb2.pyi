import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from informer.v1alpha1 import types_pb2 as _types_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Informer(_message.Message):
    __slots__ = ("name", "spec", "kind", "namespaced", "status", "object_count", "object_bytes", "watch_count", "oldest_revision", "create_time", "list_count", "upstream_watch_count", "reflectors", "restart_count", "skipped_count", "kept_whole_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAMESPACED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    OBJECT_BYTES_FIELD_NUMBER: _ClassVar[int]
    WATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    OLDEST_REVISION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    LIST_COUNT_FIELD_NUMBER: _ClassVar[int]
    UPSTREAM_WATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFLECTORS_FIELD_NUMBER: _ClassVar[int]
    RESTART_COUNT_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_COUNT_FIELD_NUMBER: _ClassVar[int]
    KEPT_WHOLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    spec: _types_pb2.InformerSpec
    kind: str
    namespaced: bool
    status: _types_pb2.CacheStatus
    object_count: int
    object_bytes: int
    watch_count: int
    oldest_revision: int
    create_time: _timestamp_pb2.Timestamp
    list_count: int
    upstream_watch_count: int
    reflectors: _containers.RepeatedCompositeFieldContainer[Reflector]
    restart_count: int
    skipped_count: int
    kept_whole_count: int
    def __init__(self, name: _Optional[str] = ..., spec: _Optional[_Union[_types_pb2.InformerSpec, _Mapping]] = ..., kind: _Optional[str] = ..., namespaced: _Optional[bool] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., object_count: _Optional[int] = ..., object_bytes: _Optional[int] = ..., watch_count: _Optional[int] = ..., oldest_revision: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., list_count: _Optional[int] = ..., upstream_watch_count: _Optional[int] = ..., reflectors: _Optional[_Iterable[_Union[Reflector, _Mapping]]] = ..., restart_count: _Optional[int] = ..., skipped_count: _Optional[int] = ..., kept_whole_count: _Optional[int] = ...) -> None: ...

class Reflector(_message.Message):
    __slots__ = ("namespace", "state", "last_error", "resource_version", "list_mode")
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    LIST_MODE_FIELD_NUMBER: _ClassVar[int]
    namespace: str
    state: _types_pb2.UpstreamState
    last_error: _types_pb2.UpstreamError
    resource_version: str
    list_mode: _types_pb2.ListMode
    def __init__(self, namespace: _Optional[str] = ..., state: _Optional[_Union[_types_pb2.UpstreamState, str]] = ..., last_error: _Optional[_Union[_types_pb2.UpstreamError, _Mapping]] = ..., resource_version: _Optional[str] = ..., list_mode: _Optional[_Union[_types_pb2.ListMode, str]] = ...) -> None: ...

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("epoch", "version", "api_versions", "features", "limits", "creates_informers", "default_namespaces", "default_label_selector")
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    API_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    CREATES_INFORMERS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_NAMESPACES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_LABEL_SELECTOR_FIELD_NUMBER: _ClassVar[int]
    epoch: str
    version: str
    api_versions: _containers.RepeatedScalarFieldContainer[str]
    features: _containers.RepeatedScalarFieldContainer[str]
    limits: ServerLimits
    creates_informers: bool
    default_namespaces: _containers.RepeatedScalarFieldContainer[str]
    default_label_selector: str
    def __init__(self, epoch: _Optional[str] = ..., version: _Optional[str] = ..., api_versions: _Optional[_Iterable[str]] = ..., features: _Optional[_Iterable[str]] = ..., limits: _Optional[_Union[ServerLimits, _Mapping]] = ..., creates_informers: _Optional[bool] = ..., default_namespaces: _Optional[_Iterable[str]] = ..., default_label_selector: _Optional[str] = ...) -> None: ...

class ServerLimits(_message.Message):
    __slots__ = ("max_watches", "max_informers", "max_page_size", "max_page_bytes", "max_batch_keys", "max_pinned_snapshots", "pinned_snapshot_ttl")
    MAX_WATCHES_FIELD_NUMBER: _ClassVar[int]
    MAX_INFORMERS_FIELD_NUMBER: _ClassVar[int]
    MAX_PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    MAX_PAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_KEYS_FIELD_NUMBER: _ClassVar[int]
    MAX_PINNED_SNAPSHOTS_FIELD_NUMBER: _ClassVar[int]
    PINNED_SNAPSHOT_TTL_FIELD_NUMBER: _ClassVar[int]
    max_watches: int
    max_informers: int
    max_page_size: int
    max_page_bytes: int
    max_batch_keys: int
    max_pinned_snapshots: int
    pinned_snapshot_ttl: _duration_pb2.Duration
    def __init__(self, max_watches: _Optional[int] = ..., max_informers: _Optional[int] = ..., max_page_size: _Optional[int] = ..., max_page_bytes: _Optional[int] = ..., max_batch_keys: _Optional[int] = ..., max_pinned_snapshots: _Optional[int] = ..., pinned_snapshot_ttl: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CreateInformerRequest(_message.Message):
    __slots__ = ("informer_id", "spec")
    INFORMER_ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    informer_id: str
    spec: _types_pb2.InformerSpec
    def __init__(self, informer_id: _Optional[str] = ..., spec: _Optional[_Union[_types_pb2.InformerSpec, _Mapping]] = ...) -> None: ...

class CreateInformerResponse(_message.Message):
    __slots__ = ("informer",)
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    informer: Informer
    def __init__(self, informer: _Optional[_Union[Informer, _Mapping]] = ...) -> None: ...

class GetInformerRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetInformerResponse(_message.Message):
    __slots__ = ("informer",)
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    informer: Informer
    def __init__(self, informer: _Optional[_Union[Informer, _Mapping]] = ...) -> None: ...

class ListInformersRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInformersResponse(_message.Message):
    __slots__ = ("informers", "next_page_token")
    INFORMERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    informers: _containers.RepeatedCompositeFieldContainer[Informer]
    next_page_token: str
    def __init__(self, informers: _Optional[_Iterable[_Union[Informer, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteInformerRequest(_message.Message):
    __slots__ = ("name", "force")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    force: bool
    def __init__(self, name: _Optional[str] = ..., force: _Optional[bool] = ...) -> None: ...

class DeleteInformerResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AddIndexersRequest(_message.Message):
    __slots__ = ("name", "indexers")
    NAME_FIELD_NUMBER: _ClassVar[int]
    INDEXERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    indexers: _containers.RepeatedCompositeFieldContainer[_types_pb2.Indexer]
    def __init__(self, name: _Optional[str] = ..., indexers: _Optional[_Iterable[_Union[_types_pb2.Indexer, _Mapping]]] = ...) -> None: ...

class AddIndexersResponse(_message.Message):
    __slots__ = ("informer",)
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    informer: Informer
    def __init__(self, informer: _Optional[_Union[Informer, _Mapping]] = ...) -> None: ...

class RemoveIndexersRequest(_message.Message):
    __slots__ = ("name", "index_names")
    NAME_FIELD_NUMBER: _ClassVar[int]
    INDEX_NAMES_FIELD_NUMBER: _ClassVar[int]
    name: str
    index_names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., index_names: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveIndexersResponse(_message.Message):
    __slots__ = ("informer",)
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    informer: Informer
    def __init__(self, informer: _Optional[_Union[Informer, _Mapping]] = ...) -> None: ...

class UpdateInformerRequest(_message.Message):
    __slots__ = ("name", "spec", "update_mask")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    name: str
    spec: _types_pb2.InformerSpec
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, name: _Optional[str] = ..., spec: _Optional[_Union[_types_pb2.InformerSpec, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class UpdateInformerResponse(_message.Message):
    __slots__ = ("informer",)
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    informer: Informer
    def __init__(self, informer: _Optional[_Union[Informer, _Mapping]] = ...) -> None: ...

class WaitForCacheSyncRequest(_message.Message):
    __slots__ = ("names", "timeout")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    timeout: _duration_pb2.Duration
    def __init__(self, names: _Optional[_Iterable[str]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WaitForCacheSyncResponse(_message.Message):
    __slots__ = ("statuses",)
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    statuses: _containers.RepeatedCompositeFieldContainer[_types_pb2.CacheStatus]
    def __init__(self, statuses: _Optional[_Iterable[_Union[_types_pb2.CacheStatus, _Mapping]]] = ...) -> None: ...
