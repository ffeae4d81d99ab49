"""A thousand viewers of one run's metrics stream: delay of each message, and no gaps or duplicates after reconnects.

The delay is measured from the worker's clock when it made the tick, so it includes guardian, ingest, store and fan-out.
"""

from __future__ import annotations

import asyncio
import re
import resource
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from bench.figures import Figure, at_least, at_most
from bench.servers import lab_process, quantile, start_run, wait_for

VIEWERS, SECONDS, RECONNECTS, BAR_MS = 1000, 20.0, 100, 250.0
TICK = re.compile(rb'event: metrics\nid: (\d+)\ndata: [^\n]*"timestamp":([0-9.e+]+)[^\n]*\n\n')


@dataclass(frozen=True)
class Seen:
    """A tick received by one viewer; all times in Unix seconds."""

    tick: int
    made_at: float
    came_at: float
    opened_at: float
    """When that connection was opened."""


def figures() -> list[Figure]:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with (
        tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder,
        lab_process(Path(folder), RL_LAB_FAKE_RUNNER="1", RL_LAB_MIN_FREE_BYTES="0") as lab,
        lab.client() as client,
    ):
        run_id = start_run(client, total_timesteps=10_000_000, params={"steps_per_second": 2000})
        wait_for(client, run_id, frozenset({"running"}))
        viewers = [Viewer(lab.url, f"/api/runs/{run_id}/stream", lab.token) for _ in range(VIEWERS)]
        used = lab.cpu_s()
        asyncio.run(watch(viewers, SECONDS, RECONNECTS))
        used = lab.cpu_s() - used
        client.post(f"/api/runs/{run_id}/stop")
        wait_for(client, run_id, frozenset({"stopped"}))
    return report(viewers, used)


def report(viewers: list[Viewer], used_s: float) -> list[Figure]:
    times = delays_ms(viewers)
    messages = sum(len(viewer.seen) for viewer in viewers)
    reconnects = sum(viewer.connections for viewer in viewers) - len(viewers)
    assert reconnects == RECONNECTS, reconnects
    return [
        at_most(
            f"{VIEWERS:,} SSE viewers at 4 Hz: worker to viewer, p99", quantile(times, 0.99), BAR_MS, " ms"
        ),
        at_most(f"gaps and duplicates after {reconnects} forced reconnects", count_faults(viewers), 0),
        at_least("messages per viewer and second", len(times) / len(viewers) / SECONDS, 3.5),
        at_most("CPU time of the lab per message", used_s / messages * 1e6, 250, " µs"),
    ]


class Viewer(asyncio.Protocol):
    """One viewer over all its connections. It only stores bytes with their time and parses them afterwards, so that
    the parsing of a thousand viewers in one process does not influence the measurement."""

    def __init__(self, url: str, path: str, token: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self._head = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self._chunks: list[tuple[float, bytes]] = []
        self._transport: asyncio.WriteTransport | None = None
        self.seen: list[Seen] = []
        self.connections = 0

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, self.host, self.port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self.connections += 1
        self._chunks = []
        last = f"Last-Event-ID: {self.seen[-1].tick}\r\n" if self.seen else ""
        transport.write(f"{self._head}{last}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._chunks.append((time.time(), data))

    def connection_lost(self, error: Exception | None) -> None:
        """Parses the bytes of this connection; an incomplete frame does not count."""
        text, ends = b"", []
        for at, data in self._chunks:
            text += data
            ends.append((len(text), at))
        opened = self._chunks[0][0] if self._chunks else 0.0
        for match in TICK.finditer(text):
            at = next(at for end, at in ends if end >= match.end())
            self.seen.append(Seen(int(match[1]), float(match[2]), at, opened))

    def close(self) -> None:
        """Aborts the connection, like a network failure."""
        if self._transport is not None:
            self._transport.abort()


async def watch(viewers: list[Viewer], seconds: float, reconnects: int) -> None:
    for first in range(0, len(viewers), 20):
        await asyncio.gather(*(viewer.connect() for viewer in viewers[first : first + 20]))
        await asyncio.sleep(0.1)
    for number in range(reconnects):
        await asyncio.sleep(seconds / reconnects)
        viewer = viewers[number * 7 % len(viewers)]
        viewer.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await viewer.connect()
    await asyncio.sleep(1)
    for viewer in viewers:
        viewer.close()
    await asyncio.sleep(0.5)


def count_faults(viewers: Iterable[Viewer]) -> int:
    """Number of ids that were skipped or received twice."""
    faults = 0
    for viewer in viewers:
        faults += sum(b.tick - a.tick != 1 for a, b in pairwise(viewer.seen))
    return faults


def delays_ms(viewers: list[Viewer]) -> list[float]:
    """Delays from the worker to each viewer; ticks from before the connection are left out."""
    return [(s.came_at - s.made_at) * 1000 for v in viewers for s in v.seen if s.made_at > s.opened_at]
