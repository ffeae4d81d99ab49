"""Code tried by a worker: every shipped example works on its environment, and what is wrong is said."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.user_code import rights_of

from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeExample
from rl_lab.core.workbench.syntax import check_syntax
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.workbench.examples import ENVIRONMENTS, list_examples
from rl_lab.worker.jobs.code_checks import check_code

ANY = {"smooth_actions": "Pendulum-v1", "energy_used": "Pendulum-v1", "template": "CartPole-v1"}
"""Where examples for any environment are tried."""
TRIED = (CodeKind.reward, CodeKind.evaluation)
EXAMPLES = [(kind, name) for kind in TRIED for name in ENVIRONMENTS[kind]]


def tried(tmp_path: Path, source: str, env_id: str, kind: CodeKind = CodeKind.reward) -> dict[str, Any]:
    confine = json.loads(json.dumps(as_json(rights_of(tmp_path))))
    return check_code({"kind": kind, "source": source, "env_id": env_id, "confine": confine})


def example(kind: CodeKind, name: str) -> CodeExample:
    return list_examples(kind)[list(ENVIRONMENTS[kind]).index(name)]


def messages(found: dict[str, Any], level: str = "warning") -> list[str]:
    return [remark["message"] for remark in found["remarks"] if remark["level"] == level]


@pytest.mark.parametrize(("kind", "name"), EXAMPLES, ids=[f"{kind}-{name}" for kind, name in EXAMPLES])
def test_every_example_works_on_its_environment(kind: CodeKind, name: str, tmp_path: Path) -> None:
    shown = example(kind, name)
    env_id = shown.env_id or ANY[name]
    if env_id.startswith("LunarLander") and find_spec("Box2D") is None:
        pytest.skip("needs box2d")
    assert shown.title and shown.about
    assert check_syntax(shown.source, kind) == []
    found = tried(tmp_path, shown.source, env_id, kind)
    assert found["is_usable"], found
    assert found["calls"] > 0
    assert not any("different numbers" in message for message in messages(found))


def test_examples_of_an_environment_are_its_own_and_those_for_any() -> None:
    found = {one.env_id for one in list_examples(CodeKind.reward, "CartPole-v1")}
    assert found == {"CartPole-v1", ""}


@pytest.mark.parametrize(
    "source",
    [
        "import random\n\ndef reward_function():\n    return random.random()\n",
        "n = 0\n\ndef reward_function():\n    global n\n    n += 1\n    return n\n",
        "first = []\n\ndef reward_function(obs):\n    first.append(float(obs[0]))\n    return first[0]\n",
    ],
    ids=["random", "counter in a global", "first call in a global"],
)
def test_results_that_depend_on_the_order_of_calls_are_named(source: str, tmp_path: Path) -> None:
    found = tried(tmp_path, source, "CartPole-v1")
    assert any("use reset() and state" in message for message in messages(found)), found


def test_state_that_is_reset_gives_the_same_numbers(tmp_path: Path) -> None:
    source = (
        "def reset():\n    return {'n': 0}\n\n"
        "def reward_function(state):\n    state['n'] += 1\n    return state['n']\n"
    )
    assert messages(tried(tmp_path, source, "CartPole-v1")) == []


def test_huge_and_constant_values_are_named(tmp_path: Path) -> None:
    found = tried(tmp_path, "def reward_function():\n    return 1e9\n", "CartPole-v1")
    assert any("±1,000,000" in message for message in messages(found))
    assert any("for each of 1,000 steps" in message for message in messages(found, "info"))


def test_slow_code_is_measured_against_the_environment(tmp_path: Path) -> None:
    source = "def reward_function():\n    return float(sum(range(3000)) * 0)\n"
    found = tried(tmp_path, source, "CartPole-v1")
    assert found["slowdown"] > 0.5


def test_the_arguments_of_the_environment_decide_what_the_code_sees(tmp_path: Path) -> None:
    confine = json.loads(json.dumps(as_json(rights_of(tmp_path))))
    question = {
        "kind": CodeKind.reward,
        "source": "def reward_function(obs):\n    return float(obs.size)\n",
        "env_id": "CartPole-v1",
        "env_kwargs": {"wrappers": [{"id": "frame_stack", "frames": 3}]},
        "confine": confine,
    }
    assert any("returned 12 for each" in one for one in messages(check_code(question), "info"))


def test_evaluation_code_that_fails_names_the_episode(tmp_path: Path) -> None:
    source = "def evaluate(episode):\n    return {'last': episode.rewards[10_000]}\n"
    found = tried(tmp_path, source, "CartPole-v1", CodeKind.evaluation)
    assert not found["is_usable"]
    assert found["remarks"][0]["line"] == 2
    assert "IndexError" in found["remarks"][0]["message"]
