"""Text files that grow with the journal: what they hold beyond the length last committed is cut and written again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


class GrowingFile:
    def __init__(self, path: Path, committed: int) -> None:
        self._path = path
        self._fd = -1
        self._size = -1
        self.committed = committed
        """Bytes that belong to the stored position of the journal."""

    def append(self, pieces: Sequence[bytes]) -> int:
        """Writes after the committed length; returns the length to commit. May be repeated until it is."""
        if not pieces:
            return self.committed
        data = b"".join(pieces)
        if self._fd < 0:
            flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._fd = os.open(self._path, flags, 0o644)
            self._size = os.fstat(self._fd).st_size
            # After a loss of power the file may be shorter than what was committed: never fill with zeros.
            self.committed = min(self.committed, self._size)
        if self._size != self.committed:
            os.ftruncate(self._fd, self.committed)
        # Should the write fail half-way, the next try cuts it off.
        self._size = -1
        offset = self.committed
        view = memoryview(data)
        while view:
            written = os.pwrite(self._fd, view, offset)
            offset += written
            view = view[written:]
        self._size = offset
        return offset

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
