"""The best checkpoint of a training that was rewound: its file was dropped with the later steps.

It is made again from the checkpoints that remain: what it was at that step, or else the best of the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rl_lab.core.job_file import Job, KeptCheckpoint
from rl_lab.portable.atomic_files import link_file
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.telemetry import Telemetry


def restore_best(job: Job, telemetry: Telemetry, state: Mapping[str, Any]) -> BestScore:
    """The best score of a checkpoint's state; if the file of the best checkpoint was dropped, it is made again."""
    best = BestScore(**state)
    if job.train_config.evaluate_every is not None:
        return best  # then evaluations decide, see `alongside.py`
    chosen = link_best(job, telemetry, by_score(job.kept, best))
    return best if chosen is None else BestScore(chosen.score, chosen.score_episodes or 0)


def link_best(job: Job, telemetry: Telemetry, wanted: Iterable[KeptCheckpoint]) -> KeptCheckpoint | None:
    """Makes the first whole one the best checkpoint; None if there is one already, or none is whole."""
    path = job.run_dir / "checkpoints" / f"best{Path(job.resume_from or '').suffix}"
    if path.exists():
        return None
    chosen = next((one for one in wanted if _is_whole(job.run_dir / one.path, one.sha256)), None)
    if chosen is not None:
        saved = link_file(job.run_dir / chosen.path, path)
        about = chosen.model_dump(include={"timestep", "score", "score_episodes", "parts", "lacks"})
        name = str(path.relative_to(job.run_dir))
        telemetry.checkpoint(path=name, role="best", size=saved.size, sha256=saved.sha256, **about)
    return chosen


def by_score(kept: Sequence[KeptCheckpoint], best: BestScore) -> list[KeptCheckpoint]:
    """The one with the best score; if it is gone, the others as they would have become the best, last one first."""
    if best.score is None:
        return []
    was = [one for one in kept if (one.score, one.score_episodes) == (best.score, best.episodes)]
    others = BestScore()
    improved = [one for one in kept if others.improve(one.score, one.score_episodes or 0)]
    return [*was[:1], *reversed(improved)]


def _is_whole(path: Path, sha256: str) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False
