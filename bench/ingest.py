"""One worker that floods the lab: nothing lost or doubled, and what the event loop feels of it.

python -m bench.ingest [--rate 100000] [--seconds 60] [--kind step|metric|episode]

Reports events sent, stored and sampled out, how far the store was behind at the end of the flood, the lag of the
event loop, and the time of a small read through the database, as an API call would do it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from pathlib import Path

from rl_lab.core.runs import FINAL
from rl_lab.orchestrator.lab import Lab, NewRun
from rl_lab.settings import Settings

BAR_MS = 100.0
LOOK_S = 0.005


async def watch_loop(lags: list[float]) -> None:
    """How much later than asked the loop wakes us."""
    while True:
        due = time.perf_counter() + LOOK_S
        await asyncio.sleep(LOOK_S)
        lags.append(time.perf_counter() - due)


async def ask(lab: Lab, run_id: str, times: list[float]) -> None:
    """What an API call does: one run by id, and a page of its events."""
    while True:
        began = time.perf_counter()
        await lab.get_run(run_id)
        await lab.events(run_id, limit=20)
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0.02)


async def flood(home: Path, rate: float, seconds: float, kind: str) -> bool:
    lab = Lab(Settings(home=home, min_free_bytes=0))
    await lab.start()
    try:
        return await _flood(lab, rate, seconds, kind)
    finally:
        await lab.close()


async def _flood(lab: Lab, rate: float, seconds: float, kind: str) -> bool:
    await lab.environments()
    params = {"flood_events_per_s": rate, "flood_seconds": seconds, "flood_kind": kind}
    new = NewRun(
        env_id="CartPole-v1",
        algorithm="toy",
        runner="fake",
        total_timesteps=100,
        params=params,
        start=True,
        seed=1,
    )
    run = await lab.create_run(new)
    lags: list[float] = []
    times: list[float] = []
    watchers = [asyncio.create_task(watch_loop(lags)), asyncio.create_task(ask(lab, run.id, times))]
    began, cpu = time.perf_counter(), time.process_time()
    while run.status not in FINAL:
        await asyncio.sleep(0.1)
        run = await lab.get_run(run.id)
    wall, used = time.perf_counter() - began, time.process_time() - cpu
    for watcher in watchers:
        watcher.cancel()
    await asyncio.gather(*watchers, return_exceptions=True)
    return report(await lab.counters(run.id), kind, int(rate * seconds), (wall, used, seconds), lags, times)


def report(
    counters: dict[str, int],
    kind: str,
    flooded: int,
    clock: tuple[float, float, float],
    lags: list[float],
    times: list[float],
) -> bool:
    wall, used, seconds = clock
    sent, stored = counters.get("sent", 0), counters.get("stored", 0)
    sampled_out, of_kind = counters.get("sampled_out", 0), counters.get(f"type:{kind}", 0)
    is_exact = sent == stored + sampled_out and of_kind >= flooded and not counters.get("lost")
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    cost_us = used / max(1, sent) * 1e6
    lag = f"p50 {share(lags, 0.5):.1f}  p99 {share(lags, 0.99):.1f}  max {max(lags) * 1e3:.1f}"
    read = f"p50 {share(times, 0.5):.1f}  p99 {share(times, 0.99):.1f}  max {max(times) * 1e3:.1f}"
    print(f"{kind}: {of_kind:,} of {flooded:,} arrived")
    print(f"sent {sent:,} = stored {stored:,} + sampled out {sampled_out:,}; exact: {is_exact}")
    print(f"lost {counters.get('lost', 0)}, broken {counters.get('broken', 0)}")
    print(f"wall {wall:.1f} s for a flood of {seconds:.0f} s; {cost_us:.2f} µs of this process per event")
    print(f"loop lag ms: {lag}")
    print(f"read ms: {read} (bar {BAR_MS:.0f})")
    print(f"memory of this process at most {memory_mb:.0f} MB")
    return is_exact and share(times, 0.99) < BAR_MS


def share(seconds: list[float], part: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=100_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kind", choices=["step", "metric", "episode"], default="step")
    given = parser.parse_args()
    os.environ["RL_LAB_FAKE_RUNNER"] = "1"
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        is_good = asyncio.run(flood(Path(folder), given.rate, given.seconds, given.kind))
    return 0 if is_good else 1


if __name__ == "__main__":
    raise SystemExit(main())
