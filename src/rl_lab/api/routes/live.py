"""One WebSocket per page for everything that changes: subscribe to topics, get batches at most four times a second.

The page says {"op":"subscribe","topic":…,"since":…} and {"op":"unsubscribe","topic":…}; the lab sends
{"topic":…,"cursor":…,"items":[…]}, {"op":"ping"} every 15 s and {"op":"error",…}. A batch with `"reset":true`
means that the lab cannot tell what was missed: fetch the list again.
"""

from __future__ import annotations

import asyncio
import re

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from rl_lab.api.deps import HubDep, QueriesDep
from rl_lab.api.http.problems import plain_problem
from rl_lab.api.streams.feeds import Feed, Item, encode
from rl_lab.api.streams.sse import MAX_CURSOR, Viewer
from rl_lab.api.streams.stored import FIRST_TICKS, newest_points, stored_events, stored_ticks
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.orchestrator.bus import ALERTS_TOPIC, QUEUE_TOPIC, RUNS_TOPIC, STUDIES_TOPIC
from rl_lab.orchestrator.runs.queries import RunQueries

router = APIRouter()

KINDS = ("metrics", "points", "events", "status", "artifacts")
WHOLE = (RUNS_TOPIC, STUDIES_TOPIC, QUEUE_TOPIC, ALERTS_TOPIC)
"""Topics that are not about one run."""
TOPICS = (*WHOLE, *(f"run:<id>:{kind}" for kind in KINDS))
WITHOUT_HISTORY = (*WHOLE, "artifacts", "points")
"""A client that missed messages of these fetches the state over HTTP."""
TOPIC = re.compile(rf"{'|'.join(WHOLE)}|run:(?P<run_id>[0-9a-z]{{12}}):(?P<kind>{'|'.join(KINDS)})")
MAX_TOPICS = 256
BATCH_S = 0.25


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """What a page may say."""

    op: str
    topic: str = ""
    since: int | None = None


class Follower:
    """One topic as one socket follows it."""

    def __init__(self, queries: RunQueries, feed: Feed, since: int | None) -> None:
        match = TOPIC.fullmatch(feed.topic)
        assert match is not None
        self._queries = queries
        self.feed = feed
        self._run_id: str = match["run_id"] or ""
        self._kind: str = match["kind"] or feed.topic
        self._cursor = since

    async def batch(self) -> bytes | None:
        """What is new, as one message; None when nothing is."""
        if self._cursor is None:
            items, reset = await self._first(), False
        else:
            fresh = self.feed.after(self._cursor)
            reset = fresh is None and self._kind in WITHOUT_HISTORY
            items = await self._stored(self._cursor) if fresh is None else fresh
        if not items and not reset:
            return None
        self._cursor = items[-1].cursor if items else self.feed.newest
        return _message(self.feed.topic, self._cursor, self._newest_of_each(items), reset)

    async def _first(self) -> list[Item]:
        """What a new subscriber gets: the recent past, and a cursor to go on from."""
        self._cursor = self.feed.newest
        if self._kind == "metrics":
            ticks = await self._queries.ticks(self._run_id, after=-1, limit=FIRST_TICKS)
            return [Item(tick.id, tick) for tick in ticks]
        if self._kind == "events":
            events = await self._queries.events(self._run_id, limit=FIRST_TICKS)
            return [Item(event.id, event) for event in sorted(events, key=lambda e: e.id)]
        if self._kind == "points":
            return await newest_points(self._queries, self._run_id, self._cursor)
        return await self._stored(self._cursor)

    async def _stored(self, cursor: int) -> list[Item]:
        if self._kind == "metrics":
            return await stored_ticks(self._queries, self._run_id, cursor)
        if self._kind == "events":
            return await stored_events(self._queries, self._run_id, cursor)
        if self._kind == "status":
            newest = self.feed.newest
            return [Item(newest, await self._queries.get_run(self._run_id))]
        return []

    def _newest_of_each(self, items: list[Item]) -> list[Item]:
        """Topics that carry whole runs need only the last word about each."""
        if self._kind in {"metrics", "events"}:
            return items
        return list({getattr(item.value, "id", item.cursor): item for item in items}.values())


