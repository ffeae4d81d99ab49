"""Rewards that attack: started in their real confined process, as a worker starts them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.settings import Settings
from rl_lab.worker.user_code.scorer import RewardScorer, StepRows

WAIT_S = 30.0


def rights_of(home: Path) -> Confinement:
    return code_rights(Settings(home=home))


def step_rows(count: int = 3, **changes: Any) -> StepRows:
    """Steps of one episode; the reward of step n is n."""
    no = np.zeros(count, np.bool_)
    columns: dict[str, Any] = {
        "obs": np.arange(2.0 * count).reshape(count, 2),
        "action": np.zeros(count, np.int64),
        "next_obs": np.arange(2.0 * count).reshape(count, 2) + 1,
        "reward": np.arange(float(count)),
        "terminated": no,
        "truncated": no,
        "begins": np.arange(count) == 0,
    }
    return StepRows(**{**columns, **changes})


def score(source: str, confine: Confinement, rows: StepRows | None = None, **limits: float) -> list[float]:
    """What the code gives for each step; CodeFailed."""
    with closing(RewardScorer(source, "attack", confine)) as scorer:
        return [float(one) for one in scorer.score(rows or step_rows(), **limits).totals]
