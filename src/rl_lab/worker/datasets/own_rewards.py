"""The steps of a dataset under a user's reward: scored in parts, because a dataset may be larger than memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.wording import number
from rl_lab.core.datasets.manifest import INFOS, REWARDS, TERMINATIONS, TRUNCATIONS
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.own_reward import DATASET_STEP, OwnReward
from rl_lab.worker.session import Session
from rl_lab.worker.user_code.scorer import StepRows
from rl_lab.worker.user_code.step_values import plain

PART_ROWS = 1 << 15
SCORED = "dataset_scored"
"""Type of the line in the event log."""


def score_dataset(session: Session, dataset: OpenDataset) -> NDArray[np.float64] | None:
    """The reward of every step under the user's reward; None for a training without one."""
    if session.reward is None:
        return None
    rewards = own_rewards(dataset, session.reward)
    mean = float(np.add.reduceat(rewards, dataset.starts).mean())
    given = number(float(dataset.returns.mean()))
    session.telemetry.log(
        "info",
        f"The rewards of the dataset were replaced by those of “{session.reward.name}”. Mean return of its episodes: "
        f"{number(mean)}; with the environment's rewards: {given}.",
        code=SCORED,
    )
    return rewards


def own_rewards(dataset: OpenDataset, own: OwnReward) -> NDArray[np.float64]:
    count = dataset.manifest.transitions
    seen, begins = dataset.observation_rows(), np.zeros(count, np.bool_)
    begins[dataset.starts] = True
    found = np.empty(count)
    for start in range(0, count, PART_ROWS):
        part = slice(start, min(start + PART_ROWS, count))
        rows = _rows(dataset, part, seen[part], begins[part], "info" in own.takes)
        found[part] = own.scored(rows, part.stop, DATASET_STEP).totals
    return found


def _rows(
    dataset: OpenDataset, part: slice, seen: NDArray[Any], begins: NDArray[np.bool_], has_infos: bool
) -> StepRows:
    return StepRows(
        obs=_at(dataset.observations, seen),
        action=_at(dataset.actions, part),
        next_obs=_at(dataset.observations, seen + 1),
        reward=np.asarray(dataset.column(REWARDS)[part], np.float64),
        terminated=np.asarray(dataset.column(TERMINATIONS)[part], np.bool_),
        truncated=np.asarray(dataset.column(TRUNCATIONS)[part], np.bool_),
        begins=begins,
        info=_infos(dataset, seen + 1) if has_infos else None,
    )


def _at(tree: Any, rows: Any) -> Any:
    """Rows of one array; for a dict or tuple of arrays, a list with the parts of each row."""
    if isinstance(tree, Mapping):
        columns = {name: _at(part, rows) for name, part in tree.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if isinstance(tree, tuple):
        return list(zip(*(_at(part, rows) for part in tree), strict=True))
    return tree[rows]


def _infos(dataset: OpenDataset, rows: NDArray[Any]) -> list[dict[str, Any]]:
    prefix = f"{INFOS}."
    columns = {
        name.removeprefix(prefix): plain(column[rows])
        for name, column in dataset.columns.items()
        if name.startswith(prefix)
    }
    if not columns:
        return [{}] * len(rows)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
