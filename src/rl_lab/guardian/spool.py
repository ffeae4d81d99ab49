"""The guardian's output files: the journal of protocol lines and the log, both append-only.

On a full disk bytes stay pending; the guardian then stops reading from the worker and retries, so nothing is lost.
Standard library only. Paths are relative to an open directory, so a renamed run folder does not matter.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress

WAIT = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOENT)
"""Errors that a person can fix while we wait; the guardian notices a deleted folder."""
CREATE = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


class Spool:
    """Bytes on their way into a file; `pending` are those not written yet."""

    def __init__(self, folder_fd: int) -> None:
        self.folder_fd = folder_fd
        self.pending = bytearray()
        self.written = 0
        """In all files together."""
        self.size = 0
        """Of the current file."""
        self._fd = -1
        self._is_dirty = False
        self._is_cut = False
        """A block is partly on disk: the rest must go into the same file."""

    @property
    def is_blocked(self) -> bool:
        return bool(self.pending)

    def put(self, data: bytes | bytearray) -> None:
        self.pending += data
        self.write_out()

    def write_out(self) -> None:
        """Write what is pending. A full disk is not an error: the bytes stay pending."""
        try:
            if self._fd < 0 or (self.size and not self._is_cut and self.is_full()):
                self._next_file()
            while self.pending:
                done = os.write(self._fd, self.pending)
                del self.pending[:done]
                self.size += done
                self.written += done
                self._is_dirty = True
                self._is_cut = bool(self.pending)
        except OSError as error:
            if error.errno not in WAIT:
                raise

    def is_full(self) -> bool:
        raise NotImplementedError

    def open_next(self) -> int:
        """Open the next file, after rotating the current one if needed."""
        raise NotImplementedError

    def sync(self) -> None:
        if self._is_dirty:
            self._is_dirty = False
            try:
                os.fdatasync(self._fd)
            except OSError as error:
                if error.errno not in WAIT:
                    raise
                self._is_dirty = True

    def close(self) -> None:
        self.sync()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _next_file(self) -> None:
        fd = self.open_next()
        self.close()
        self._fd = fd
        self.size = os.fstat(fd).st_size
        os.fsync(self.folder_fd)


class JournalSpool(Spool):
    """Whole lines in numbered segments; a segment ends at a line's end."""

    def __init__(self, folder_fd: int, segment_bytes: int, line_bytes: int) -> None:
        super().__init__(folder_fd)
        self.segment_bytes = segment_bytes
        self.line_bytes = line_bytes
        self.dropped_lines = 0
        self._segment = 0
        self._half = bytearray()
        """The beginning of a line whose end has not arrived yet."""
        self._skipped = 0
        """Bytes of an over-long line dropped so far; 0 when not in one."""

    def feed(self, chunk: bytes) -> None:
        """Take a chunk of at most `line_bytes`: no line inside it can be too long, only one that began before."""
        first, newline, rest = chunk.partition(b"\n")
        if not newline:
            self._grow(chunk)
            return
        self._grow(first)
        self._end_line()
        cut = rest.rfind(b"\n") + 1
        self._half += rest[cut:]
        self.pending += rest[:cut]
        self.write_out()

    def end(self) -> None:
        """Terminate an unfinished last line; the reader decides whether it is valid."""
        if self._half or self._skipped:
            self._end_line()
        self.write_out()

    def is_full(self) -> bool:
        return self.size + len(self.pending) > self.segment_bytes

    def open_next(self) -> int:
        fd = os.open(f"{self._segment + 1:06d}.jsonl", CREATE, 0o600, dir_fd=self.folder_fd)
        self._segment += 1
        return fd

    def _grow(self, piece: bytes) -> None:
        if self._skipped:
            self._skipped += len(piece)
        elif len(self._half) + len(piece) > self.line_bytes:
            self._skipped = len(self._half) + len(piece)
            self._half.clear()
        else:
            self._half += piece

    def _end_line(self) -> None:
        if self._skipped:
            self.dropped_lines += 1
            self.pending += _warning(self._skipped, self.line_bytes)
            self._skipped = 0
        else:
            self.pending += self._half + b"\n"
            self._half.clear()


class LogSpool(Spool):
    """log.txt, and log.1.txt before it; each at most `log_bytes` long, and whole lines where a line fits."""

    def __init__(self, folder_fd: int, log_bytes: int) -> None:
        super().__init__(folder_fd)
        self.log_bytes = log_bytes

    def put(self, data: bytes | bytearray) -> None:
        while data:
            cut = self._fitting(data)
            super().put(data[:cut])
            data = data[cut:]

    def _fitting(self, data: bytes | bytearray) -> int:
        """How much of it goes into one file: the lines that fit the current one, or else the next."""
        room = self.log_bytes - self.size - len(self.pending)
        for most in (room, self.log_bytes):
            lines = data.rfind(b"\n", 0, most) + 1 if most > 0 else 0
            if lines:
                return lines
        return self.log_bytes if len(data) > self.log_bytes else len(data)

    def is_full(self) -> bool:
        return self.size + len(self.pending) > self.log_bytes

    def open_next(self) -> int:
        if self._fd >= 0:
            with suppress(FileNotFoundError):
                os.rename("log.txt", "log.1.txt", src_dir_fd=self.folder_fd, dst_dir_fd=self.folder_fd)
        return os.open("log.txt", CREATE, 0o600, dir_fd=self.folder_fd)


def _warning(size: int, limit: int) -> bytes:
    message = f"A line of {size:,} bytes was dropped: the limit is {limit:,} bytes."
    event = {"type": "log", "v": 1, "level": "warning", "code": "line-too-long", "message": message}
    return json.dumps(event).encode() + b"\n"
