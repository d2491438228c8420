import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from informer.v1alpha1 import types_pb2 as _types_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetObjectRequest(_message.Message):
    __slots__ = ("informer", "key", "projection", "read")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    key: _types_pb2.ObjectKey
    projection: _types_pb2.Projection
    read: _types_pb2.ReadOptions
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., key: _Optional[_Union[_types_pb2.ObjectKey, _Mapping]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class GetObjectResponse(_message.Message):
    __slots__ = ("object", "status", "snapshot")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    object: _types_pb2.CachedObject
    status: _types_pb2.CacheStatus
    snapshot: str
    def __init__(self, object: _Optional[_Union[_types_pb2.CachedObject, _Mapping]] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class BatchGetObjectsRequest(_message.Message):
    __slots__ = ("informer", "keys", "projection", "read")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    keys: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    projection: _types_pb2.Projection
    read: _types_pb2.ReadOptions
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., keys: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class BatchGetObjectsResponse(_message.Message):
    __slots__ = ("objects", "missing", "status", "snapshot")
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    objects: _containers.RepeatedCompositeFieldContainer[_types_pb2.CachedObject]
    missing: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    status: _types_pb2.CacheStatus
    snapshot: str
    def __init__(self, objects: _Optional[_Iterable[_Union[_types_pb2.CachedObject, _Mapping]]] = ..., missing: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class ListObjectsRequest(_message.Message):
    __slots__ = ("informer", "filter", "projection", "read", "page_size", "page_token", "allow_unpinned")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_UNPINNED_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    projection: _types_pb2.Projection
    read: _types_pb2.ReadOptions
    page_size: int
    page_token: str
    allow_unpinned: bool
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., allow_unpinned: _Optional[bool] = ...) -> None: ...

class ListObjectsResponse(_message.Message):
    __slots__ = ("objects", "next_page_token", "status", "snapshot")
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    objects: _containers.RepeatedCompositeFieldContainer[_types_pb2.CachedObject]
    next_page_token: str
    status: _types_pb2.CacheStatus
    snapshot: str
    def __init__(self, objects: _Optional[_Iterable[_Union[_types_pb2.CachedObject, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class ListObjectKeysRequest(_message.Message):
    __slots__ = ("informer", "filter", "read", "page_size", "page_token", "allow_unpinned")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_UNPINNED_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    read: _types_pb2.ReadOptions
    page_size: int
    page_token: str
    allow_unpinned: bool
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., allow_unpinned: _Optional[bool] = ...) -> None: ...

class ListObjectKeysResponse(_message.Message):
    __slots__ = ("keys", "next_page_token", "status", "snapshot")
    KEYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[_types_pb2.ObjectKey]
    next_page_token: str
    status: _types_pb2.CacheStatus
    snapshot: str
    def __init__(self, keys: _Optional[_Iterable[_Union[_types_pb2.ObjectKey, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class StreamObjectsRequest(_message.Message):
    __slots__ = ("informer", "filter", "projection", "read", "max_receive_bytes")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PROJECTION_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    MAX_RECEIVE_BYTES_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    projection: _types_pb2.Projection
    read: _types_pb2.ReadOptions
    max_receive_bytes: int
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., projection: _Optional[_Union[_types_pb2.Projection, _Mapping]] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ..., max_receive_bytes: _Optional[int] = ...) -> None: ...

class StreamObjectsResponse(_message.Message):
    __slots__ = ("objects", "chunk", "summary")
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    objects: _containers.RepeatedCompositeFieldContainer[_types_pb2.CachedObject]
    chunk: ObjectChunk
    summary: StreamSummary
    def __init__(self, objects: _Optional[_Iterable[_Union[_types_pb2.CachedObject, _Mapping]]] = ..., chunk: _Optional[_Union[ObjectChunk, _Mapping]] = ..., summary: _Optional[_Union[StreamSummary, _Mapping]] = ...) -> None: ...

class ObjectChunk(_message.Message):
    __slots__ = ("ref", "encoding", "data", "offset", "last")
    REF_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    ref: _types_pb2.ObjectRef
    encoding: _types_pb2.Encoding
    data: bytes
    offset: int
    last: bool
    def __init__(self, ref: _Optional[_Union[_types_pb2.ObjectRef, _Mapping]] = ..., encoding: _Optional[_Union[_types_pb2.Encoding, str]] = ..., data: _Optional[bytes] = ..., offset: _Optional[int] = ..., last: _Optional[bool] = ...) -> None: ...

class StreamSummary(_message.Message):
    __slots__ = ("object_count", "digest", "status", "snapshot")
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    object_count: int
    digest: int
    status: _types_pb2.CacheStatus
    snapshot: str
    def __init__(self, object_count: _Optional[int] = ..., digest: _Optional[int] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., snapshot: _Optional[str] = ...) -> None: ...

class ListIndexValuesRequest(_message.Message):
    __slots__ = ("informer", "index", "read", "page_size", "page_token")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    index: str
    read: _types_pb2.ReadOptions
    page_size: int
    page_token: str
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., index: _Optional[str] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class IndexValue(_message.Message):
    __slots__ = ("value", "object_count")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    value: str
    object_count: int
    def __init__(self, value: _Optional[str] = ..., object_count: _Optional[int] = ...) -> None: ...

class ListIndexValuesResponse(_message.Message):
    __slots__ = ("values", "next_page_token", "status")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedCompositeFieldContainer[IndexValue]
    next_page_token: str
    status: _types_pb2.CacheStatus
    def __init__(self, values: _Optional[_Iterable[_Union[IndexValue, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ...) -> None: ...

class CountObjectsRequest(_message.Message):
    __slots__ = ("informer", "filter", "group_by_index", "read")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    GROUP_BY_INDEX_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    filter: _types_pb2.Filter
    group_by_index: str
    read: _types_pb2.ReadOptions
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., filter: _Optional[_Union[_types_pb2.Filter, _Mapping]] = ..., group_by_index: _Optional[str] = ..., read: _Optional[_Union[_types_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class CountObjectsResponse(_message.Message):
    __slots__ = ("object_count", "groups", "status", "groups_truncated")
    OBJECT_COUNT_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    GROUPS_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    object_count: int
    groups: _containers.RepeatedCompositeFieldContainer[IndexValue]
    status: _types_pb2.CacheStatus
    groups_truncated: bool
    def __init__(self, object_count: _Optional[int] = ..., groups: _Optional[_Iterable[_Union[IndexValue, _Mapping]]] = ..., status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ..., groups_truncated: _Optional[bool] = ...) -> None: ...

class WaitForResourceVersionRequest(_message.Message):
    __slots__ = ("informer", "resource_version", "timeout")
    INFORMER_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    informer: _types_pb2.InformerSelector
    resource_version: str
    timeout: _duration_pb2.Duration
    def __init__(self, informer: _Optional[_Union[_types_pb2.InformerSelector, _Mapping]] = ..., resource_version: _Optional[str] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WaitForResourceVersionResponse(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: _types_pb2.CacheStatus
    def __init__(self, status: _Optional[_Union[_types_pb2.CacheStatus, _Mapping]] = ...) -> None: ...
