"""`rl-lab play --from-dataset`: which episode of which version is taken over."""

from typing import Any

import pytest

from rl_lab.cli.commands.plays.starts import find_start
from rl_lab.core.errors import InvalidInput, NotFound


class Client:
    """One dataset with these versions."""

    def __init__(self, *versions: int) -> None:
        self._versions = versions

    def get(self, address: str, **query: Any) -> Any:
        if address.endswith("/episodes"):
            return {"items": [{"episode": 4}]}
        return {"name": "pole", "versions": [{"version": version} for version in self._versions]}


def start(client: Client, written: str = "pole", episode: str = "best") -> Any:
    return find_start(client, None, written, episode, 3)  # type: ignore[arg-type]


def test_the_newest_version_is_meant_where_none_is_named() -> None:
    newest = {"dataset": {"name": "pole", "version": 2}, "episode": 4, "step": 3}
    assert start(Client(2, 1)) == newest
    assert start(Client(2, 1), "pole@v1", "12") == {
        "dataset": {"name": "pole", "version": 1},
        "episode": 12,
        "step": 3,
    }


def test_a_dataset_whose_versions_were_deleted_is_refused() -> None:
    with pytest.raises(NotFound, match="“pole” has no version"):
        start(Client())


@pytest.mark.parametrize(("episode", "step"), [("best", None), (None, 0)])
def test_a_moment_of_no_run_and_no_dataset_is_refused(episode: str | None, step: int | None) -> None:
    with pytest.raises(InvalidInput, match="--from or --from-dataset"):
        find_start(Client(), None, None, episode, step)  # type: ignore[arg-type]


def test_a_play_needs_no_moment() -> None:
    assert find_start(Client(), None, None, None, None) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("episode", ["first", "²", "-1", ""])
def test_what_is_no_episode_is_refused(episode: str) -> None:
    with pytest.raises(InvalidInput, match="is not an episode of a dataset"):
        start(Client(1), episode=episode)
