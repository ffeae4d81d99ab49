"""A version of very many tiny episodes: its figures and the pages of its episodes."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.core.datasets.datasets import DatasetEpisode, DatasetStatistics
from rl_lab.orchestrator.datasets.version_episodes import EpisodeRange, EpisodeSort, VersionEpisodes
from rl_lab.worker.datasets.job_files import STATISTICS_FILE
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.statistics import complete_version
from rl_lab.worker.datasets.writing import DatasetWriter

EPISODES = 200_000
SEEN = {"type": "Box", "shape": [1], "dtype": "float32", "low": None, "high": None}
CHOICE = {"type": "Discrete", "n": 2, "start": 0}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> OpenDataset:
    """Episodes of one step; the reward is the episode's number, and one of them is a NaN."""
    numbers = np.arange(EPISODES)
    rewards = numbers.astype(float)
    rewards[7] = np.nan
    columns = {
        "observations": np.repeat(numbers, 2).astype("f4")[:, None],
        "actions": numbers % 2,
        "rewards": rewards,
        "terminations": numbers % 4 == 0,
        "truncations": numbers % 4 != 0,
    }
    folder = tmp_path_factory.mktemp("tiny") / "v1"
    with DatasetWriter(folder, observation_space=SEEN, action_space=CHOICE) as writer:
        writer.add_columns(columns, np.ones(EPISODES, np.int64))
        writer.finish()
    return complete_version(folder)


def test_very_many_tiny_episodes_are_listed_page_by_page(tiny: OpenDataset) -> None:
    episodes = VersionEpisodes()

    def page(wanted: EpisodeRange, sort: EpisodeSort, start: int) -> tuple[list[DatasetEpisode], int]:
        found = episodes.list(tiny.folder, tiny.manifest.sha256, wanted, sort, slice(start, start + 50))
        return found.items, found.total

    best, total = page(EpisodeRange(), "-return", 0)
    assert (total, len(best), best[0].episode, best[0].returned) == (EPISODES, 50, EPISODES - 1, EPISODES - 1)
    last, _ = page(EpisodeRange(), "-return", EPISODES - 50)
    assert last[-1].episode == 7 and last[-1].returned is None, "without a return, behind all others"
    some, total = page(EpisodeRange(return_min=100_000, return_max=100_099), "episode", 50)
    assert (total, some[0].episode, some[0].terminated) == (100, 100_050, False)
    assert page(EpisodeRange(length_min=2), "length", 0) == ([], 0)


def test_very_many_tiny_episodes_have_figures(tiny: OpenDataset) -> None:
    found = DatasetStatistics.model_validate_json((tiny.folder / STATISTICS_FILE).read_text())
    assert (found.terminated, found.truncated, found.duplicates) == (EPISODES // 4, EPISODES * 3 // 4, 0)
    assert found.not_finite == {"rewards": 1}
    assert found.lengths.counts == [EPISODES]
