"""Training and evaluation of a captured script in a real lab: what is counted, and what changes when a user chooses."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for, wait_for_step
from support.recordings import assert_comes_back

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.runs import Run
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader

INTERLEAVED = """
import gymnasium as gym
def play(env, episodes, action):
    for _ in range(episodes):
        env.reset(seed=1)
        while not any(env.step(action)[2:4]):
            pass
env, judge = gym.make("CartPole-v1"), gym.make("MountainCar-v0", max_episode_steps=30)
judge.reset(seed=1)
for _ in range(3):
    play(env, 2, 0)
    play(judge, 1, 1)
"""
IN_ONE_VARIABLE = """
import gymnasium as gym
keep = []
def train(seed):
    env = gym.make("CartPole-v1")
    keep.append(env)
    for _ in range(4):
        env.reset(seed=seed)
        while not any(env.step(0)[2:4]):
            pass
train(1)
train(2)
keep.clear()
"""

FOR_EVER = """
import time
import gymnasium as gym
env, judge = gym.make("CartPole-v1"), gym.make("MountainCar-v0", max_episode_steps=20)
while True:
    for one in (env, judge):
        one.reset(seed=1)
        while not any(one.step(0)[2:4]):
            pass
    time.sleep(0.01)
"""


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


async def start_script(lab: Lab, folder: Path, text: str, **params: Any) -> Run:
    path = folder / "train.py"
    path.write_text(text)
    command = {"command": [sys.executable, str(path)], **params}
    new = NewRun(runner="script", algorithm="python", params=command, start=True)
    preview = await lab.runs.preview_command(new)
    return await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))


async def run_script(lab: Lab, folder: Path, text: str, **params: Any) -> Run:
    created = await start_script(lab, folder, text, **params)
    return await wait_for(lab, created.id)


async def figures(lab: Lab, run_id: str) -> dict[str, Any]:
    run = await lab.queries.get_run(run_id)
    series = await lab.queries.metrics(run_id)
    listed = await lab.runs.episodes.list_page(run_id, wanted=EpisodeFilter(), limit=50)
    judged = await lab.runs.episodes.list_page(run_id, wanted=EpisodeFilter(role="evaluation"), limit=50)
    return {
        "env_id": run.config.env_id,
        "steps": run.progress.timestep,
        "episodes": run.progress.episodes,
        "mean": run.summary.mean_reward,
        "reward": len(series["reward"].value),
        "eval": len(series["eval/reward"].value) if "eval/reward" in series else 0,
        "numbers": [row.episode for row in listed.items],
        "listed": listed.total,
        "judged": judged.total,
    }


def test_evaluation_is_kept_apart_and_a_user_can_turn_it_round(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_script(lab, tmp_path, INTERLEAVED)
            environments = await lab.runs.roles.list(run.id)
            assert [(one.env_id, one.role, one.episodes) for one in environments] == [
                ("CartPole-v1", "training", 6),
                ("MountainCar-v0", "evaluation", 3),
            ]
            before = await figures(lab, run.id)
            sources = await lab.queries.metric_origins(run.id)
            assert sources["reward"].source == "the lab, from the episodes of the training environments"
            assert (
                sources["eval/reward"].source == "the lab, from the episodes of the evaluation environments"
            )
            steps = environments[0].steps
            assert before == {
                "env_id": "CartPole-v1",
                "steps": steps,
                "episodes": 6,
                "mean": steps / 6,
                "reward": 6,
                "eval": 3,
                "numbers": [5, 4, 3, 2, 1, 0],
                "listed": 6,
                "judged": 3,
            }
            judged = await lab.runs.episodes.list_page(
                run.id, wanted=EpisodeFilter(role="evaluation"), limit=50
            )
            assert all(row.recorded for row in judged.items), "evaluations can be watched"
            await lab.runs.roles.choose(run.id, 2, "training")
            await lab.runs.roles.choose(run.id, 1, "evaluation")
            after = await figures(lab, run.id)
            assert after == {
                "env_id": "MountainCar-v0",
                "steps": 90,
                "episodes": 3,
                "mean": -30.0,
                "reward": 3,
                "eval": 6,
                "numbers": [2, 1, 0],
                "listed": 3,
                "judged": 6,
            }
            rows = await lab.runs.episodes.list_page(run.id, sort="episode")
            assert [row.timestep for row in rows.items] == [30, 60, 90]
            with TelemetryReader(home / "runs" / run.id / "telemetry.db", run.id) as telemetry:
                recording = telemetry.recording(0)
            assert recording is not None
            assert (recording.env_id, recording.returned) == ("MountainCar-v0", -30.0)
            assert_comes_back(recording)
            await lab.runs.roles.choose(run.id, 1, "training")
            await lab.runs.roles.choose(run.id, 2, "evaluation")
            assert await figures(lab, run.id) == before, "back and forth loses nothing"
            told = [event.message for event in await lab.queries.events(run.id)]
            assert "Environment 1, CartPole-v1, is the training: stepped first." in told
            assert any(
                message.startswith("Environment 2, MountainCar-v0, is evaluation: ") for message in told
            )
            assert any("is the training now: chosen by the user" in message for message in told)
            summary = json.loads((home / "runs" / run.id / "metrics.json").read_text())
            assert summary["progress"]["episodes"] == 6

    asyncio.run(story())


def test_a_revised_decision_sorts_the_episodes_again(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_script(lab, tmp_path, IN_ONE_VARIABLE)
            found = await figures(lab, run.id)
            assert (found["episodes"], found["reward"], found["eval"], found["judged"]) == (8, 8, 0, 0)
            assert found["numbers"] == list(range(7, -1, -1))
            told = [event.message for event in await lab.queries.events(run.id)]
            assert any("curves, figures and episodes were computed again" in message for message in told)
            rows = (await lab.runs.episodes.list_page(run.id, sort="episode")).items
            assert rows[-1].timestep == found["steps"] == sum(row.length for row in rows)

    asyncio.run(story())


def test_a_choice_that_makes_no_sense_is_refused(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_script(lab, tmp_path, INTERLEAVED, training=["MountainCar-v0"])
            assert run.config.env_id == "MountainCar-v0"
            assert run.progress.timestep == 90
            with pytest.raises(NotFound, match="no environment 7"):
                await lab.runs.roles.choose(run.id, 7, "training")
            with pytest.raises(InvalidInput, match="only training environment"):
                await lab.runs.roles.choose(run.id, 2, "evaluation")

    asyncio.run(story())


def test_a_choice_holds_for_what_a_running_script_plays_afterwards(home: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await start_script(lab, tmp_path, FOR_EVER)
            await wait_for_step(lab, run.id, 50)
            await lab.runs.roles.choose(run.id, 2, "training")
            await lab.runs.roles.choose(run.id, 1, "evaluation")
            before = (await lab.queries.get_run(run.id)).progress
            await wait_for_step(lab, run.id, before.timestep + 100)
            await lab.runs.move(run.id, "stop")
            ended = await wait_for(lab, run.id)
            found = await figures(lab, run.id)
            assert found["env_id"] == ended.config.env_id == "MountainCar-v0"
            assert found["mean"] == -20.0, "no episode of CartPole is among them"
            assert found["numbers"][0] == found["episodes"] - 1
            assert abs(found["steps"] - 20 * found["episodes"]) < 20
            rows = (await lab.runs.episodes.list_page(run.id, sort="episode", limit=50)).items
            assert [row.timestep for row in rows] == [20 * (n + 1) for n in range(len(rows))]

    asyncio.run(story())
