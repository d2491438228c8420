"""Where informerd is, and how to reach it."""

import os
from urllib.parse import urlsplit

import grpc

from informer.v1alpha1 import types_pb2

DEFAULT_SERVER = "unix:///run/informerd/informerd.sock"
MAX_DELAY_SECONDS = 5.0

VIEWS = {
    "reference": types_pb2.VIEW_REFERENCE,
    "metadata": types_pb2.VIEW_METADATA,
    "full": types_pb2.VIEW_FULL,
}


def server_from_environment() -> str:
    return os.environ.get("INFORMERD_SERVER") or DEFAULT_SERVER


def target_of(server: str) -> str:
    """The gRPC target of unix:///path or http://host:port."""
    address = urlsplit(server)
    if address.scheme == "unix" and not address.netloc and address.path:
        return "unix://" + address.path
    if address.scheme == "http" and address.hostname and address.port:
        return "dns:///" + address.netloc
    raise ValueError(f"server address {server!r} is neither unix:///path nor http://host:port")


def connect(server: str) -> grpc.Channel:
    """Opens a channel. It does not wait for the server."""
    target = target_of(server)
    options: list[tuple[str, object]] = [
        # The default lets the pause between connection attempts grow to two minutes. Calls fail during the pause, so a
        # sidecar that was away for long would be found again late.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", int(MAX_DELAY_SECONDS * 1000)),
        # The sidecar is local: a proxy of the environment is never on the way to it.
        ("grpc.enable_http_proxy", 0),
    ]
    if target.startswith("unix:"):
        # gRPC's C core, under Python, sends the path of the socket, percent-encoded, as the HTTP/2 authority. That is
        # not a valid one, and informerd's HTTP/2 library refuses the request with PROTOCOL_ERROR.
        options.append(("grpc.default_authority", "localhost"))
    return grpc.insecure_channel(target, options=options)


def by_resource(resource: str) -> types_pb2.InformerSelector:
    """The informer of a resource; informerd starts one if there is none."""
    return types_pb2.InformerSelector(resource=types_pb2.ResourceRef(resource=resource))


def projection_of(view: str) -> types_pb2.Projection:
    return types_pb2.Projection(view=VIEWS[view])


def in_namespace(namespace: str) -> types_pb2.Filter:
    """A filter of one namespace, or of all if it is empty."""
    return types_pb2.Filter(namespaces=[namespace] if namespace else [])
