"""The lab as a server process: sockets, uvicorn, and a quick shutdown."""

from __future__ import annotations

import asyncio
import errno
import gc
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI

from rl_lab.api.app import create_app, open_lab
from rl_lab.api.http.connections import ConnectionTable, LabConnection, log_no_refusals
from rl_lab.api.http.logs import LOG_CONFIG, clean_log
from rl_lab.api.warm_up import warm_up
from rl_lab.api.watchdog import END_WITHIN_S, Watchdog
from rl_lab.core.errors import NotReady
from rl_lab.orchestrator.private_files import private_files
from rl_lab.settings import Settings

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared with, not bound to
"""The address by which this machine reaches a lab that listens on all addresses."""
GRACE_S = 1
LOOK_S = 0.1
LOOKS_PER_S = 10
LEAVE_S = 0.005
MAX_MESSAGE_BYTES = 64 << 10
MAX_OPEN_FILES = 16384


class LabServer(uvicorn.Server):
    """uvicorn with the lab inside; `on_ready` is called once it answers at `url`. Its process ends with it."""

    def __init__(
        self,
        settings: Settings,
        on_ready: Callable[[LabServer], None] = lambda _: None,
        *,
        for_commands: bool = False,
        end_within_s: float = END_WITHIN_S,
    ) -> None:
        self.app = create_app(settings)
        self.listener = bind(settings.host, settings.port)
        host, port = self.listener.getsockname()[:2]
        host = ANY_ADDRESS.get(host, host)
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self.ended_by: int | None = None
        self._on_ready = on_ready
        self._for_commands = for_commands
        self._watchdog = Watchdog(end_within_s)
        super().__init__(_config(self.app))
        self.server_state: ConnectionTable = ConnectionTable(_allow_many_connections())

    def new_ticket(self) -> str:
        """For a sign-in link; may be called from any thread."""
        ticket: str = self.app.state.keyring.tickets.issue()
        return ticket

    def run_lab(self) -> None:
        """Serves until it is stopped; raises the error that kept the lab from starting."""
        try:
            with private_files():
                self.run(sockets=[self.listener])
        finally:
            self.listener.close()

    async def _serve(self, sockets: list[socket.socket] | None = None) -> None:
        # The lab lives around uvicorn, not in its lifespan, whose errors become log lines and `sys.exit(3)`.
        try:
            async with open_lab(self.app):
                await super()._serve(sockets)
        finally:
            self._watchdog.begin()  # also after an error: asyncio waits for all threads before it reports one

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.app.state.lab.announce(self.url, for_commands=self._for_commands)
        # Objects of the imported modules live forever; the garbage collector need not visit them between two answers.
        gc.freeze()
        gc.enable()
        self._on_ready(self)
        if not self._for_commands:  # such a lab may end after one request
            self._warming = asyncio.create_task(warm_up(self.app), name="warm-up")

    async def main_loop(self) -> None:
        """uvicorn checks ten times a second whether it should end; this loop can also be woken."""
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        ticks = 0
        while not await self.on_tick(ticks):
            ticks = (ticks + 1) % 864_000
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._ending.wait()

    async def on_tick(self, counter: int) -> bool:
        if counter % LOOKS_PER_S == 0:
            self.server_state.close_late(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def end(self) -> None:
        """Ends the lab in order; may be called from any thread."""
        self.should_exit = True
        with suppress(RuntimeError):  # the loop is gone already
            self._loop.call_soon_threadsafe(self._ending.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watchdog.begin()
        # Open streams end by themselves once their hub closes; without this they would use up the grace time.
        self.app.state.hub.close()
        for server in self.servers:
            server.close()
        if not await self._is_quiet():
            await super().shutdown(sockets)

    async def _is_quiet(self) -> bool:
        """Whether no client is connected: then no grace time is needed."""
        for _ in range(4):
            if not self.server_state.connections and not self.server_state.tasks:
                return True
            await asyncio.sleep(LEAVE_S)
        return False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal ends the lab in order, a second one at once; neither is raised again afterwards."""
        self._watchdog.begin()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self.ended_by = sig


def bind(host: str, port: int) -> socket.socket:
    """A listening socket, opened before anything heavy, so that a busy port is reported at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise _cannot_bind(host, port, error) from None
    listener.set_inheritable(False)
    return listener


def _allow_many_connections() -> int:
    """How many files may be open: each viewer is one, and many systems allow only 1,024 by default."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return MAX_OPEN_FILES if soft == resource.RLIM_INFINITY else soft


def _cannot_bind(host: str, port: int, error: OSError) -> NotReady:
    if error.errno == errno.EADDRINUSE:
        return NotReady(
            f"Port {port} of {host} is taken by another program.",
            next_step="Choose another one with --port; `rl-lab serve --port 0` takes any free one.",
        )
    return NotReady(
        f"The lab cannot listen on {host}:{port}: {error.strerror or error}.",
        next_step="Use --host 127.0.0.1 and a port above 1023.",
    )


def _config(app: FastAPI) -> uvicorn.Config:
    clean_log()
    config = uvicorn.Config(
        app,
        log_config=LOG_CONFIG,
        log_level="warning",
        access_log=False,
        http=LabConnection,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
        lifespan="off",
    )
    log_no_refusals()  # after uvicorn has set up its loggers
    return config
