"""What a user may ask for, and the words in which the rest is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.orchestrator.runs.requests import NewRun


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


def refusal(home: Path, new: NewRun) -> InvalidInput:
    async def story() -> InvalidInput:
        async with open_lab(home) as lab:
            with pytest.raises(InvalidInput) as refused:
                await lab.runs.create(new)
            assert (await lab.queries.list_runs()).total == 0
            return refused.value

    return asyncio.run(story())


def test_an_old_name_is_followed_and_the_event_log_says_so(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(NewRun(env_id="LunarLander-v2", algorithm="ppo"))
            assert run.config.kind == "train"
            assert run.config.env_id == "LunarLander-v3"
            messages = [event.message for event in await lab.queries.events(run.id)]
            assert any("LunarLander-v2 is now called LunarLander-v3" in m for m in messages)

    asyncio.run(story())


def test_an_unknown_environment_gets_the_nearest_ones(home: Path) -> None:
    error = refusal(home, NewRun(env_id="CartPol-v1", algorithm="ppo"))
    assert "CartPole-v1" in error.errors[0].allowed
    assert error.errors[0].field == "env_id"


def test_every_wrong_field_is_named_at_once(home: Path) -> None:
    wrong = NewRun(
        env_id="Nowhere-v0", algorithm="ppo", preset="slow", params={"learning_rate": -1, "momentum": 0.9}
    )
    fields = {e.field for e in refusal(home, wrong).errors}
    assert {"env_id", "preset", "params.learning_rate", "params.momentum"} <= fields


@pytest.mark.parametrize(
    ("algorithm", "env_id"), [("dqn", "BipedalWalker-v3"), ("sac", "CartPole-v1"), ("td3", "LunarLander-v3")]
)
def test_an_algorithm_that_does_not_fit_the_actions_is_refused_in_words(
    home: Path, algorithm: str, env_id: str
) -> None:
    error = refusal(home, NewRun(env_id=env_id, algorithm=algorithm))
    assert "actions, but" in error.detail


def test_turbo_refuses_pictures_in_words(home: Path) -> None:
    (error,) = refusal(home, NewRun(env_id="CarRacing-v3", algorithm="ppo", runner="turbo")).errors
    assert (error.field, error.allowed) == ("runner", ["sb3"])
    assert error.message.startswith("Turbo learns from vectors, and CarRacing-v3 shows BOX(96")


def test_an_unknown_runner_is_refused_with_the_known_ones(home: Path) -> None:
    assert "sb3" in refusal(home, toy(runner="sb4")).errors[0].allowed


def test_the_effective_config_is_complete_and_its_seed_drawn(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(NewRun(env_id="CartPole-v1", algorithm="PPO", preset="fast"))
            config = json.loads((home / "runs" / run.id / "config.json").read_text())
            assert config == run.config.model_dump(mode="json")
            assert config["algorithm"] == "ppo"
            assert config["params"]["learning_rate"] > 0
            assert await lab.queries.config(run.id) == config

    asyncio.run(story())


def test_a_gpu_that_is_not_there_is_refused_before_the_start(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            with pytest.raises(NotReady, match="GPU"):
                await lab.runs.create(toy(device="cuda"))

    asyncio.run(story())


def test_the_doctor_looks_at_everything_and_has_a_remedy_for_each_problem(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            found = {finding.id: finding for finding in await lab.machine.findings()}
        wanted = {
            "python",
            "sqlite",
            "torch",
            "gpu",
            "environments",
            "disk",
            "file-system",
            "port",
            "runner-sb3",
        }
        wanted |= {"extra-atari", "extra-postgres", "extra-onnx", "sandbox-landlock", "sandbox-seccomp"}
        assert wanted <= set(found)
        assert all(f.remedy for f in found.values() if f.level != "ok")
        assert "one writer" in found["sqlite"].message or found["sqlite"].remedy == ""

    asyncio.run(story())
