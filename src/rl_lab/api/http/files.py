"""An open file as an answer: ETag, If-None-Match, If-Range and one byte range."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from typing import BinaryIO

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rl_lab.api.http.problems import problem_response, status_problem

CHUNK = 256 << 10
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def disposition(name: str, *, inline: bool = False) -> str:
    """A Content-Disposition; `name` comes from `core.words.file_names`, so it needs no quoting."""
    return f'{"inline" if inline else "attachment"}; filename="{name}"'


class FileBytes(Response):
    """Sends what of `file` was asked for, and closes it."""

    def __init__(
        self,
        file: BinaryIO,
        *,
        request: Request,
        wanted: str | None,
        headers: Mapping[str, str],
        etag: str | None = None,
    ) -> None:
        self._file = file
        status = os.fstat(file.fileno())
        self._size = status.st_size
        # Also of a file whose digest is known: it may have grown since that was taken.
        parts = (etag, f"{status.st_mtime_ns:x}", f"{self._size:x}")
        tag = f'"{"-".join(part for part in parts if part)}"'
        super().__init__(headers={**headers, "ETag": tag, "Accept-Ranges": "bytes"})
        if_range = request.headers.get("if-range")
        wanted = wanted if if_range in (None, tag) else None
        self._span = find_span(wanted, self._size)
        self._fresh = tag in request.headers.get("if-none-match", "")
        self._head_only = request.method == "HEAD"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if self._fresh:
                await self._start(send, 304, 0)
            elif self._span is None:
                problem = status_problem(
                    416, f"The file has {self._size} bytes; the range lies outside of them."
                )
                headers = {"Content-Range": f"bytes */{self._size}"}
                await problem_response(problem, headers)(scope, receive, send)
            else:
                await self._send_span(send, *self._span)
        finally:
            self._file.close()

    async def _send_span(self, send: Send, first: int, end: int) -> None:
        is_part = (first, end) != (0, self._size)
        if is_part:
            self.headers["Content-Range"] = f"bytes {first}-{end - 1}/{self._size}"
        end_sent = first if self._head_only else end
        await self._start(send, 206 if is_part else 200, end - first, more=end_sent > first)
        self._file.seek(first)
        while first < end_sent:
            chunk = await asyncio.to_thread(self._file.read, min(CHUNK, end_sent - first))
            if not chunk:
                return  # The file shrank under us; the server closes the connection as incomplete.
            first += len(chunk)
            await send({"type": "http.response.body", "body": chunk, "more_body": first < end_sent})

    async def _start(self, send: Send, status: int, length: int, more: bool = False) -> None:
        if status == 304:
            del self.headers["content-length"]
        else:
            self.headers["content-length"] = str(length)
        await send({"type": "http.response.start", "status": status, "headers": self.raw_headers})
        if not more:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


def find_span(wanted: str | None, size: int) -> tuple[int, int] | None:
    """First byte and end of what a Range header asks for; the whole file for what is not one range, None if outside."""
    match = RANGE.fullmatch(wanted.replace(" ", "")) if wanted else None
    if match is None or match.groups() == ("", ""):
        return 0, size
    first, last = match.groups()
    if first == "":
        return (max(0, size - int(last)), size) if int(last) and size else None
    if int(first) >= size or (last and int(last) < int(first)):
        return None
    return int(first), min(int(last) + 1, size) if last else size
