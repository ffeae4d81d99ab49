"""Closes what stays open, sockets and event streams, when the session of its browser ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SIGNED_OUT = 4401
"""Code of the close message of a socket whose session has ended."""


class EndingSessions(Protocol):
    def at_end(self, session_id: str, close: Callable[[], object]) -> AbstractContextManager[None]: ...


class UntilSignedOut:
    """An application whose open connections end with the session of the browser that made them."""

    def __init__(self, app: ASGIApp, sessions: EndingSessions, session_id: str) -> None:
        self._app = app
        self._sessions = sessions
        self._session_id = session_id
        self._has_ended = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        with ExitStack() as stack:

            def follow() -> None:
                stack.enter_context(self._sessions.at_end(self._session_id, lambda: self._end(task)))

            async def sender(message: Message) -> None:
                if _begins_stream(message):
                    follow()
                await send(message)

            if scope["type"] == "websocket":
                follow()
            try:
                await self._app(scope, receive, sender)
            except asyncio.CancelledError:
                if not self._has_ended:
                    raise
                task.uncancel()
                await send(_final(scope))

    def _end(self, task: asyncio.Task[None]) -> None:
        self._has_ended = True
        task.cancel()


def _begins_stream(message: Message) -> bool:
    """Ordinary answers are not cut off: they end by themselves."""
    if message["type"] != "http.response.start":
        return False
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")


def _final(scope: Scope) -> Message:
    if scope["type"] == "websocket":
        return {"type": "websocket.close", "code": SIGNED_OUT, "reason": "This browser was signed out."}
    return {"type": "http.response.body", "body": b"", "more_body": False}
