"""The Bus passes what was just stored to current readers; it is fan-out only and stores nothing.

Topics for viewers: `runs` (any run changed), `studies` (any study changed), `queue` (its order or limits changed),
`alerts` (one has fired),
`run:<id>:status`,
`run:<id>:metrics` (ticks), `run:<id>:points` (new points of its series), `run:<id>:events`,
`run:<id>:artifacts` (its files have changed), `run:<id>:recordings` (more of an episode was stored). Topics inside the
lab, with listeners: `artifacts`, `folders`. Everything happens on the event loop. A reader that falls behind loses the
oldest messages and sees `lagged`; it then reads from the store after the last cursor it saw.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

CAPACITY = 64
"""Messages a subscription holds; a reader further behind than this reads from the store."""


@dataclass(frozen=True, slots=True)
class Message:
    topic: str
    cursor: int
    """Grows within a topic: tick id, event id, version of the run."""
    item: Any


class Bus:
    def __init__(self) -> None:
        self._readers: dict[str, set[Subscription]] = {}
        self._listeners: dict[str, list[Callable[[Any], None]]] = {}

    def publish(self, topic: str, cursor: int, item: Any) -> None:
        """One object for all readers: it is encoded at most once and must not be changed afterwards."""
        readers = self._readers.get(topic)
        if readers:
            message = Message(topic, cursor, item)
            for reader in readers:
                reader._put(message)
        for listener in self._listeners.get(topic, ()):
            listener(item)

    def listen(self, topic: str, listener: Callable[[Any], None]) -> None:
        """Calls a part of the lab with every item of the topic, within `publish`; none is lost."""
        self._listeners.setdefault(topic, []).append(listener)

    def subscribe(self, topics: Iterable[str], capacity: int = CAPACITY) -> Subscription:
        subscription = Subscription(self, capacity)
        for topic in topics:
            subscription.add(topic)
        return subscription

    def has_readers(self, topic: str) -> bool:
        return bool(self._readers.get(topic))

    def close(self) -> None:
        """Ends every subscription, so that open streams finish."""
        for reader in {r for readers in self._readers.values() for r in readers}:
            reader.close()


class Subscription:
    """The messages one reader has not read yet. Use as a context manager, or call `close`."""

    def __init__(self, bus: Bus, capacity: int) -> None:
        self._bus = bus
        self._waiting: deque[Message] = deque(maxlen=capacity)
        self._changed = asyncio.Event()
        self._topics: set[str] = set()
        self.lagged = False
        """Messages were lost since the last call of `take`; the store has them."""
        self.closed = False

    def add(self, topic: str) -> None:
        self._topics.add(topic)
        self._bus._readers.setdefault(topic, set()).add(self)

    def remove(self, topic: str) -> None:
        self._topics.discard(topic)
        readers = self._bus._readers.get(topic)
        if readers is not None:
            readers.discard(self)
            if not readers:
                del self._bus._readers[topic]

    async def take(self, timeout_s: float | None = None) -> list[Message]:
        """All waiting messages, oldest first; waits for the first. Empty on timeout or once closed."""
        if not self._waiting and not self.closed:
            try:
                await asyncio.wait_for(self._changed.wait(), timeout_s)
            except TimeoutError:
                return []
        self._changed.clear()
        taken = list(self._waiting)
        self._waiting.clear()
        return taken

    def take_lagged_flag(self) -> bool:
        """Whether messages were lost; resets the flag, for a reader that now reads from the store."""
        lagged, self.lagged = self.lagged, False
        return lagged

    def close(self) -> None:
        for topic in list(self._topics):
            self.remove(topic)
        self.closed = True
        self._changed.set()

    def _put(self, message: Message) -> None:
        if len(self._waiting) == self._waiting.maxlen:
            self.lagged = True
        self._waiting.append(message)
        self._changed.set()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def status_topic(run_id: str) -> str:
    return f"run:{run_id}:status"


def metrics_topic(run_id: str) -> str:
    return f"run:{run_id}:metrics"


def points_topic(run_id: str) -> str:
    return f"run:{run_id}:points"


def events_topic(run_id: str) -> str:
    return f"run:{run_id}:events"


def artifacts_topic(run_id: str) -> str:
    return f"run:{run_id}:artifacts"


def recordings_topic(run_id: str) -> str:
    return f"run:{run_id}:recordings"


RUNS_TOPIC = "runs"
STUDIES_TOPIC = "studies"
QUEUE_TOPIC = "queue"
ALERTS_TOPIC = "alerts"
CHANGED_ARTIFACTS_TOPIC = "artifacts"
"""A set of run ids: a commit changed their artifacts."""
FOLDERS_TOPIC = "folders"
"""A run id: its folder was packed or unpacked."""