def _message(topic: str, cursor: int, items: list[Item], reset: bool) -> bytes:
    head = b'{"topic":%s,"cursor":%d,' % (encode(topic), cursor)
    flag = b'"reset":true,' if reset else b""
    return head + flag + b'"items":[' + b",".join(item.body for item in items) + b"]}"


class Channel:
    """One open socket and what it follows."""

    def __init__(self, socket: WebSocket, queries: RunQueries, viewer: Viewer) -> None:
        self._socket = socket
        self._queries = queries
        self._viewer = viewer
        self._followers: dict[str, Follower] = {}
        self._errors: list[bytes] = []

    async def listen(self) -> None:
        """Reads what the page says until it leaves."""
        try:
            while True:
                message = await self._socket.receive_text()
                try:
                    await self._obey(_parse(message))
                except LabError as error:
                    self._errors.append(encode({"op": "error", **plain_problem(error)}))
                self._viewer.changed.set()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            # KeyError: a binary message, which receive_text cannot read; such a peer does not speak our language.
            self._viewer.leave()

    async def _obey(self, request: Request) -> None:
        if request.op == "subscribe":
            match = TOPIC.fullmatch(request.topic)
            if match is None:
                raise InvalidInput.of_field("topic", "There is no such topic.", list(TOPICS))
            if len(self._followers) >= MAX_TOPICS and request.topic not in self._followers:
                raise InvalidInput.of_field("topic", f"One socket follows at most {MAX_TOPICS} topics.")
            if match["run_id"]:
                await self._queries.get_run(match["run_id"])
            feed = self._viewer.hub.join(request.topic, self._viewer.changed)
            self._followers[request.topic] = Follower(self._queries, feed, request.since)
        elif request.op == "unsubscribe":
            follower = self._followers.pop(request.topic, None)
            if follower is not None:
                self._viewer.hub.leave(follower.feed, self._viewer.changed)
        elif request.op != "pong":
            raise InvalidInput.of_field("op", "There is no such op.", ["subscribe", "unsubscribe", "pong"])

    async def speak(self) -> None:
        """Sends batches until nobody listens."""
        while not self._viewer.gone:
            messages = await self._batches()
            for message in messages:
                await self._socket.send_text(message.decode())
            if messages:
                await asyncio.sleep(BATCH_S)
            elif not await self._viewer.wait():
                await self._socket.send_text('{"op":"ping"}')

    async def _batches(self) -> list[bytes]:
        messages, self._errors = self._errors, []
        for topic, follower in list(self._followers.items()):
            try:
                message = await follower.batch()
            except LabError as error:
                self._followers.pop(topic, None)
                self._viewer.hub.leave(follower.feed, self._viewer.changed)
                message = encode({"op": "error", "topic": topic, **plain_problem(error)})
            if message is not None:
                messages.append(message)
        return messages

    def close(self) -> None:
        for follower in self._followers.values():
            self._viewer.hub.leave(follower.feed, self._viewer.changed)


@router.websocket("/api/live")
async def live(socket: WebSocket, queries: QueriesDep, hub: HubDep) -> None:
    await socket.accept()
    with hub.viewer() as changed:
        viewer = Viewer(hub, changed)
        channel = Channel(socket, queries, viewer)
        listener = asyncio.create_task(channel.listen())
        try:
            await channel.speak()
            if hub.closing:
                await socket.close(1001, "The lab is closing.")
        except (WebSocketDisconnect, RuntimeError):
            pass  # It left while we were sending.
        finally:
            listener.cancel()
            channel.close()


def _parse(message: str) -> Request:
    try:
        request = msgspec.json.decode(message, type=Request)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise InvalidInput(
            f"This is not a message the lab understands: {error}.",
            next_step='Send {"op":"subscribe","topic":"runs"}.',
        ) from None
    if request.since is not None and not 0 <= request.since <= MAX_CURSOR:
        raise InvalidInput.of_field("since", "It must be a cursor the lab sent.")
    return request
