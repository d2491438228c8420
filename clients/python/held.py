"""What the client knows, in memory and in the token file."""

import base64
import json
import os
import tempfile

Key = tuple[str, str]  # namespace, name


class Held:
    """The objects that the client was told of and has not been told the end of, and the token to go on from.

    Both belong together: a token that is kept without the keys leaves those for ever that vanish while the client and
    the sidecar are down, since after a reset nothing says that they are gone.
    """

    def __init__(self) -> None:
        self.token = b""
        self.objects: dict[Key, str] = {}  # resourceVersion
        self._marked: set[Key] = set()  # what the snapshot being received has not confirmed yet

    def mark(self) -> None:
        """Begins a new snapshot: everything held is in doubt until it comes again."""
        self._marked = set(self.objects)

    def unmark(self) -> None:
        """No snapshot comes: what is held is completed by what follows."""
        self._marked = set()

    def put(self, key: Key, resource_version: str) -> None:
        self.objects[key] = resource_version
        self._marked.discard(key)

    def remove(self, key: Key) -> None:
        self.objects.pop(key, None)
        self._marked.discard(key)

    def sweep(self) -> list[tuple[Key, str]]:
        """Ends a snapshot: forgets the keys that did not come again and returns them in order, with their last
        resourceVersion."""
        gone = [(key, self.objects.pop(key)) for key in sorted(self._marked)]
        self._marked = set()
        return gone

    @classmethod
    def load(cls, path: str) -> "Held":
        """Reads the token file; a missing one means a client that knows nothing yet. The Go, Python and Java examples
        read each other's."""
        held = cls()
        if not path:
            return held
        try:
            with open(path, encoding="utf-8") as file:
                saved = json.load(file)
            held.token = base64.b64decode(saved["token"], validate=True)
            held.objects = {(namespace, name): version for namespace, name, version in saved["held"]}
        except FileNotFoundError:
            pass
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"token file {path}: {error!r}") from error
        return held

    def save(self, path: str) -> None:
        """Replaces the token file in one step, so that a crash leaves the old one or the new one, each whole."""
        content = json.dumps(
            {
                "token": base64.b64encode(self.token).decode("ascii"),
                "held": [[*key, version] for key, version in self.objects.items()],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )
        descriptor, temporary = tempfile.mkstemp(prefix=os.path.basename(path) + ".", dir=os.path.dirname(path) or ".")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(content + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
