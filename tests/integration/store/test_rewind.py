"""A run that resumes from an older checkpoint: its telemetry equals that of a run that was not stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rl_lab.guardian.files import Launch
from rl_lab.orchestrator.ingest.journal_tail import Tail
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.telemetry.recorded_events import ExpectedEvents, read_events

STEPS = 10


def lines(first: int, last: int) -> list[dict[str, Any]]:
    """Episodes first … last, each with ten steps, a metric and a recording."""
    found: list[dict[str, Any]] = []
    for number in range(first, last + 1):
        step = (number + 1) * STEPS
        trace = {"start": 0, "count": STEPS, "actions": "AAEAAQABAAEAAQ=="}
        episode = {"episode": number, "env": 0, "seed": number, "steps": STEPS, "timestep": step}
        found.append(
            {"type": "episode", **episode, "return": float(number % 7), "terminated": True, "trace": trace}
        )
        found.append({"type": "metric", "values": {"loss": 1 / step}, "step": step})
    if first == 0:
        context = {"env_id": "CartPole-v1", "action": {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}}
        found.insert(0, {"type": "config", **context})
    return found


def follow(home: Path, attempt: int, sent: list[dict[str, Any]], timestep0: int = 0) -> Tail:
    folder = RunFolder(home, "r1")
    attempts = AttemptFolder(folder.path, attempt)
    folder.path.mkdir(parents=True, exist_ok=True)
    attempts.prepare({}, Launch(argv=["true"]))
    text = "".join(json.dumps({"t": 1000.0 + i, "seq": i, **one}) + "\n" for i, one in enumerate(sent))
    (attempts.journal / "000001.jsonl").write_text(text)
    tail = Tail(
        folder,
        attempts,
        timestep0=timestep0,
        total_timesteps=40_000,
        steps_per_second=20,
        recording_budget_bytes=1 << 20,
    )
    tail.expect_end()
    while not tail.is_drained:
        tail.advance(lambda tail, result: None)
    tail.close()
    return tail


def contents(home: Path) -> tuple[ExpectedEvents, list[str], list[bool]]:
    folder = RunFolder(home, "r1")
    jsonl = [
        json.dumps({key: value for key, value in json.loads(line).items() if key != "t"})
        for line in folder.metrics_jsonl.read_text().splitlines()
    ]
    with TelemetryReader(folder.telemetry, "r1") as reader:
        recorded = [reader.recording(number) is not None for number in range(1500)]
    return read_events(folder.telemetry, 10**9), jsonl, recorded


def test_telemetry_after_a_resume_equals_that_of_a_run_that_was_not_stopped(tmp_path: Path) -> None:
    whole = follow(tmp_path / "whole", 1, lines(0, 1299))
    # More than a sealed chunk of a series and of recordings is dropped; the metric of the checkpoint's step stays.
    follow(tmp_path / "broken", 1, lines(0, 1150))
    resumed = follow(tmp_path / "broken", 2, lines(990, 1299), timestep0=990 * STEPS)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    assert resumed.progress.summary == whole.progress.summary
    assert resumed.progress.progress is not None and resumed.progress.progress.episodes == 1300


def test_an_attempt_that_begins_at_the_first_step_again_drops_all_that_was_before(tmp_path: Path) -> None:
    follow(tmp_path / "whole", 1, lines(0, 29))
    follow(tmp_path / "broken", 1, lines(0, 20))
    resumed = follow(tmp_path / "broken", 2, lines(0, 29), timestep0=0)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")
    assert resumed.progress.progress is not None and resumed.progress.progress.episodes == 30


def test_ids_of_ticks_continue_after_a_rewind(tmp_path: Path) -> None:
    follow(tmp_path, 1, lines(0, 20))
    folder = RunFolder(tmp_path, "r1")
    with TelemetryReader(folder.telemetry, "r1") as reader:
        newest = reader.ticks_tail(1)[0].id
    follow(tmp_path, 2, lines(11, 14), timestep0=110)
    with TelemetryReader(folder.telemetry, "r1") as reader:
        assert all(tick.timestep > 110 for tick in reader.ticks_after(newest))
        assert all(tick.timestep <= 150 for tick in reader.ticks_tail(1000))
        assert reader.ticks_after(newest), "a client that was at the newest tick gets the new ones"
