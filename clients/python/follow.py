"""A watch that is kept open across everything that can end one.

             .--------------- jittered backoff <--------------.
             v                                                |
    load -> watch from token or snapshot -> apply -> save ... end of stream
"""

import random
import sys
import threading
import time

import grpc

from connection import MAX_DELAY_SECONDS, by_resource, in_namespace
from held import Held
from informer.v1alpha1 import subscription_pb2 as pb
from informer.v1alpha1 import subscription_pb2_grpc, types_pb2
from output import print_line
from watchdog import Watchdog

FIRST_DELAY_SECONDS = 0.1
# Bounds the work of saving: an older token with its own keys is right too, it only repeats some events.
SAVE_EVERY_SECONDS = 1.0
# How many bookmarks may fail to come before the stream is taken for dead.
SILENT_INTERVALS = 3
DEFAULT_BOOKMARK_SECONDS = 15.0

# Errors that no repetition cures. All others go away: a server that is not there, shuts down, or has not synced.
REQUEST_ERRORS = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
}


class SaveError(Exception):
    """The token file cannot be written."""


class Follower:
    """Follows one resource, or one namespace of it."""

    def __init__(
        self,
        channel: grpc.Channel,
        *,
        resource: str,
        namespace: str,
        projection: types_pb2.Projection,
        state_file: str,
        until_synced: bool,
        events: int,
    ) -> None:
        self._watches = subscription_pb2_grpc.SubscriptionServiceStub(channel)
        self._resource = resource
        self._namespace = namespace
        self._projection = projection
        self._state_file = state_file
        self._until_synced = until_synced
        self._events = events
        self._held = Held.load(state_file)
        self._saved = float("-inf")
        self._received = 0  # events printed
        self._failures = 0  # attempts since the last complete view
        self._pause = 0.0  # what the server asked for before the next attempt
        self._stopping = threading.Event()
        self._call: grpc.Call | None = None

    def stop(self) -> None:
        """Ends run(). May be called from any thread."""
        self._stopping.set()
        if self._call is not None:
            self._call.cancel()

    def run(self) -> None:
        """Follows until stop(), or the end that was asked for, or until the server says that the request is wrong."""
        try:
            while not self._stopping.is_set():
                try:
                    if self._watch():
                        return
                    reason = "the server ended the stream"
                except grpc.RpcError as error:
                    if self._stopping.is_set():
                        return
                    if error.code() in REQUEST_ERRORS:
                        raise
                    reason = f"{error.code().name}: {error.details()}"
                delay = self._next_delay()
                print(f"example.py: {reason}; next attempt in {delay:.3f} s", file=sys.stderr)
                self._stopping.wait(delay)
        finally:
            self._save()

    def _watch(self) -> bool:
        """Runs one stream to its end; true if the program is done."""
        self._call = call = self._watches.Watch(self._request())
        if self._stopping.is_set():  # stop() may have come just before there was something to cancel
            call.cancel()
        # informerd sends `created` at once and then at least a bookmark per interval: silence means a connection that
        # died without a word.
        silence = SILENT_INTERVALS * DEFAULT_BOOKMARK_SECONDS
        watchdog = Watchdog(call, silence)
        try:
            for response in call:
                if response.created.HasField("bookmark_interval"):
                    silence = SILENT_INTERVALS * response.created.bookmark_interval.ToTimedelta().total_seconds()
                if self._apply(response):
                    return True
                watchdog.feed(silence)
            return False
        finally:
            watchdog.stop()
            call.cancel()

    def _request(self) -> pb.WatchRequest:
        request = pb.WatchRequest(
            informer=by_resource(self._resource),
            filter=in_namespace(self._namespace),
            projection=self._projection,
            client_id="python-example",
        )
        if self._held.token:
            request.resume.token = self._held.token
        else:
            request.snapshot.SetInParent()
        return request

    def _apply(self, response: pb.WatchResponse) -> bool:
        """Takes one message: first its events, then its control frame, and last its token, which stands for all of
        them. True if the program is done."""
        control = response.WhichOneof("control")
        for position, event in enumerate(response.events, start=1):
            self._apply_event(event)
            self._received += 1
            if self._received == self._events:
                if position == len(response.events) and control is None:
                    self._keep_token(response)
                return True
        if control is not None:
            self._apply_control(control, response)
        self._keep_token(response)
        if control == "synced" and self._until_synced:
            return True
        if response.resume_token and time.monotonic() - self._saved >= SAVE_EVERY_SECONDS:
            self._save()
        return False

    def _keep_token(self, response: pb.WatchResponse) -> None:
        if response.resume_token:
            self._held.token = response.resume_token

    def _apply_event(self, event: pb.WatchEvent) -> None:
        key = (event.ref.namespace, event.ref.name)
        version = event.ref.resource_version
        if event.type == pb.EVENT_TYPE_DELETED:
            # The version of the deletion itself; the ref has that of the last state.
            version = event.resource_version
            self._held.remove(key)
        else:
            self._held.put(key, version)
        print_line(
            type=_name(pb.EventType, event.type, "EVENT_TYPE_"),
            cause=_name(pb.EventCause, event.cause, "EVENT_CAUSE_"),
            namespace=key[0],
            name=key[1],
            resourceVersion=version,
            revision=event.revision,
            bytes=len(event.object.data),
        )

    def _apply_control(self, control: str, response: pb.WatchResponse) -> None:
        frame = getattr(response, control)
        if control == "created":
            # A snapshot puts in doubt whatever is held, also if no `reset` announces it: the stream before this one may
            # have ended inside its snapshot, before there was a token.
            if frame.mode == pb.WATCH_MODE_SNAPSHOT:
                self._held.mark()
            else:
                self._held.unmark()
            print_line(control=control, mode=_name(pb.WatchMode, frame.mode, "WATCH_MODE_"), **_status(frame.status))
        elif control == "reset":
            self._held.mark()
            print_line(control=control, reason=_name(pb.ResetReason, frame.reason, "RESET_REASON_"))
        elif control == "synced":
            self._failures, self._pause = 0, 0.0
            for (namespace, name), version in self._held.sweep():
                print_line(
                    type="SWEPT",
                    cause="RESET",
                    namespace=namespace,
                    name=name,
                    resourceVersion=version,
                    revision=frame.status.revision,
                    bytes=0,
                )
            print_line(control=control, **_view(frame), **_status(frame.status))
        elif control == "bookmark":
            print_line(control=control, **_view(frame), **_status(frame.status), lagEvents=frame.lag_events)
        elif control == "terminating":
            self._pause = 1.0
            if frame.HasField("retry_delay"):
                self._pause = frame.retry_delay.ToTimedelta().total_seconds()
            print_line(control=control, reason=_name(pb.TerminatingReason, frame.reason, "TERMINATING_REASON_"))

    def _save(self) -> None:
        if not self._state_file:
            return
        self._saved = time.monotonic()
        try:
            self._held.save(self._state_file)
        except OSError as error:
            raise SaveError(f"saving the token: {error}") from error

    def _next_delay(self) -> float:
        """Doubles from attempt to attempt up to a cap, with jitter so that many clients do not come back at once."""
        delay = min(FIRST_DELAY_SECONDS * 2 ** min(self._failures, 10), MAX_DELAY_SECONDS)
        self._failures += 1
        at_least = max(delay / 2, self._pause)
        self._pause = 0.0
        return at_least + random.uniform(0, delay / 2)


def _name(enum: object, value: int, prefix: str) -> str:
    """The short name of an enum's value. Enums of replies are open: a newer server may send values without one."""
    try:
        return enum.Name(value).removeprefix(prefix)
    except ValueError:
        return str(value)


def _status(status: types_pb2.CacheStatus) -> dict[str, object]:
    return {
        "epoch": status.epoch,
        "revision": status.revision,
        "resourceVersion": status.resource_version,
        "upstreamState": _name(types_pb2.UpstreamState, status.upstream_state, "UPSTREAM_STATE_"),
    }


def _view(frame: pb.Synced | pb.Bookmark) -> dict[str, object]:
    # The digest as 16 hexadecimal digits: JSON numbers are not exact above 2^53.
    return {"objectCount": frame.object_count, "digest": f"{frame.digest:016x}"}
