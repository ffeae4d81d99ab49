"""A thousand viewers of one run's metrics stream: delay of each message, and no gap or double after reconnects.

    python -m bench.api_sse [--viewers 1000] [--seconds 20] [--reconnects 100]

The delay counts from the moment the first viewer has a tick, so it is the fan-out alone.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import resource
import tempfile
import time
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psutil

from bench.api_list import read_url, start

BAR_MS = 250.0
TICK = re.compile(rb"event: metrics\nid: (\d+)\ndata: [^\n]*\n\n")


class Viewer(asyncio.Protocol):
    """One viewer over all its connections. It only keeps bytes and their time; they are read afterwards, so that a
    thousand viewers in one process do not measure themselves."""

    def __init__(self, url: str, path: str, token: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self._head = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self._chunks: list[tuple[float, bytes]] = []
        self._transport: asyncio.WriteTransport | None = None
        self.seen: list[tuple[int, float, float]] = []
        """Tick, when it came, since when that connection was open."""
        self.connections = 0

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, self.host, self.port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self.connections += 1
        self._chunks = []
        last = f"Last-Event-ID: {self.seen[-1][0]}\r\n" if self.seen else ""
        transport.write(f"{self._head}{last}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._chunks.append((time.time(), data))

    def connection_lost(self, error: Exception | None) -> None:
        """Reads what this connection brought; a frame that was cut off does not count."""
        text, ends = b"", []
        for at, data in self._chunks:
            text += data
            ends.append((len(text), at))
        opened = self._chunks[0][0] if self._chunks else 0.0
        for match in TICK.finditer(text):
            at = next(at for end, at in ends if end >= match.end())
            self.seen.append((int(match[1]), at, opened))

    def close(self) -> None:
        """Hangs up in the middle, as a network does."""
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
    """Ids that were skipped or came twice."""
    faults = 0
    for viewer in viewers:
        ids = [i for i, _, _ in viewer.seen]
        faults += sum(b - a != 1 for a, b in pairwise(ids))
    return faults


def delays_ms(viewers: list[Viewer]) -> list[float]:
    """From the first viewer that has a tick to each other one; what a connection got as its past is left out."""
    first: dict[int, float] = {}
    for viewer in viewers:
        for tick, at, _ in viewer.seen:
            first[tick] = min(at, first.get(tick, at))
    return sorted((at - first[i]) * 1000 for v in viewers for i, at, opened in v.seen if first[i] > opened)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--reconnects", type=int, default=100)
    wanted = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        process = start(home, RL_LAB_FAKE_RUNNER="1", RL_LAB_MIN_FREE_BYTES="0")
        try:
            measure(read_url(process), (home / "token").read_text().strip(), process.pid, wanted)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def measure(url: str, token: str, pid: int, wanted: argparse.Namespace) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=30) as client:
        body = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "total_timesteps": 10_000_000,
                "params": {"steps_per_second": 2000}, "start": True, "evaluate_after": 0}  # fmt: skip
        run_id = client.post("/api/runs", json=body).raise_for_status().json()["id"]
        while client.get(f"/api/runs/{run_id}").json()["status"] != "running":
            time.sleep(0.05)
        lab = psutil.Process(pid)
        before = lab.cpu_times()
        viewers = [Viewer(url, f"/api/runs/{run_id}/stream", token) for _ in range(wanted.viewers)]
        asyncio.run(watch(viewers, wanted.seconds, wanted.reconnects))
        after = lab.cpu_times()
        report(viewers, wanted, (after.user + after.system - before.user - before.system) / wanted.seconds)
        print(f"memory of the lab    {lab.memory_info().rss / 1e6:.0f} MB")
        client.post(f"/api/runs/{run_id}/stop")
        while client.get(f"/api/runs/{run_id}").json()["status"] == "stopping":
            time.sleep(0.05)


def report(viewers: list[Viewer], wanted: argparse.Namespace, cpu: float) -> None:
    times = delays_ms(viewers)
    p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99) - 1]
    ticks = max(i for v in viewers for i, _, _ in v.seen) - min(i for v in viewers for i, _, _ in v.seen) + 1
    faults = count_faults(viewers)
    connections = sum(v.connections for v in viewers) - len(viewers)
    print(f"viewers {len(viewers)}, {ticks} ticks in {wanted.seconds:.0f} s, {len(times)} messages measured")
    print(
        f"delay p50 {p50:.0f} ms, p99 {p99:.0f} ms   bar {BAR_MS:.0f} ms   {'reached' if p99 < BAR_MS else 'MISSED'}"
    )
    print(
        f"gaps and doubles after {connections} reconnects: {faults}   {'reached' if faults == 0 else 'MISSED'}"
    )
    print(f"processor of the lab {cpu:.0%} of a core")


if __name__ == "__main__":
    main()
