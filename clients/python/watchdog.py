"""Ends a stream that went silent."""

import threading
import time

import grpc


class Watchdog:
    """Cancels a call when nothing was heard for a while: a connection may die without a word. One thread per stream."""

    def __init__(self, call: grpc.Call, seconds: float) -> None:
        self._call = call
        self._deadline = time.monotonic() + seconds
        self._wakes = self._deadline  # when the thread looks at the deadline next
        self._changed = threading.Condition()
        threading.Thread(target=self._run, daemon=True).start()

    def feed(self, seconds: float) -> None:
        """Something was heard: wait that long from now."""
        self._set(time.monotonic() + seconds)

    def stop(self) -> None:
        """The call is over."""
        self._set(float("-inf"))

    def _set(self, deadline: float) -> None:
        with self._changed:
            self._deadline = deadline
            # A later deadline wakes no thread: the thread sees it when the old one has passed.
            if deadline < self._wakes:
                self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while True:
                left = self._deadline - time.monotonic()
                if left <= 0:
                    break
                self._wakes = self._deadline
                self._changed.wait(left)
        self._call.cancel()
