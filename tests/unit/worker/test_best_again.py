"""After a rewind the best checkpoint is what it was at that step, or the best of those that remain."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from rl_lab.core.job_file import Job, KeptCheckpoint
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.best_again import restore_best
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.telemetry import Telemetry

SCORES = {400: 50.0, 500: 70.0, 800: 60.0, 1200: 55.0}
"""By step; the one at step 500 was saved for a pause, so the training does not remember its score."""


class Sent(Telemetry):
    def __init__(self) -> None:
        super().__init__(-1)
        self.best: list[dict[str, Any]] = []

    def checkpoint(self, **fields: Any) -> None:
        self.best.append(fields)


def rewound(run_dir: Path, *, without: int = 0) -> tuple[Job, Sent]:
    """A training that resumes from step 1,200; the file of one step is gone."""
    folder = run_dir / "checkpoints"
    folder.mkdir()
    for step in SCORES:
        if step != without:
            (folder / f"{step}.zip").write_text(str(step))
    kept = [
        KeptCheckpoint(
            path=f"checkpoints/{step}.zip",
            timestep=step,
            sha256=hashlib.sha256(str(step).encode()).hexdigest(),
            score=score,
            score_episodes=20,
            parts=[{"path": f"checkpoints/replay/{step}.npz", "sha256": ""}],
        )
        for step, score in SCORES.items()
    ]
    config = TrainConfig(algorithm="toy", env_id="Toy-v0", total_timesteps=2000)
    job = Job(run_id="r", config=config, run_dir=run_dir, resume_from="checkpoints/1200.zip", kept=kept)
    return job, Sent()


def test_the_best_checkpoint_is_the_one_it_was_at_that_step(tmp_path: Path) -> None:
    job, sent = rewound(tmp_path)
    assert restore_best(job, sent, BestScore(60.0, 20).state()) == BestScore(60.0, 20)
    assert (tmp_path / "checkpoints" / "best.zip").read_text() == "800"
    [told] = sent.best
    assert (told["path"], told["role"], told["timestep"]) == ("checkpoints/best.zip", "best", 800)
    assert told["parts"] == job.kept[2].parts, "its replay buffer is kept with it"


def test_without_its_file_the_best_of_the_others_takes_its_place(tmp_path: Path) -> None:
    job, sent = rewound(tmp_path, without=800)
    best = restore_best(job, sent, BestScore(60.0, 20).state())
    assert best == BestScore(70.0, 20), "the next best one is compared with it"
    assert (tmp_path / "checkpoints" / "best.zip").read_text() == "500"


def test_a_best_checkpoint_that_exists_is_left_alone(tmp_path: Path) -> None:
    job, sent = rewound(tmp_path)
    (tmp_path / "checkpoints" / "best.zip").write_text("as it was")
    assert restore_best(job, sent, BestScore(60.0, 20).state()) == BestScore(60.0, 20)
    assert sent.best == []
    assert (tmp_path / "checkpoints" / "best.zip").read_text() == "as it was"


def test_before_the_first_score_there_is_no_best_checkpoint(tmp_path: Path) -> None:
    job, sent = rewound(tmp_path)
    assert restore_best(job, sent, BestScore().state()) == BestScore()
    assert sent.best == []
