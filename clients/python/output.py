"""Lines of JSON on standard output."""

import json
import sys


def print_line(**fields: object) -> None:
    """Writes one line, at once."""
    sys.stdout.write(json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def print_bytes(data: bytes) -> None:
    """Writes bytes as they are, and a line end."""
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()
