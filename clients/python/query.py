"""Unary calls: an index lookup and a get."""

import grpc

from connection import by_resource, in_namespace
from informer.v1alpha1 import cache_pb2, cache_pb2_grpc, types_pb2
from output import print_bytes, print_line

# Bounds a unary call. It is longer than informerd's own wait for a cache that is not synced (3 s).
CALL_TIMEOUT_SECONDS = 10


def list_by_index(
    channel: grpc.Channel, resource: str, namespace: str, index: str, value: str, page_size: int
) -> None:
    """Prints the objects that stand under a value of an index, page by page. All pages come from the snapshot that the
    first one was served from."""
    cache = cache_pb2_grpc.CacheServiceStub(channel)
    selection = in_namespace(namespace)
    selection.index.name = index
    selection.index.values.append(value)
    request = cache_pb2.ListObjectsRequest(
        informer=by_resource(resource),
        filter=selection,
        projection=types_pb2.Projection(view=types_pb2.VIEW_REFERENCE),
        page_size=page_size,
    )
    while True:
        page = cache.ListObjects(request, timeout=CALL_TIMEOUT_SECONDS)
        for found in page.objects:
            print_line(
                namespace=found.ref.namespace, name=found.ref.name, resourceVersion=found.ref.resource_version
            )
        # A short page is not the end; an empty token is.
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def get(channel: grpc.Channel, resource: str, namespace: str, name: str) -> None:
    """Prints the JSON of one object as the API server sent it, apart from what informerd's transform cuts."""
    cache = cache_pb2_grpc.CacheServiceStub(channel)
    response = cache.GetObject(
        cache_pb2.GetObjectRequest(
            informer=by_resource(resource), key=types_pb2.ObjectKey(namespace=namespace, name=name)
        ),
        timeout=CALL_TIMEOUT_SECONDS,
    )
    body = response.object.object
    if body.omitted:
        raise ValueError(f"the body was omitted: {types_pb2.Omitted.Name(body.omitted)}")
    print_bytes(body.data)
