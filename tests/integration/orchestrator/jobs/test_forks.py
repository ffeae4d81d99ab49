"""Forks: the same past, another future, and a recording of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from support.server import command
from support.studio import Studio, observations_of, train
from support.waiting import wait_until

AT = 6


def parent_of(studio: Studio) -> int:
    """The novice's longest episode: at step AT all is well yet."""
    [row] = studio.episodes(studio.novice, sort="-length", limit=1, recorded=True)
    return int(row["episode"])


def fork(studio: Studio, **wanted: Any) -> dict[str, Any]:
    return studio.job(f"/api/runs/{studio.novice}/episodes/{parent_of(studio)}/forks", step=AT, **wanted)


def test_a_fork_has_the_same_past_and_another_future(studio: Studio) -> None:
    parent = studio.recording(studio.novice, parent_of(studio))
    job = fork(studio, policy="checkpoint", checkpoint_run_id=studio.expert)
    child = studio.recording(job["id"], 0)
    before, after = observations_of(parent), observations_of(child)
    assert all(np.array_equal(a, b) for a, b in zip(before[: AT + 1], after[: AT + 1], strict=True))
    assert child.actions[:AT] == parent.actions[:AT]
    assert child.actions[AT:] != parent.actions[AT:]
    result = job["summary"]["result"]
    assert (result["parent_episode"], result["forked_at"]) == (parent.episode, AT)
    assert result["length"] == child.count > parent.count, "the expert saves what the novice lost"
    assert job["parent_id"] == studio.novice
    wait_until(
        lambda: any(e["data"]["run_id"] == job["id"] for e in studio.events(studio.novice, "fork_complete")),
        "a line in the training's log",
    )


def test_the_child_replays_exactly(studio: Studio) -> None:
    job = fork(studio, policy="random", seed=3)
    told = studio.server.client.get(f"/api/runs/{job['id']}/episodes/0/steps").json()
    assert told["exact"] is True
    assert told["steps"][-1]["return"] == job["summary"]["result"]["return"]


def test_random_forks_repeat_with_their_seed(studio: Studio) -> None:
    first, second, other = (
        studio.recording(fork(studio, policy="random", seed=seed)["id"], 0).actions for seed in (3, 3, 4)
    )
    assert first == second
    assert first != other


def test_what_cannot_be_forked_is_said_at_once(studio: Studio) -> None:
    episode = parent_of(studio)
    length = studio.recording(studio.novice, episode).count
    address = f"/api/runs/{studio.novice}/episodes/{episode}/forks"
    beyond = studio.refused(address, step=length)
    assert beyond["status"] == 422
    assert beyond["errors"][0]["allowed"] == {"minimum": 0, "maximum": length - 1}
    assert studio.refused(f"/api/runs/{studio.novice}/episodes/99999/forks", step=1)["status"] == 404
    acrobat = train(studio.server, env_id="Acrobot-v1", total_timesteps=2048)
    foreign = studio.refused(address, step=1, checkpoint_run_id=acrobat)
    assert foreign["status"] == 422
    assert "trained on Acrobot-v1, and this plays CartPole-v1" in foreign["detail"]


def test_a_fork_continues_in_the_environment_of_its_episode(studio: Studio) -> None:
    """Not in that of the policy, which was trained with other arguments: there the rewards are others."""
    punished = {"sutton_barto_reward": True}
    parent = train(studio.server, env_kwargs=punished, total_timesteps=2048)
    address = f"/api/runs/{parent}/episodes/0/forks"
    result = studio.job(address, step=3, checkpoint_run_id=studio.novice)["summary"]["result"]
    assert (result["return"], result["terminated"]) == (-1.0, True)
    stacked = {"wrappers": [{"id": "frame_stack", "frames": 2}]}
    other = train(studio.server, env_kwargs=stacked, total_timesteps=2048)
    refused = studio.refused(address, step=3, checkpoint_run_id=other)
    assert (refused["status"], "was trained with other wrappers (frame stack 2)" in refused["detail"]) == (
        422,
        True,
    )


def test_the_command_compares_both_futures(studio: Studio) -> None:
    episode = str(parent_of(studio))
    done = command(studio.home, "fork", studio.novice, episode, str(AT), "--of", studio.expert)
    assert done.returncode == 0, done.stderr
    assert f"episode {episode}" in done.stdout
    assert f"forked at {AT}" in done.stdout
    beyond = command(studio.home, "fork", studio.novice, episode, "9999")
    assert beyond.returncode == 2
    assert "cannot be forked at 9999" in beyond.stderr
