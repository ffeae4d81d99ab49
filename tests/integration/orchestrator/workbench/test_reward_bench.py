"""Rewards are tried on the recorded episodes of a training, an evaluation and a play, by real processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.benches import MINUS_ONE, NEGATED, TERMS, Benched, bench, processes
from support.plays import Player
from support.server import command
from support.studio import Studio, observations_of, train
from support.viewer import view
from support.waiting import wait_until

from rl_lab.worker.rendering.simulation import Simulation

WORKER = "rl_lab.worker.reward_bench"
CODE = "rl_lab.worker.user_code.process"


@pytest.fixture(scope="module")
def runs(studio: Studio) -> dict[str, str]:
    """A training, an evaluation and a play."""
    evaluation = studio.job(f"/api/runs/{studio.novice}/evaluations", seeds=[1, 2, 3], record=False)["id"]
    return {"train": studio.novice, "evaluate": evaluation, "play": play_once(studio)}


def play_once(studio: Studio, **asked: Any) -> str:
    """A play of one episode."""
    play: str = studio.post("/api/plays", env_id="CartPole-v1", seed=3, **asked)["id"]
    with view(studio.server, f"/api/plays/{play}/socket") as viewer:
        player = Player(viewer)
        while not player.act(0)["ended"]:
            pass
        player.viewer.send("end")
        player.note("ended")
    studio.server.wait(play, "succeeded")
    return play


@pytest.fixture(scope="module")
def benched(studio: Studio, runs: dict[str, str]) -> Benched:
    return bench(studio.server, MINUS_ONE, NEGATED, TERMS, run_ids=list(runs.values()), limit=60)


def test_episodes_of_all_kinds_of_runs_are_scored(
    studio: Studio, runs: dict[str, str], benched: Benched
) -> None:
    assert {one["kind"]: one["run_id"] for one in benched.episodes} == runs
    assert len(benched.episodes) == benched.plan["total"] == benched.done["episodes"]
    assert benched.plan["env_id"] == "CartPole-v1"
    assert benched.plan["rewards"] == ["r0", "r1", "r2"]
    assert {one["run_id"]: one["episodes"] for one in benched.plan["runs"]} == {
        run_id: sum(one["run_id"] == run_id for one in benched.episodes) for run_id in runs.values()
    }
    assert benched.problems == benched.summary["left_out"] == []
    assert benched.done["steps"] == sum(one["length"] for one in benched.episodes)


def test_the_returns_are_those_one_computes_by_hand(studio: Studio, benched: Benched) -> None:
    for one in benched.episodes:
        row = studio.server.client.get(f"/api/runs/{one['run_id']}/episodes/{one['episode']}").json()
        assert (one["length"], one["timestep"]) == (row["length"], row["timestep"])
        assert one["env_return"] == one["recorded_return"] == row["reward"]
        assert one["is_exact"]
        assert one["outcome"] == ("terminated" if row["terminated"] else "truncated")
        minus_one, negated, terms = one["scores"]
        assert minus_one == {"own_return": -one["length"], "terms": {}}
        assert negated == {"own_return": -one["env_return"], "terms": {}}
        assert terms["own_return"] == pytest.approx(sum(terms["terms"].values()))
        assert terms["terms"]["late"] == max(0, one["length"] - 10)


def test_observations_are_those_of_the_recording(studio: Studio, benched: Benched) -> None:
    for one in benched.episodes[:5]:
        seen = observations_of(studio.recording(one["run_id"], one["episode"]))
        angles = sum(-abs(float(observation[2])) for observation in seen[1:])
        assert one["scores"][2]["terms"]["angle"] == pytest.approx(angles)


def test_a_negated_reward_reverses_every_rank(benched: Benched) -> None:
    _, negated, _ = benched.summary["rewards"]
    assert (negated["spearman"], negated["kendall"]) == (-1.0, -1.0)
    n = benched.done["episodes"]
    for flip in negated["flips"]:
        assert flip["first_rank"] + flip["second_rank"] == n + 1
        assert flip["first_return"] == -flip["second_return"]
    (outcome,) = [one for one in negated["outcomes"] if one["outcome"] == "terminated"]
    assert outcome["own"]["low"] == -outcome["env"]["high"]


def test_rewards_are_compared_with_each_other(benched: Benched) -> None:
    pairs = {(one["first"], one["second"]): one for one in benched.summary["pairs"]}
    assert set(pairs) == {(0, 1), (0, 2), (1, 2)}
    assert pairs[0, 1]["spearman"] == 1.0, "CartPole pays 1 per step"
    assert pairs[0, 1]["flips"] == []


def test_a_bench_after_an_edit_simulates_nothing(
    studio: Studio, runs: dict[str, str], benched: Benched
) -> None:
    asked: dict[str, Any] = {"run_ids": list(runs.values()), "limit": 60}
    again = bench(studio.server, "def reward_function(): return 2", **asked)
    assert {(one["run_id"], one["episode"]) for one in again.episodes} == {
        (one["run_id"], one["episode"]) for one in benched.episodes
    }
    assert all(one["scores"][0]["own_return"] == 2 * one["length"] for one in again.episodes)
    assert again.done["simulated"] == 0
    wait_until(lambda: not processes(studio.server, CODE), "the end of the reward's processes")


def test_runs_are_found_by_environment_and_kind(studio: Studio, runs: dict[str, str]) -> None:
    found = bench(studio.server, MINUS_ONE, env_id="CartPole-v1", kinds=["play"], limit=5)
    assert {one["run_id"] for one in found.episodes} == {runs["play"]}


def test_episodes_in_an_environment_with_other_arguments_are_not_ranked_with_them(
    studio: Studio, runs: dict[str, str]
) -> None:
    clipped = play_once(studio, env_kwargs={"wrappers": [{"id": "clip_reward", "low": 0.0, "high": 0.5}]})
    plain = play_once(studio, env_kwargs={"wrappers": []})
    found = bench(studio.server, MINUS_ONE, run_ids=[clipped, runs["evaluate"], plain])
    assert {one["run_id"] for one in found.episodes} == {runs["evaluate"], plain}
    left_out = {"reason": "Its environment has other arguments.", "episodes": 1, "run_ids": [clipped]}
    assert found.plan["left_out"] == found.summary["left_out"] == [left_out]
    alone = bench(studio.server, MINUS_ONE, run_ids=[clipped])
    assert [one["run_id"] for one in alone.episodes] == [clipped]


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("def reward_function(obs):\n    return obs[9]", "IndexError", 2),
        ("def reward_function(:", "Syntax error", 1),
        ("x = missing\ndef reward_function(): return 1", "NameError", 1),
        ("def reward_function(): return None", "must be a number", 1),
        ("import os\ndef reward_function(): os._exit(3)", "ended its own process", None),
    ],
)
def test_a_reward_that_fails_is_explained_and_others_continue(
    studio: Studio, runs: dict[str, str], source: str, message: str, line: int | None
) -> None:
    found = bench(studio.server, source, MINUS_ONE, run_ids=[runs["evaluate"]])
    (problem,) = found.problems
    assert (problem["reward"], problem["name"], problem["line"]) == (0, "r0", line)
    assert message in problem["message"]
    if message == "IndexError":
        assert (problem["run_id"], problem["step"]) == (runs["evaluate"], 1)
    assert [one["scores"][0] for one in found.episodes] == [None] * 3
    assert all(one["scores"][1]["own_return"] == -one["length"] for one in found.episodes)


def test_when_no_reward_works_the_bench_ends(studio: Studio, runs: dict[str, str]) -> None:
    found = bench(studio.server, "def reward_function(): return 'x'", run_ids=[runs["train"]])
    assert len(found.problems) == 1
    assert found.done["episodes"] < found.plan["total"]


def test_a_client_that_leaves_ends_everything(studio: Studio) -> None:
    hangs = "def reward_function():\n    while True:\n        pass"
    asked = {"rewards": [{"source": hangs}], "run_ids": [studio.expert], "limit": 1000}
    with studio.server.client.stream("POST", "/api/rewards/bench", json=asked) as answer:
        lines = answer.iter_lines()  # closed with its last reference, and the connection with it
        assert json.loads(next(lines))["type"] == "plan"
        wait_until(lambda: processes(studio.server, CODE), "the reward's process")
    wait_until(lambda: not processes(studio.server, CODE), "the end of the reward's processes")
    again = bench(studio.server, MINUS_ONE, run_ids=[studio.novice], limit=3)
    assert len(again.episodes) == 3
    # A process that did not stop in time is being ended.
    wait_until(
        lambda: len(processes(studio.server, WORKER)) <= 2, "a bench served by those left", within_s=30
    )


def test_one_episode_is_shown_step_by_step(studio: Studio, runs: dict[str, str]) -> None:
    address = f"/api/runs/{runs['play']}/episodes/0/reward-terms"
    sources = (TERMS, NEGATED, "def reward_function(): return x")
    rewards = [{"name": f"r{place}", "source": source} for place, source in enumerate(sources)]
    found = studio.post(address, rewards=rewards)
    alone = Simulation(studio.recording(runs["play"], 0), render=False)
    terms, negated, failing = found["rewards"]
    for step in range(found["length"]):
        alone.advance()
        assert found["env_rewards"][step] == alone.reward
        assert negated["rewards"][step] == -alone.reward
        angle = -abs(float(alone.observation[2]))
        assert terms["terms"]["angle"][step] == pytest.approx(angle)
        assert terms["rewards"][step] == pytest.approx(alone.reward + angle + (step >= 10))
    assert alone.step == found["length"]
    assert found["env_return"] == alone.returned
    assert failing["rewards"] == []
    assert "NameError" in failing["problem"]["message"]
    missing = studio.refused(f"/api/runs/{runs['play']}/episodes/999/reward-terms", rewards=rewards)
    assert missing["status"] == 404


def test_saved_rewards_are_tried_by_name(studio: Studio, runs: dict[str, str]) -> None:
    studio.post("/api/rewards", name="shy", source=MINUS_ONE)
    studio.post("/api/rewards", name="shy", source=NEGATED)
    asked = {"rewards": [{"name": "shy"}, {"name": "shy", "version": 1}], "run_ids": [runs["evaluate"]]}
    with studio.server.client.stream("POST", "/api/rewards/bench", json=asked) as answer:
        plan = json.loads(next(answer.iter_lines()))
    assert plan["rewards"] == ["shy@v2", "shy@v1"]
    unknown = studio.refused("/api/rewards/bench", rewards=[{"name": "bold"}], run_ids=[runs["evaluate"]])
    assert unknown["status"] == 404


def test_a_bench_without_episodes_is_refused(studio: Studio) -> None:
    rewards = [{"source": MINUS_ONE}]
    nothing = studio.refused("/api/rewards/bench", rewards=rewards, env_id="Acrobot-v1")
    assert (nothing["status"], nothing["type"]) == (409, "urn:rl-lab:not-ready")
    unknown = studio.refused("/api/rewards/bench", rewards=rewards, run_ids=["0" * 12])
    assert unknown["status"] == 404


def test_episodes_that_cannot_be_simulated_are_refused_with_the_reason(studio: Studio) -> None:
    noisy = train(studio.server, env_id="support.noisy:Noisy-v0", total_timesteps=256)
    rewards = [{"source": MINUS_ONE}]
    refused = studio.refused("/api/rewards/bench", rewards=rewards, run_ids=[noisy])
    assert refused["status"] == 409
    assert "not deterministic" in refused["detail"]
    mixed = studio.refused("/api/rewards/bench", rewards=rewards, run_ids=[noisy, studio.novice])
    assert (mixed["status"], "different environments" in mixed["detail"]) == (422, True)


def test_the_command_line_compares_files(studio: Studio, runs: dict[str, str], tmp_path: Path) -> None:
    shy, reversed_ = tmp_path / "shy.py", tmp_path / "reversed.py"
    shy.write_text(MINUS_ONE)
    reversed_.write_text(NEGATED)
    files = (str(shy), str(reversed_))
    done = command(studio.home, "rewards", "bench", *files, "--run", runs["train"], "--episodes", "40")
    assert done.returncode == 0, done.stderr
    assert "-1.000" in done.stdout
    assert f"rl-lab replay {runs['train']}" in done.stdout
    listed = command(studio.home, "rewards", "bench", str(shy), "--run", runs["evaluate"], "--json")
    found = json.loads(listed.stdout)
    assert len(found["episodes"]) == 3
    assert found["summary"]["rewards"][0]["name"] == "shy"
    which = command(studio.home, "rewards", "bench", str(shy))
    assert (which.returncode != 0, "--run" in which.stderr) == (True, True)
