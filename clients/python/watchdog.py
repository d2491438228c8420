"""Ends a stream that went silent."""

import threading
import time

import grpc


class Watchdog:
    """Cancels a call when nothing was heard for a while: a connection may die without a word. One thread per stream."""

    def __init__(self, call: grpc.Call, seconds: float) -> None:
        self._call = call
        self._deadline = time.monotonic() + seconds
        self._changed = threading.Condition()
        threading.Thread(target=self._run, daemon=True).start()

    def feed(self, seconds: float) -> None:
        """Something was heard: wait that long from now."""
        # Deadlines are looked at when the old one has passed, so feeding wakes no thread.
        self._deadline = time.monotonic() + seconds

    def stop(self) -> None:
        with self._changed:
            self._deadline = float("inf")
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while self._deadline != float("inf"):
                left = self._deadline - time.monotonic()
                if left <= 0:
                    self._call.cancel()
                    return
                self._changed.wait(left)
