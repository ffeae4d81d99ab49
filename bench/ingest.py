"""One worker sends 100,000 step events per second: none is lost or duplicated, and the API stays responsive."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import httpx2

from bench.figures import Figure, at_least, at_most
from bench.servers import FINAL, LabProcess, lab_process, quantile, start_run
from rl_lab.store.telemetry import TelemetryReader

RATE, SECONDS, BAR_MS = 100_000, 60, 100.0
ASK_S = 0.02


def figures() -> list[Figure]:
    with (
        tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder,
        lab_process(Path(folder), RL_LAB_FAKE_RUNNER="1", RL_LAB_MIN_FREE_BYTES="0") as lab,
        lab.client() as client,
    ):
        client.get("/api/environments")
        times, wall, cpu = flood(lab, client)
        run_id = client.get("/api/runs").json()["items"][0]["id"]
        with TelemetryReader(Path(folder) / "runs" / run_id / "telemetry.db") as telemetry:
            counters = telemetry.counters()
            kept = sum(1 for _ in telemetry.steps_tail(10_000_000))
    return report(counters, kept, times, wall, cpu)


def flood(lab: LabProcess, client: httpx2.Client) -> tuple[list[float], float, float]:
    """Milliseconds of each response meanwhile; seconds until everything is stored; CPU seconds of the lab."""
    params = {"flood_events_per_s": RATE, "flood_seconds": SECONDS, "flood_kind": "step"}
    began, used, times = time.perf_counter(), lab.cpu_s(), []
    run_id = start_run(client, total_timesteps=100, params=params)
    paths = (f"/api/runs/{run_id}", f"/api/runs/{run_id}/events?limit=20", "/api/runs?limit=20")
    while True:
        for path in paths:
            asked = time.perf_counter()
            answer = client.get(path)
            times.append((time.perf_counter() - asked) * 1000)
            assert answer.status_code == 200, answer.text
            time.sleep(ASK_S)
        if client.get(f"/api/runs/{run_id}").json()["status"] in FINAL:
            return times, time.perf_counter() - began, lab.cpu_s() - used


def report(counters: dict[str, int], kept: int, times: list[float], wall: float, cpu: float) -> list[Figure]:
    sent, stored, sampled = (counters.get(name, 0) for name in ("sent", "stored", "sampled_out"))
    steps = counters.get("type:step", 0)
    # A step is either kept, or counted as sampled out on arrival, or counted as pruned later.
    missing = steps - sampled - kept - counters.get("steps_pruned", 0)
    unaccounted = abs(sent - stored - sampled) + abs(missing) + counters.get("lost", 0)
    return [
        at_least(f"flood of {RATE:,} events/s for {SECONDS} s: events that arrived", steps, RATE * SECONDS),
        at_most("of them lost, duplicated or unaccounted for", unaccounted, 0),
        at_most("API response time meanwhile, p99", quantile(times, 0.99), BAR_MS, " ms"),
        at_most("time from the end of the flood until the last event is stored", wall - SECONDS, 15, " s"),
        at_most("CPU time of the lab per event", cpu / max(1, sent) * 1e6, 8, " µs"),
    ]
