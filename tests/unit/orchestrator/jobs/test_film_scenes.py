"""Which checkpoints a film shows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.orchestrator.jobs.film_scenes import spread_checkpoints

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def saved(step: int, role: str = "interval") -> Artifact:
    path = f"checkpoints/{role}-{step}.zip"
    at = NOW + timedelta(seconds=step)
    return Artifact(
        id=path, run_id="r", path=path, kind="checkpoint", created_at=at, timestep=step, role=role
    )


@pytest.mark.parametrize(
    ("count", "steps"), [(1, [70]), (2, [70, 100]), (3, [10, 70, 100]), (5, [10, 20, 50, 70, 100])]
)
def test_the_best_the_last_the_first_then_even_distances(count: int, steps: list[int]) -> None:
    found = [saved(step) for step in range(10, 101, 10)] + [saved(70, "best")]
    chosen = spread_checkpoints(found, count)
    assert [one.timestep for one in chosen] == steps
    assert [one.role for one in chosen if one.timestep == 70] == ["best"]


def test_few_checkpoints_are_all_shown_once() -> None:
    found = [saved(100, "final"), saved(50), saved(100, "best")]
    assert [(one.timestep, one.role) for one in spread_checkpoints(found, 8)] == [
        (50, "interval"),
        (100, "best"),
    ]
