"""Duels: the same seeds for all, seen side by side, compared pair by pair."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.server import command
from support.studio import Studio, assert_plays_everywhere, decode, difference

SEEDS = 5


def test_a_checkpoint_ties_with_itself_on_every_seed(studio: Studio) -> None:
    twins = [{"run_id": studio.novice}, {"run_id": studio.novice}]
    result = studio.job("/api/duels", contestants=twins, episodes=SEEDS)["summary"]["result"]
    one, two = (side["summary"] for side in result["sides"])
    assert (one["seeds"], one["returns"]) == (two["seeds"], two["returns"])
    [found] = result["differences"]
    assert (found["mean"], found["ci"], found["ties"]) == (0, [0, 0], SEEDS)
    assert [side["wins"] for side in result["sides"]] == [0, 0]


def test_the_better_one_wins_and_both_are_seen(studio: Studio) -> None:
    pair = [{"run_id": studio.expert}, {"run_id": studio.novice}]
    job = studio.job("/api/duels", contestants=pair, episodes=SEEDS)
    result = job["summary"]["result"]
    expert, novice = result["sides"]
    assert expert["summary"]["seeds"] == novice["summary"]["seeds"]
    pairs = zip(expert["summary"]["returns"], novice["summary"]["returns"], strict=True)
    [found] = result["differences"]
    assert found["mean"] == pytest.approx(sum(a - b for a, b in pairs) / SEEDS)
    assert found["mean"] > 0
    assert found["wins_first"] == expert["wins"] == SEEDS
    film = decode(studio.file(job["id"], result["video"]))
    assert_plays_everywhere(film)
    half = film.width // 2
    assert difference(film.frames[0][:300, :half], film.frames[0][:300, half:]) < 3, "both begin alike"
    assert difference(film.frames[30][:300, :half], film.frames[30][:300, half:]) > 0.5


def test_the_command_prints_difference_interval_and_wins(studio: Studio) -> None:
    done = command(studio.home, "duel", studio.expert, studio.novice, "--episodes", "5", "--no-video")
    assert done.returncode == 0, done.stderr
    assert "about 90 % between" in done.stdout
    assert "expert − novice" in done.stdout
    told = command(studio.home, "duel", studio.novice, studio.novice, "-e", "1", "--no-video", "--json")
    assert json.loads(told.stdout)["summary"]["result"]["differences"][0]["mean"] == 0


def test_different_arguments_of_the_environment_cannot_duel(studio: Studio) -> None:
    """Their returns count something else; wrappers may differ."""
    from support.studio import train

    def pair(**env_kwargs: Any) -> list[dict[str, str]]:
        other = train(studio.server, env_kwargs=env_kwargs, total_timesteps=2048)
        return [{"run_id": studio.novice}, {"run_id": other}]

    refused = studio.refused("/api/duels", contestants=pair(sutton_barto_reward=True))
    assert refused["status"] == 422
    assert "“novice” plays CartPole-v1 with its defaults and “PPO" in refused["detail"]
    assert "with sutton barto reward, so their returns cannot be compared" in refused["detail"]
    stacked = pair(wrappers=[{"id": "frame_stack", "frames": 2}])
    assert studio.job("/api/duels", contestants=stacked, episodes=1, record=False)["status"] == "succeeded"


def test_different_environments_cannot_duel(studio: Studio) -> None:
    from support.studio import train

    other = train(studio.server, env_id="Acrobot-v1", total_timesteps=2048)
    refused = studio.refused("/api/duels", contestants=[{"run_id": studio.novice}, {"run_id": other}])
    assert refused["status"] == 422
    assert "Acrobot-v1" in refused["detail"]
    assert studio.refused("/api/duels", contestants=[{"run_id": studio.novice}])["status"] == 422
