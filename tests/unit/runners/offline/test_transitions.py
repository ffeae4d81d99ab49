"""What is loaded of a dataset, and which datasets nothing can be learned from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from support.offline_data import write_played

from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.core.errors import InvalidInput
from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.spaces import read_spaces, require_same
from rl_lab.runners.offline.transitions import load_transitions
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.reading import open_dataset
from rl_lab.worker.datasets.writing import DatasetWriter

SEEN, ACTED = spaces.Box(-10, 10, (2,)), spaces.Box(-2, 4, (1,))


def write(folder: Path, lengths: list[int], *, reward: float = 1.0, **changes: Any) -> Path:
    """Episodes whose observations count up; those of odd number are cut off."""
    with DatasetWriter(folder, observation_space=SEEN, action_space=ACTED, env_id="Counting-v0") as writer:
        for number, length in enumerate(lengths):
            last = np.arange(length) == length - 1
            seen = np.stack((np.arange(length + 1), np.full(length + 1, number)), 1).astype(np.float32)
            columns = {"observations": seen, "rewards": np.full(length, reward * (number + 1)), **changes}
            writer.add_episode(
                EpisodeArrays(
                    actions=np.full((length, 1), 4.0, np.float32),
                    terminations=last & (number % 2 == 0),
                    truncations=last & (number % 2 == 1),
                    **columns,
                )
            )
        writer.finish()
    return folder


def test_the_next_observation_is_the_following_row_and_only_terminations_end_the_future(
    tmp_path: Path,
) -> None:
    data = load_transitions(write(tmp_path / "d", [3, 4]), "bc", normalize_observations=False)
    following = data.observations[data.rows + 1]
    assert data.observations[data.rows][:, 0].tolist() == [0, 1, 2, 0, 1, 2, 3]
    assert following[:, 0].tolist() == [1, 2, 3, 1, 2, 3, 4]
    assert data.goes_on.tolist() == [1, 1, 0, 1, 1, 1, 1]
    assert data.actions.flatten().tolist() == [1] * 7, "scaled to the bounds"


def test_observations_and_rewards_are_scaled_and_the_reference_is_named(tmp_path: Path) -> None:
    data = load_transitions(write(tmp_path / "d", [30, 40, 50]), "iql", normalize_reward=True)
    assert data.observations.mean(0).abs().max() < 1e-4
    assert (data.observations.std(0, correction=0) - 1).abs().max() < 1e-4
    assert data.rewards[0].item() == pytest.approx(data.reward_scale)
    assert data.reference == ScoreReference(low=30, high=150, named="worst and best episode of the dataset")


def test_only_the_best_share_of_episodes_is_learned_from(tmp_path: Path) -> None:
    data = load_transitions(write(tmp_path / "d", [3, 4, 5]), "bc", best_share=0.34)
    assert len(data) == 5 and data.rewards.tolist() == [3.0] * 5


def test_a_batch_depends_on_the_seed_and_its_number_only(tmp_path: Path) -> None:
    data = load_transitions(write(tmp_path / "d", [30, 40]), "bc")
    first, second = BatchSampler(data, 4096, 7, 2), BatchSampler(data, 4096, 7, 2)
    wanted = [first.batch(n) for n in range(6)][5]
    found = second.batch(5)
    assert all((a == b).all() for a, b in zip(wanted, found, strict=True))


@pytest.mark.parametrize("column", ["rewards", "observations"])
def test_numbers_that_are_not_finite_are_refused_with_their_row(column: str, tmp_path: Path) -> None:
    bad = np.ones(4) if column == "rewards" else np.ones((5, 2), np.float32)
    bad[2] = np.nan
    folder = write(tmp_path / "d", [4], **{column: bad})
    with pytest.raises(InvalidInput, match=f"not finite .* in {column}, the first in row 2"):
        load_transitions(folder, "bc")


def test_an_empty_dataset_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", [4])
    manifest = json.loads((folder / "dataset.json").read_text())
    (folder / "dataset.json").write_text(json.dumps({**manifest, "episodes": 0, "transitions": 0}))
    with pytest.raises(InvalidInput):
        load_transitions(folder, "bc")


@pytest.mark.parametrize(
    ("seen", "acted", "algorithm", "message"),
    [
        (spaces.Box(0, 255, (8, 8, 3), np.uint8), ACTED, "bc", "no images or nested"),
        (spaces.Dict(a=SEEN), ACTED, "bc", "no images or nested"),
        (SEEN, spaces.MultiDiscrete([2, 3]), "bc", "Discrete and Box actions only"),
        (SEEN, spaces.Discrete(3), "td3_bc", "needs continuous actions"),
        (SEEN, spaces.Box(-np.inf, np.inf, (1,)), "iql", "have no bounds"),
    ],
)
def test_spaces_that_cannot_be_learned_are_refused(
    seen: Any, acted: Any, algorithm: str, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_spaces(seen, acted, algorithm)


def test_an_environment_of_other_spaces_is_refused_with_both(tmp_path: Path) -> None:
    dataset = open_dataset(write_played(tmp_path / "d", episodes=1))
    mine = load_transitions(dataset.folder, "bc").spaces
    env = gymnasium.make("Acrobot-v1")
    with pytest.raises(
        InvalidInput, match="observations of size 4 and 2 discrete actions, but Acrobot-v1 has"
    ):
        require_same(mine, read_spaces(env.observation_space, env.action_space, "bc"), "Acrobot-v1")
