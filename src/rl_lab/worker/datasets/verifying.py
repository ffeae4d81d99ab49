"""Every episode of a version simulated again from its seed and actions, and compared step by step."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from rl_lab.core.datasets.datasets import DatasetVerification
from rl_lab.core.datasets.manifest import OBSERVATIONS
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.spaces import space_difference, space_to_json, split_tree
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.failures import explain
from rl_lab.worker.rendering.simulation import is_same_reward


class Difference(NamedTuple):
    step: int
    """Actions played when it shows; 0: the first observation."""
    what: str


def verify(dataset: OpenDataset, progress: WorkCount) -> DatasetVerification:
    manifest = dataset.manifest
    unseeded = int((dataset.seeds < 0).sum())
    if unseeded == len(dataset):
        return _impossible(unseeded, "No episode has a known seed, so none can be simulated again.")
    if not manifest.env_id:
        return _impossible(unseeded, "The dataset does not name its environment.")
    try:
        env = make_environment(manifest.env_id, manifest.env_kwargs)
    except Exception as error:  # whatever an environment raises while it is created
        failure = explain(error)
        words = f"{manifest.env_id} cannot be created: {failure.message} {failure.next_step}"
        return _impossible(unseeded, words.strip())
    try:
        difference = _space_problem(env, dataset)
        return (
            _impossible(unseeded, difference) if difference else _play_all(env, dataset, progress, unseeded)
        )
    finally:
        env.close()


def find_difference(env: Any, dataset: OpenDataset, index: int) -> Difference | None:
    """The first step of an episode that does not come back."""
    episode = dataset.episode(index)
    seen, _ = env.reset(seed=int(dataset.seeds[index]))
    space = dataset.manifest.observation_space
    recorded = split_tree(space, episode.observations, OBSERVATIONS)
    actions = _actions(dataset, episode)
    for step in range(episode.length + 1):
        if step:
            seen, reward, terminated, truncated, _ = env.step(actions[step - 1])
            what = _outcome(episode, step - 1, float(reward), bool(terminated), bool(truncated))
            if what:
                return Difference(step, what)
        for name, value in split_tree(space, seen, OBSERVATIONS).items():
            rows = recorded[name]
            if not np.array_equal(
                np.asarray(value, rows.dtype), rows[step], equal_nan=rows.dtype.kind == "f"
            ):
                return Difference(step, name)
    return None


def _play_all(env: Any, dataset: OpenDataset, progress: WorkCount, unseeded: int) -> DatasetVerification:
    checked = 0
    for index in np.flatnonzero(dataset.seeds >= 0):
        found = find_difference(env, dataset, int(index))
        checked += 1
        if found is not None:
            version = environment_version(dataset.manifest.env_id)
            made = dataset.manifest.env_version
            other = f" It was made with {made}; {version} is installed." if made and made != version else ""
            return DatasetVerification(
                outcome="different",
                at=datetime.now(UTC),
                checked=checked,
                unseeded=unseeded,
                episode=int(index),
                step=found.step,
                message=f"Episode {index} differs at step {found.step}: {found.what}.{other}",
            )
        progress.advance()
    words = f"{plural(checked, 'episode')} came back step by step."
    if unseeded:
        words += f" {plural(unseeded, 'episode')} without a known seed could not be simulated."
    return DatasetVerification(
        outcome="identical", at=datetime.now(UTC), checked=checked, unseeded=unseeded, message=words
    )


def _outcome(
    episode: EpisodeArrays, row: int, reward: float, terminated: bool, truncated: bool
) -> str | None:
    if not is_same_reward(episode.rewards[row], reward):
        return f"reward {reward:g} instead of {episode.rewards[row]:g}"
    if terminated != bool(episode.terminations[row]):
        return "it terminated" if terminated else "it did not terminate"
    # The last step of an episode that was cut off counts as truncated, though the environment would go on.
    is_last = row == episode.length - 1
    if truncated != bool(episode.truncations[row]) and not (is_last and not truncated):
        return "it was truncated" if truncated else "it was not truncated"
    return None


def _actions(dataset: OpenDataset, episode: EpisodeArrays) -> list[Any]:
    """As the environment takes them."""
    space = dataset.manifest.action_space
    return [_at(space, episode.actions, row) for row in range(episode.length)]


def _at(space: dict[str, Any], tree: Any, row: int) -> Any:
    if space["type"] == "Dict":
        return {key: _at(part, tree[key], row) for key, part in space["spaces"].items()}
    if space["type"] == "Tuple":
        return tuple(_at(part, one, row) for part, one in zip(space["spaces"], tree, strict=True))
    return tree[row].copy() if np.ndim(tree[row]) else tree[row]


def _space_problem(env: Any, dataset: OpenDataset) -> str | None:
    manifest = dataset.manifest
    for word in ("observation", "action"):
        mine, there = getattr(manifest, f"{word}_space"), space_to_json(getattr(env, f"{word}_space"))
        found = space_difference(mine, there)
        if found is not None:
            return (
                f"The {word} space of {manifest.env_id} is another one than that of the dataset: {found}. "
                "Install the version it was made with."
            )
    return None


def _impossible(unseeded: int, words: str) -> DatasetVerification:
    return DatasetVerification(
        outcome="impossible", at=datetime.now(UTC), checked=0, unseeded=unseeded, message=words
    )
