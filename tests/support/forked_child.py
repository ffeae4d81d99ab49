"""A child process of a lab, forked from a preloaded process: importing what it needs takes a second and more.

It is not a child of the lab in the eyes of the kernel, and has the command line of the preloaded process.
"""

from __future__ import annotations

import asyncio
import os
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping, Sequence
from contextlib import suppress

from support.forked_lab import ForkedProcess, request_fork


class ForkedChild:
    """The part of `asyncio.subprocess.Process` that the lab uses."""

    def __init__(
        self, process: ForkedProcess, stdin: StreamWriter, stdout: StreamReader, stderr: StreamReader
    ) -> None:
        self._process = process
        self.pid, self.returncode = process.pid, process.returncode
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self._ended = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().add_reader(process.answers, self._on_end)

    def kill(self) -> None:
        if self.returncode is None:
            self._process.kill()

    async def wait(self) -> int:
        code: int = await asyncio.shield(self._ended)
        return code

    async def communicate(self, given: bytes) -> tuple[bytes, bytes]:
        out, err, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self._write(given))
        await self.wait()
        return out, err

    async def _write(self, given: bytes) -> None:
        self.stdin.write(given)
        with suppress(ConnectionError):
            await self.stdin.drain()
        self.stdin.close()

    def _on_end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.answers)
        self.returncode = self._process.wait(0)
        self._ended.set_result(self.returncode)


async def fork_child(
    requests: socket.socket,
    module: str,
    arguments: Sequence[str],
    env: Mapping[str, str],
    *,
    limit: int = 1 << 16,
) -> ForkedChild:
    (orders, stdin), (stdout, reports), (stderr, errors) = os.pipe(), os.pipe(), os.pipe()

    def fork() -> ForkedProcess:
        try:
            streams = (orders, reports, errors)
            return ForkedProcess(request_fork(requests, module, arguments, env, streams), None)
        finally:
            for fd in streams:
                os.close(fd)

    # In a thread: the preloaded process imports everything at its first request.
    forking = asyncio.ensure_future(asyncio.to_thread(fork))
    try:
        process = await asyncio.shield(forking)
    except asyncio.CancelledError:
        forking.add_done_callback(lambda done: done.result().kill())
        for fd in (stdin, stdout, stderr):
            os.close(fd)
        raise
    return ForkedChild(
        process, await _writer(stdin), await _reader(stdout, limit), await _reader(stderr, limit)
    )


async def _reader(fd: int, limit: int) -> StreamReader:
    reader = StreamReader(limit)
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(fd, "rb", buffering=0))
    return reader


async def _writer(fd: int) -> StreamWriter:
    loop = asyncio.get_running_loop()
    file = os.fdopen(fd, "wb", buffering=0)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, file)
    return StreamWriter(transport, protocol, None, loop)
