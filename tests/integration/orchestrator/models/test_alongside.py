"""Evaluations alongside a training: fixed seeds, a curve of their own, and nothing of the training changes."""

from __future__ import annotations

from typing import Any

import pytest
from support.server import command
from support.studio import Studio, train

from rl_lab.worker.repeating.weight_digests import weights_digest

STEPS, EVERY = 16_384, 4096


@pytest.fixture(scope="module")
def evaluated(studio: Studio) -> str:
    """The same training as the expert's, evaluated alongside."""
    return train(studio.server, name="evaluated", total_timesteps=STEPS, evaluate_every=EVERY)


def test_the_training_is_the_same_bit_by_bit(studio: Studio, evaluated: str) -> None:
    assert _episodes(studio, evaluated) == _episodes(studio, studio.expert)
    digests = {weights_digest(studio.file(run, "model.safetensors")) for run in (evaluated, studio.expert)}
    assert len(digests) == 1
    curves = [_points(studio, run, "mean_reward") for run in (evaluated, studio.expert)]
    assert curves[0] == curves[1]


def test_each_evaluation_is_a_point_at_its_checkpoint_and_the_highest_is_the_best(
    studio: Studio, evaluated: str
) -> None:
    points = _points(studio, evaluated, "evaluation/return_mean")
    steps = [step for step, _ in points]
    assert steps == sorted(set(steps))
    files = studio.server.client.get(f"/api/runs/{evaluated}/artifacts").json()
    checkpoints = [file for file in files if file["kind"] == "checkpoint"]
    by_step = {c["timestep"]: c["evaluation"] for c in checkpoints if c["role"] != "best" and c["evaluation"]}
    last = max(c["timestep"] for c in checkpoints)
    assert last in by_step, "the last checkpoint is always evaluated"
    for step, score in by_step.items():
        assert (score["protocol"], score["episodes"], score["deterministic"]) == ("evaluate_every", 5, True)
        assert score["mean"] == dict(points)[step]
    [best] = [c for c in checkpoints if c["role"] == "best"]
    assert best["evaluation_mean"] == max(value for _, value in points)
    assert len(studio.events(evaluated, "checkpoint_evaluated")) == len(points)


def test_the_training_can_be_verified_and_its_best_checkpoint_evaluated_by_name(
    studio: Studio, evaluated: str
) -> None:
    job = studio.job(f"/api/runs/{evaluated}/verifications", tolerance=0)
    assert job["summary"]["result"]["verdict"] == "identical"
    done = command(studio.home, "evaluate", f"{evaluated}@best", "--no-video", "-e", "1")
    assert done.returncode == 0, done.stderr
    assert "best by evaluation on 5 fixed seeds" in done.stdout


def _episodes(studio: Studio, run_id: str) -> list[dict[str, Any]]:
    found = studio.episodes(run_id, sort="episode", limit=200)
    return [{k: e[k] for k in ("episode", "env", "seed", "reward", "length", "timestep")} for e in found]


def _points(studio: Studio, run_id: str, name: str) -> list[tuple[int, float]]:
    answer = studio.server.client.get(f"/api/runs/{run_id}/metrics", params={"names": name})
    assert answer.status_code == 200, answer.text
    series = answer.json()["series"][name]
    return list(zip(series["step"], series["value"], strict=True))
