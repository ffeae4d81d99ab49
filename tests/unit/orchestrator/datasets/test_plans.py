"""Which jobs on datasets execute code of the user, and so are confined."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.datasets.operations import CheckDataset, CollectDataset, Collector, VerifyDataset
from rl_lab.core.environments import Environment
from rl_lab.orchestrator.datasets import plans

CUSTOM = {"wrappers": [{"id": "custom", "code": "hold@v1"}]}
ENV = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic control",
    package="gymnasium",
    action_space_type="discrete",
    action_space="DISCRETE(2)",
    obs_space_type="box",
    obs_space="BOX(4)",
    obs_space_dims=[4],
)
EXECUTED = pytest.mark.parametrize(
    ("env_id", "env_kwargs", "is_foreign"),
    [
        ("CartPole-v1", {}, False),
        ("CartPole-v1", {"wrappers": [{"id": "time_limit"}]}, False),
        ("CartPole-v1", CUSTOM, True),
        ("own:grid-v1", {}, True),
        ("package.module:Name-v0", {}, True),
    ],
)


class Catalogue:
    async def environment(self, env_id: str) -> Environment:
        return ENV.model_copy(update={"id": env_id})


def sources(home: Path) -> Any:
    return SimpleNamespace(home=home, environments=SimpleNamespace(catalogue=Catalogue()))


@EXECUTED
def test_a_collection_with_a_wrapper_of_the_user_is_confined(
    tmp_path: Path, env_id: str, env_kwargs: dict[str, Any], is_foreign: bool
) -> None:
    wanted = CollectDataset(name="played", env_id=env_id, env_kwargs=env_kwargs, policies=[Collector()])
    plan = asyncio.run(plans._plan_collect(sources(tmp_path), wanted))
    assert plan.more["is_foreign"] is is_foreign


@EXECUTED
def test_a_verification_with_a_wrapper_of_the_user_is_confined(
    tmp_path: Path, env_id: str, env_kwargs: dict[str, Any], is_foreign: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = DatasetVersion(
        name="old",
        version=1,
        sha256="0" * 64,
        env_id=env_id,
        env_kwargs=env_kwargs,
        observation_space={},
        action_space={},
        episodes=1,
        transitions=1,
        size=1,
        created_at=datetime.now(UTC),
    )

    async def find_version(*_: Any) -> DatasetVersion:
        return version

    monkeypatch.setattr(plans, "_find_version", find_version)
    choice = DatasetChoice(name="old")
    plan = asyncio.run(plans._plan_versions(sources(tmp_path), VerifyDataset(of=choice)))
    assert plan.more["is_foreign"] is is_foreign
    plan = asyncio.run(plans._plan_versions(sources(tmp_path), CheckDataset(of=choice)))
    assert plan.more["is_foreign"] is False, "it makes no environment"
