"""Begins the replay buffer of a new training with the steps of a dataset.

The learner then samples them like its own steps, until the ring overwrites them. Nothing else changes: the step
counter, `learning_starts` and exploration are those of a training without a dataset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import REWARDS, TERMINATIONS
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.own_rewards import score_dataset
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.datasets.spaces import space_to_json, space_words
from rl_lab.worker.session import Session

PREFILLED = "replay_prefilled"
"""Type of the line in the event log."""


def prefill(session: Session, model: Any) -> int:
    """Fills the buffer of a new model; returns its rows, each of which has one step per environment."""
    folder = session.job.dataset_dir
    if folder is None:
        return 0
    dataset = open_dataset(folder)
    _require_same_spaces(dataset, model, session.train_config.env_id)
    buffer = model.replay_buffer
    rows = int(min(buffer.buffer_size, dataset.manifest.transitions // buffer.n_envs))
    first = dataset.manifest.transitions - rows * buffer.n_envs
    rewards = score_dataset(session, dataset)
    rewards = dataset.column(REWARDS) if rewards is None else rewards
    for env in range(buffer.n_envs):
        _fill(model, dataset, env, rewards, range(first + env * rows, first + (env + 1) * rows))
    buffer.pos, buffer.full = rows % buffer.buffer_size, rows == buffer.buffer_size
    _report(session, dataset, rows * buffer.n_envs)
    return rows


def _fill(model: Any, dataset: OpenDataset, env: int, rewards: Any, steps: range) -> None:
    """Writes consecutive steps into the column of one environment."""
    if not steps:
        return
    buffer, part = model.replay_buffer, slice(steps.start, steps.stop)
    seen = dataset.observation_rows()[part]
    _put(buffer.observations, env, dataset.observations, seen)
    _put(buffer.next_observations, env, dataset.observations, seen + 1)
    rows = slice(0, len(steps))
    buffer.actions[rows, env] = _actions(model, dataset, part).reshape(len(steps), -1)
    buffer.rewards[rows, env] = _finite(rewards[part], "rewards")
    terminated = dataset.column(TERMINATIONS)[part].astype(bool)
    ended = np.isin(np.arange(steps.start, steps.stop), dataset.ends - 1)
    # Returns over several steps must not reach from the dataset into the first episode that is played.
    ended[-1] = True
    buffer.dones[rows, env] = terminated | ended
    buffer.timeouts[rows, env] = ended & ~terminated


def _put(target: Any, env: int, column: Any, rows: Any) -> None:
    """Observations of a dict space are stored as one array per key."""
    if isinstance(column, Mapping):
        for key, part in column.items():
            _put(target[key], env, part, rows)
        return
    place = target[: len(rows), env]
    place[:] = _finite(column[rows], "observations").reshape(place.shape)


def _actions(model: Any, dataset: OpenDataset, part: slice) -> Any:
    """As the learner stores them: continuous ones between -1 and 1."""
    actions = _finite(dataset.actions[part], "actions")
    if type(model.action_space).__name__ != "Box":
        return actions
    # Behaviour policies may have played more than the bounds.
    return np.clip(model.policy.scale_action(actions), -1, 1)


def _finite(values: Any, name: str) -> Any:
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InvalidInput.of_field(
            "dataset",
            f"The dataset has numbers that are not finite (NaN or infinite) in {name}. `rl-lab datasets prune` makes a "
            "version without such episodes.",
        )
    return values


def _report(session: Session, dataset: OpenDataset, steps: int) -> None:
    choice, all_steps = session.train_config.dataset, dataset.manifest.transitions
    named = str(choice) if choice is not None else "a dataset"
    message = f"The replay buffer begins with the {steps:,} steps of {named}."
    if steps < all_steps:
        size = session.train_config.params.get("buffer_size")
        why = "the buffer has no room for more (buffer_size)" if size and all_steps > size else "n_envs > 1"
        message = (
            f"The replay buffer begins with the last {steps:,} of the {all_steps:,} steps of {named}: {why}."
        )
    session.telemetry.log("info", message, code=PREFILLED)


def _require_same_spaces(dataset: OpenDataset, model: Any, env_id: str) -> None:
    """InvalidInput when the learner sees or does something else than what the dataset has."""
    manifest = dataset.manifest
    own = space_to_json(model.observation_space), space_to_json(model.action_space)
    if _form(own[0]) == _form(manifest.observation_space) and _is_same_action(own[1], manifest.action_space):
        return
    raise InvalidInput.of_field(
        "dataset",
        f"The dataset has observations {space_words(manifest.observation_space)} and actions "
        f"{space_words(manifest.action_space)}, but the learner has observations {space_words(own[0])} and actions "
        f"{space_words(own[1])} in {env_id}. Choose a dataset of this environment, or start without one.",
    )


def _form(space: Mapping[str, Any]) -> Any:
    """What two spaces must have in common; bounds and dtype of observations may differ."""
    if space["type"] == "Dict":
        return {key: _form(part) for key, part in space["spaces"].items()}
    fields = {"Box": "shape", "MultiBinary": "shape", "MultiDiscrete": "nvec", "Discrete": "n"}
    return space["type"], space.get(fields.get(space["type"], "")), space.get("start") or 0


def _is_same_action(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if _form(one) != _form(other):
        return False
    bounds = [
        np.asarray(space.get(side, 0), np.float32) for space in (one, other) for side in ("low", "high")
    ]
    return np.allclose(bounds[0], bounds[2]) and np.allclose(bounds[1], bounds[3])
