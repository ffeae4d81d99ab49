"""The checksum of a file, computed by a thread while the file is read for the import."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from rl_lab.core.errors import InvalidInput

BLOCK = 1 << 20


class Checksum:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = _stamp(path)
        self._digest = hashlib.sha256()
        self._error: OSError | None = None
        self._is_ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Checksum:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_ended.set()
        self._thread.join()

    def compare(self, expected: str | None) -> str:
        """Waits for the checksum; InvalidInput when it is another one, or when the file has changed meanwhile."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        found = self._digest.hexdigest()
        if _stamp(self._path) != self._seen:
            raise InvalidInput(
                f"{self._path.name} was changed while it was read. Nothing was imported.",
                next_step="Import it again when nothing writes to it.",
            )
        if expected is not None and found != expected.strip().lower():
            raise InvalidInput(
                f"{self._path.name} has the SHA-256 {found[:12]}…, not {expected.strip()[:12]}…: it was changed or cut "
                "on its way. Nothing was imported.",
                next_step="Get the file again from where it came.",
            )
        return found

    def _run(self) -> None:
        try:
            with self._path.open("rb", buffering=0) as file:
                while not self._is_ended.is_set() and (block := file.read(BLOCK)):
                    self._digest.update(block)
        except OSError as error:
            self._error = error


def _stamp(path: Path) -> tuple[int, ...]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
