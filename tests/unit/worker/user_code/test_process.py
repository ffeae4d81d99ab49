"""What the process of user code does with a function: its arguments and its results; here without the process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
from rl_lab.worker.user_code.process import UserCode
from rl_lab.worker.user_code.results import BadResult
from rl_lab.worker.user_code.wire import to_column

KNOWN = FORMS[CodeKind.reward].arguments


@pytest.fixture(autouse=True)
def leave_nothing_behind() -> Iterator[None]:
    """Opened code is a module of the process."""
    yield
    sys.modules.pop("user_code", None)


def opened(source: str, function: str = "reward_function", known: tuple[str, ...] = KNOWN) -> UserCode:
    code = UserCode()
    code.open(source=source, file="<test>", function=function, known=known)
    return code


def scored(source: str, rewards: list[float]) -> tuple[list[float], dict[str, list[float]]]:
    """Totals and terms."""
    code = opened(source)
    return read(
        code.score(columns={"reward": to_column(np.array(rewards))}, begins=b"\1" * len(rewards), lanes=None)
    )


def read(answer: bytes) -> tuple[list[float], dict[str, list[float]]]:
    size = int.from_bytes(answer[:4], "little")
    names = json.loads(answer[4 : 4 + size])
    numbers = np.frombuffer(answer[4 + size :])
    n = len(numbers) // (1 + len(names))
    terms = numbers[n:].reshape(n, len(names))
    return numbers[:n].tolist(), {name: terms[:, k].tolist() for k, name in enumerate(names)}


@pytest.mark.parametrize(
    "signature",
    [
        "obs, scale=2.0, reward=0.0",
        "scale=2.0, reward=0.0, unused=7",
        "reward, scale=2.0, *args, **kwargs",
        "reward, /, scale=2.0",
        "reward, *, scale=2.0",
    ],
)
def test_arguments_are_matched_by_name_and_others_keep_their_default(signature: str) -> None:
    source = f"def reward_function({signature}):\n    return reward * 10 + scale\n"
    assert scored(source, [1.0, 2.0])[0] == [12.0, 22.0]


def test_only_arguments_that_the_lab_passes_are_reported() -> None:
    code = UserCode()
    source = "def reward_function(obs, scale=2.0, reward=0.0, *args, **kwargs):\n    return 1\n"
    answer = json.loads(code.open(source=source, file="<test>", function="reward_function", known=KNOWN))
    assert answer["takes"] == ["obs", "reward"]


def test_arguments_after_a_star_are_refused_if_the_lab_would_have_to_pass_them() -> None:
    with pytest.raises(BadResult, match=r"after \*"):
        opened("def reward_function(obs, *, reward):\n    return 1\n")


def test_terms_may_have_numbers_as_names() -> None:
    totals, terms = scored("def reward_function(reward):\n    return {1: reward, 2: 10.0}\n", [1.0, 2.0])
    assert totals == [11.0, 12.0]
    assert terms == {"1": [1.0, 2.0], "2": [10.0, 10.0]}


def test_long_names_of_terms_are_cut_and_keep_their_values() -> None:
    source = "def reward_function(reward):\n    return {'x' * 100: reward}\n"
    totals, terms = scored(source, [1.0] * 50)
    assert totals == [1.0] * 50
    assert terms == {"x" * 64: [1.0] * 50}


@pytest.mark.parametrize("terms", ["{1: reward, '1': 2.0}", "{'x' * 70: reward, 'x' * 80: 1.0}"])
def test_two_terms_with_the_same_name_are_refused(terms: str) -> None:
    with pytest.raises(BadResult, match="same name"):
        scored(f"def reward_function(reward):\n    return {terms}\n", [1.0])
    with pytest.raises(BadResult, match="same name"):
        evaluated(f"def evaluate(episode):\n    reward = 1.0\n    return {terms}\n")


def test_a_step_without_terms_is_worth_nothing() -> None:
    assert scored("def reward_function(reward):\n    return {}\n", [1.0, 2.0]) == ([0.0, 0.0], {})


def evaluated(source: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        opened(source, "evaluate", ("episode",)).evaluate(episode={"length": 1})
    )
    return found


@pytest.mark.parametrize("name", ["''", "' '"])
def test_a_value_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(BadResult, match="empty name"):
        scored(f"def reward_function(reward):\n    return {{{name}: reward}}\n", [1.0])
    with pytest.raises(BadResult, match="empty name"):
        evaluated(f"def evaluate(episode):\n    return {{{name}: 1.0}}\n")


def test_a_number_is_not_named_like_one_that_cites_a_protocol() -> None:
    with pytest.raises(BadResult, match=r"soft@nightly.*leave @ out"):
        evaluated("def evaluate(episode):\n    return {'soft@nightly': 1.0}\n")
    assert scored("def reward_function(reward):\n    return {'a@b': reward}\n", [1.0])[1] == {"a@b": [1.0]}


def test_a_number_is_not_named_like_a_derived_metric() -> None:
    """A comparison would show its values under the title of that metric."""
    with pytest.raises(BadResult, match=r"metrics\.speed.*derived metrics"):
        evaluated("def evaluate(episode):\n    return {'metrics.speed': 1.0}\n")


def test_a_mistyped_attribute_is_one_of_the_episode() -> None:
    with pytest.raises(AttributeError, match="'Episode' object has no attribute 'observation'"):
        evaluated("def evaluate(episode):\n    return {'a': episode.observation}\n")


def test_names_of_an_evaluations_numbers_are_texts() -> None:
    assert evaluated("def evaluate(episode):\n    return {1: 2.0, 'x' * 100: 3.0}\n") == {
        "1": 2.0,
        "x" * 64: 3.0,
    }


@pytest.mark.parametrize("name", [r"'a\ud800b'", r"'a\nb'", r"'a\x00b'"])
def test_names_that_cannot_be_shown_are_changed(name: str) -> None:
    _, terms = scored(f"def reward_function(reward):\n    return {{{name}: reward}}\n", [1.0])
    assert terms == {"a\ufffdb": [1.0]}


@pytest.mark.parametrize("value", ["np.complex128(1)", "np.complex64(1j)", "{'a': np.complex128(1)}"])
def test_complex_numbers_of_numpy_are_refused(value: str) -> None:
    source = f"import numpy as np\ndef reward_function(reward):\n    return {value}\n"
    with pytest.raises(BadResult, match=r"complex.*must be a number"):
        scored(source, [1.0])


def test_a_wrong_result_is_named_without_superfluous_words() -> None:
    with pytest.raises(BadResult) as refused:
        scored("def reward_function(reward):\n    return 'x'\n", [1.0])
    assert str(refused.value) == "It returned str 'x'; it must be a number."


def test_the_reward_of_a_step_does_not_depend_on_the_terms_of_earlier_steps() -> None:
    """A resumed training has a new process, which has seen other terms first."""
    source = (
        "def reward_function(reward):\n"
        "    return {'c': 0.2} if reward == 0 else {'a': 0.1, 'b': 0.7, 'c': 0.2}\n"
    )
    assert scored(source, [0.0, 1.0])[0][1] == scored(source, [1.0])[0][0]
