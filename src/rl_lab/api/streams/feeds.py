"""The newest messages of each topic, shared by all viewers of live streams; each message is encoded once.

A viewer pulls: it asks its feed for the messages after its cursor and sleeps if there are none. The feed answers
from a short ring buffer, or tells the viewer to read from the store first. So there are no queues per viewer, a
slow viewer costs nothing, and a reconnect has no gaps and no duplicates.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from pydantic import BaseModel

from rl_lab.orchestrator.bus import ALERTS_TOPIC, QUEUE_TOPIC, RUNS_TOPIC, STUDIES_TOPIC, Bus, Message

Wanted = Callable[[Any], bool]
RING = 256
INBOX = 8192
HEARTBEAT_S = 15
"""Interval of the heartbeats that a viewer gets if nothing happens."""


class Item:
    """One message as bytes of JSON; its SSE form is made when the first viewer needs it."""

    __slots__ = ("_sse", "body", "cursor", "value")

    def __init__(self, cursor: int, value: Any) -> None:
        self.cursor = cursor
        self.value = value
        self.body = encode(value)
        self._sse: bytes | None = None

    def sse(self, event: str) -> bytes:
        if self._sse is None:
            self._sse = sse_frame(event, self.body, self.cursor)
        return self._sse


ENCODING = orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z | orjson.OPT_SERIALIZE_NUMPY


def encode(value: Any) -> bytes:
    if isinstance(value, BaseModel):
        return value.model_dump_json().encode()
    return orjson.dumps(value, default=_plain, option=ENCODING)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} cannot be sent")


def sse_frame(event: str, body: bytes, cursor: int | None = None) -> bytes:
    """JSON contains no raw newlines, so one `data:` line is always enough."""
    head = f"event: {event}\n" if cursor is None else f"event: {event}\nid: {cursor}\n"
    return head.encode() + b"data: " + body + b"\n\n"


class Feed:
    """The newest messages of one topic."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.viewers: dict[asyncio.Event, Wanted | None] = {}
        """The viewers to wake, and for which items; None = for all items."""
        self.latest: Item | None = None
        self.first_look: Any = None
        """The run of a status topic as read by its first viewer, until something newer is published."""
        self._ring: deque[Item] = deque(maxlen=RING)
        # Messages with whole runs, changed files or new points are not stored. They are numbered here, with numbers
        # above those of earlier server processes.
        is_whole = topic in (RUNS_TOPIC, STUDIES_TOPIC, QUEUE_TOPIC, ALERTS_TOPIC)
        has_history = not is_whole and not topic.endswith((":status", ":artifacts", ":points"))
        self._serial = None if has_history else time.time_ns() // 1000

    @property
    def newest(self) -> int:
        if self._serial is not None:
            return self._serial
        return self.latest.cursor if self.latest else 0

    def put(self, message: Message) -> None:
        cursor = message.cursor
        if self._serial is not None:
            self._serial += 1
            cursor = self._serial
        elif self.latest is not None and cursor <= self.latest.cursor:
            return
        self.latest = Item(cursor, message.item)
        self._ring.append(self.latest)
        for changed, is_wanted in self.viewers.items():
            if is_wanted is None or is_wanted(message.item):
                changed.set()

    def after(self, cursor: int) -> list[Item] | None:
        """The messages after `cursor`; None if the ring buffer does not reach back that far."""
        if self._serial is not None and not self._ring:
            return [] if cursor == self._serial else None
        if not self._ring or cursor < self._ring[0].cursor - 1:
            return None
        fresh: list[Item] = []
        for item in reversed(self._ring):
            if item.cursor <= cursor:
                break
            fresh.append(item)
        fresh.reverse()
        return fresh

    def prefill(self, older: list[Item]) -> None:
        """Adds messages that one viewer read from the store, so that the next viewer finds them in memory.

        Only for topics whose cursors increase by one; for others this could hide a gap.
        """
        if not self._ring:
            self._ring.extend(older[-RING:])
            self.latest = self._ring[-1] if self._ring else None
            return
        room = RING - len(self._ring)
        fitting = [item for item in older if item.cursor < self._ring[0].cursor]
        if room and fitting and fitting[-1].cursor == self._ring[0].cursor - 1:
            self._ring.extendleft(reversed(fitting[-room:]))

    def forget(self) -> None:
        """Clears the ring buffer after messages were lost; viewers continue from the store."""
        self._ring.clear()
        if self._serial is not None:
            self._serial += 1
        for changed in self.viewers:
            changed.set()


class Hub:
    """All feeds that have viewers, filled from one subscription of the bus."""

    def __init__(self, bus: Bus) -> None:
        self.closing = False
        self._subscription = bus.subscribe([], capacity=INBOX)
        self._feeds: dict[str, Feed] = {}
        self._everyone: dict[asyncio.Event, int] = {}
        """All viewers, each with the second in which it gets its heartbeat."""
        self._turn = 0
        self._beaten: set[asyncio.Event] = set()
        self._pump = asyncio.create_task(self._run(), name="feeds")
        self._heart = asyncio.create_task(self._beat(), name="heartbeats")

    @contextmanager
    def viewer(self) -> Iterator[asyncio.Event]:
        """An event that is set when there may be new messages for this viewer, or when the hub closes."""
        changed = asyncio.Event()
        # The current turn, so that the first heartbeat comes after a full round.
        self._everyone[changed] = self._turn
        try:
            yield changed
        finally:
            self._everyone.pop(changed, None)
            self._beaten.discard(changed)

    def take_beat(self, changed: asyncio.Event) -> bool:
        """Whether this viewer was woken for a heartbeat since the last call."""
        if changed in self._beaten:
            self._beaten.remove(changed)
            return True
        return False

    def join(self, topic: str, changed: asyncio.Event, is_wanted: Wanted | None = None) -> Feed:
        feed = self._feeds.get(topic)
        if feed is None:
            feed = self._feeds[topic] = Feed(topic)
            self._subscription.add(topic)
        feed.viewers[changed] = is_wanted
        return feed

    def find(self, topic: str) -> Feed | None:
        """The feed of a topic that already has viewers."""
        return self._feeds.get(topic)

    def leave(self, feed: Feed, changed: asyncio.Event) -> None:
        feed.viewers.pop(changed, None)
        if not feed.viewers and self._feeds.get(feed.topic) is feed:
            del self._feeds[feed.topic]
            self._subscription.remove(feed.topic)

    def close(self) -> None:
        """Wakes all viewers, so that open streams end immediately."""
        self.closing = True
        self._subscription.close()
        for changed in self._everyone:
            changed.set()

    async def wait_closed(self) -> None:
        self.close()
        self._heart.cancel()
        await asyncio.gather(self._pump, self._heart, return_exceptions=True)

    async def _beat(self) -> None:
        """One clock for all viewers, which wakes a part of them each second; a timer per viewer would cost too much."""
        while True:
            await asyncio.sleep(1)
            self._turn = (self._turn + 1) % HEARTBEAT_S
            for changed, turn in self._everyone.items():
                if turn == self._turn:
                    self._beaten.add(changed)
                    changed.set()

    async def _run(self) -> None:
        while not self.closing:
            for message in await self._subscription.take():
                feed = self._feeds.get(message.topic)
                if feed is not None:
                    feed.put(message)
            if self._subscription.take_lagged_flag():
                for feed in list(self._feeds.values()):
                    feed.forget()
