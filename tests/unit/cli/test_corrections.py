"""A request that is almost right is corrected, if the user agrees."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.cli import corrections
from rl_lab.cli.corrections import create_corrected
from rl_lab.core.errors import InvalidInput

KNOWN = {"turbo": {"ppo", "dqn"}, "sb3": {"ppo", "dqn", "sac"}}


def create(wanted: dict[str, Any]) -> dict[str, Any]:
    """As the lab answers: it knows one environment, and two runners with their algorithms."""
    if wanted["env_id"] != "CartPole-v1":
        raise InvalidInput.of_field("env_id", "There is no such environment.", ["CartPole-v1", "CartPole-v0"])
    if wanted["algorithm"] not in KNOWN[wanted["runner"]]:
        raise InvalidInput.of_field("algorithm", "It has no such algorithm.", sorted(KNOWN[wanted["runner"]]))
    return wanted


def correct(env_id: str = "CartPole-v1", *, yes: bool = False, quiet: bool = False, **more: Any) -> Any:
    wanted = {"env_id": env_id, "algorithm": "ppo", "runner": None, **more}
    return create_corrected(create, wanted, yes=yes, quiet=quiet)


def test_without_a_runner_the_first_that_has_the_algorithm_is_taken() -> None:
    assert correct()["runner"] == "turbo"
    assert correct(algorithm="sac")["runner"] == "sb3"
    with pytest.raises(InvalidInput):
        correct(algorithm="sac", runner="turbo")
    with pytest.raises(InvalidInput):
        correct(algorithm="dance")


def test_yes_takes_the_nearest_environment() -> None:
    assert correct("CartPole", yes=True)["env_id"] == "CartPole-v1"


def test_without_a_terminal_nothing_is_guessed() -> None:
    with pytest.raises(InvalidInput):
        correct("CartPole")


@pytest.mark.parametrize("agrees", [True, False])
def test_on_a_terminal_the_user_is_asked(monkeypatch: pytest.MonkeyPatch, agrees: bool) -> None:
    asked: list[str] = []

    def answer(question: str, **_: Any) -> bool:
        asked.append(question)
        return agrees

    monkeypatch.setattr(corrections.sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(corrections.sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(corrections, "confirm", answer)
    if agrees:
        assert correct("CartPole")["env_id"] == "CartPole-v1"
    else:
        with pytest.raises(InvalidInput):
            correct("CartPole")
    assert asked == ["There is no environment “CartPole”. Use CartPole-v1?"]


def test_a_request_without_an_environment_is_refused_as_the_lab_says() -> None:
    def refuse(wanted: dict[str, Any]) -> Any:
        raise InvalidInput.of_field("episodes", "There is no such field.")

    with pytest.raises(InvalidInput, match="no such field"):
        create_corrected(refuse, {"runner": "sb3"}, yes=True, quiet=False)
