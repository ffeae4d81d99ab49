"""A download is named after its run and keeps what it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.datasets.operations import DatasetConfig, ExportDataset
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.download_names import download_name
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TRAINING = TrainConfig(algorithm="ppo", env_id="CartPole-v1")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("clips/episode_12.gif", "episode-12.gif"),
        ("clips/clip_20260131-120000_123.mp4", "clip-20260131-120000-123.mp4"),
        ("eval/eval_20260131-120000-123.mp4", "evaluation-20260131-120000-123.mp4"),
        ("video.mp4", "evaluation.mp4"),
        ("checkpoints/step-000012000.zip", "step-000012000.zip"),
        ("files/LICENSE", "LICENSE"),
    ],
)
def test_a_file_of_a_training_keeps_what_it_is(path: str, expected: str) -> None:
    name = download_name(_run("PPO on CartPole-v1 · seed 3", TRAINING), _file(path))
    assert name == f"PPO-CartPole-v1-seed-3-{expected}"


def test_a_film_is_named_after_its_training() -> None:
    job = _run("Film of PPO on CartPole-v1 · seed 3", FilmConfig(run_id="r1"))
    assert download_name(job, _file("film.mp4")) == "PPO-CartPole-v1-seed-3-film.mp4"


def test_an_export_has_the_name_of_its_dataset_once() -> None:
    export = ExportDataset(do="export", of=DatasetChoice(name="cart pole", version=2), format="npz")
    job = _run("Export of cart pole@v2", DatasetConfig(operation=export))
    assert download_name(job, _file("files/export/cart pole-v2.npz")) == "cart-pole-v2.npz"


def _run(name: str, config: JobConfig) -> Run:
    return Run(id="r1", kind=config.kind, name=name, config=config, created_at=NOW, updated_at=NOW)


def _file(path: str) -> Artifact:
    return Artifact(id="a1", run_id="r1", path=path, kind="file", created_at=NOW)
