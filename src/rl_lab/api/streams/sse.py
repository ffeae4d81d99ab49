"""Server-sent events: a response that stays open and sends the frames of a generator."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rl_lab.api.streams.feeds import Hub
from rl_lab.core.errors import InvalidInput

HEARTBEAT = b": still here\n\n"
RETRY = b"retry: 1000\n\n"
MAX_CURSOR = 2**53


class Viewer:
    """One open stream: sleeps until there may be new messages, and detects that the reader disconnected."""

    def __init__(self, hub: Hub, changed: asyncio.Event) -> None:
        self.hub = hub
        self.changed = changed
        self._gone = False

    @property
    def gone(self) -> bool:
        return self._gone or self.hub.closing

    def leave(self) -> None:
        self._gone = True
        self.changed.set()

    async def wait(self) -> bool:
        """True if there may be new messages, False if it is time for a heartbeat."""
        await self.changed.wait()
        self.changed.clear()
        return not self.hub.take_beat(self.changed)


Frames = Callable[[Viewer], AsyncIterator[bytes]]


class EventStream(StreamingResponse):
    """Sends frames until they end, the reader disconnects or the lab closes."""

    def __init__(self, hub: Hub, frames: Frames) -> None:
        super().__init__(
            (),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        self._hub = hub
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._hub.viewer() as changed:
            viewer = Viewer(self._hub, changed)
            # Only a listener is notified when the reader disconnects.
            listener = asyncio.create_task(_leave_on_disconnect(viewer, receive))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": RETRY, "more_body": True})
                async for frame in self._frames(viewer):
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            finally:
                listener.cancel()


async def _leave_on_disconnect(viewer: Viewer, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.leave()


def wants_stream(request: Request) -> bool:
    return "text/event-stream" in request.headers.get("accept", "")


def resume_cursor(last_event_id: str | None) -> int | None:
    """The `Last-Event-ID` of a reconnecting reader; None if it sends none."""
    if last_event_id is None or last_event_id == "":
        return None
    if not re.fullmatch(r"[0-9]{1,16}", last_event_id) or int(last_event_id) > MAX_CURSOR:
        raise InvalidInput.of_field(
            "Last-Event-ID", "It must be the `id` of an event of this stream.", "digits"
        )
    return int(last_event_id)
