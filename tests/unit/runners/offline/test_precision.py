"""Which precision a training has: chosen once, recorded among its parameters, and named in its event log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import LogEvent
from rl_lab.core.protocol.lines import parse_line
from rl_lab.core.runners import complete_params
from rl_lab.portable.control import Control
from rl_lab.runners.offline import learner, precision
from rl_lab.runners.offline.spec import SPEC
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry


def put_processor(monkeypatch: pytest.MonkeyPatch, *flags: str) -> None:
    monkeypatch.setattr(precision, "cpu_flags", lambda: list(flags))


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["avx512_bf16"], "bfloat16"),
        (["amx_bf16"], "bfloat16"),
        (["avx2", "bf16"], "float32"),
        ([], "float32"),
    ],
)
def test_the_automatic_precision_suits_the_processor(
    flags: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_processor(monkeypatch, *flags)
    for algorithm in SPEC.algorithms:
        assert complete_params(algorithm, None, {})["precision"] == expected
        assert complete_params(algorithm, None, {"precision": "float32"})["precision"] == "float32"


@pytest.mark.parametrize("recorded", ["bfloat16", "float32"])
def test_a_run_keeps_its_precision_on_another_processor(
    recorded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for flags in (["avx512_bf16"], ["avx2"]):
        put_processor(monkeypatch, *flags)
        assert learner.read_params("iql", {"precision": recorded}).precision == recorded


def write_states(folder: Path, count: int) -> Path:
    """One episode in an environment whose observations are numbers of states, encoded as one-hot."""
    last = np.arange(4) == 3
    with DatasetWriter(
        folder, observation_space=spaces.Discrete(count), action_space=spaces.Discrete(3)
    ) as writer:
        episode = EpisodeArrays(
            observations=np.arange(5),
            actions=np.array([0, 2, 1, 0]),
            rewards=np.ones(4),
            terminations=last,
            truncations=~last & last,
        )
        writer.add_episode(episode)
        writer.finish()
    return folder


def train(folder: Path, algorithm: str, states: int, **params: Any) -> list[Any]:
    """What a training of a few updates logged about its precision: level and message."""
    config = TrainConfig(
        runner="offline", algorithm=algorithm, total_timesteps=3, params={"net_arch": [128], **params}
    )
    dataset = write_states(folder / "dataset", states)
    job = Job(run_id="r1", config=config, run_dir=folder / "run", dataset_dir=dataset)
    written = folder / "events.jsonl"
    telemetry = Telemetry(os.open(written, os.O_WRONLY | os.O_CREAT))
    learner.train(Session(job, telemetry, Control(os.open(os.devnull, os.O_RDONLY))))
    telemetry.close()
    events = [parse_line(line) for line in written.read_bytes().splitlines()]
    return [
        (one.level, one.message) for one in events if isinstance(one, LogEvent) and one.code == "precision"
    ]


@pytest.mark.parametrize("algorithm", ["bc", "iql", "cql"])
@pytest.mark.parametrize(("flag", "level"), [("avx512_bf16", "info"), ("avx2", "warning")])
def test_the_event_log_names_the_rounding_of_a_wide_first_layer(
    flag: str, level: str, algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_processor(monkeypatch, flag)
    [(found, message)] = train(tmp_path, algorithm, 200, precision="bfloat16")
    assert found == level and "are multiplied with bfloat16" in message and "precision=float32" in message


@pytest.mark.parametrize(("states", "chosen"), [(20, "bfloat16"), (200, "float32")])
def test_the_event_log_is_silent_where_nothing_is_rounded(states: int, chosen: str, tmp_path: Path) -> None:
    assert train(tmp_path, "iql", states, precision=chosen) == []
