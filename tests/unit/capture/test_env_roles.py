"""Which environments of a script train, and which only evaluate."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_roles import EnvRoles
from rl_lab.capture.taps.tapped_env import Tap


class FakeSession:
    """Remembers what the taps report."""

    def __init__(self, **job: Any) -> None:
        self.job = job
        self.recorder: Any = None
        self.roles: Any = None
        self.attention = False
        self.config: dict[str, Any] = {}
        self.warnings: list[str] = []
        self.logs: list[str] = []
        self.values: list[dict[str, float]] = []
        self.telemetry = SimpleNamespace(
            maker=lambda kind: dict,
            log=lambda level, message, code: self.logs.append(code),
            metrics=lambda values, step: self.values.append(values),
        )

    def boundary(self) -> None: ...

    def report_config(self, **what: Any) -> None:
        self.config.update(what)

    def not_captured(self, message: str) -> None:
        self.warnings.append(message)


class Discrete:
    """As Gymnasium's: actions 0 and 1."""

    n, start = 2, 0


ENV: Any = SimpleNamespace(action_space=Discrete())


def origin(env_id: str = "CartPole-v1", *, is_trusted: bool | None = True, problem: str = "") -> Origin:
    return Origin(env_id, {}, "gymnasium 1.4.0", is_trusted, True, problem)


def a_tap(roles: EnvRoles, env_id: str = "CartPole-v1", *, is_reset: bool = True, **fields: Any) -> Tap:
    made = Tap(origin(env_id, **fields), roles)
    made.is_reset = is_reset
    roles.add(made)
    return made


def test_the_first_environment_that_steps_trains_with_those_like_it() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    first, second, other = a_tap(roles), a_tap(roles), a_tap(roles, "Acrobot-v1")
    not_reset = a_tap(roles, is_reset=False)
    roles.assign_role(first, ENV, 1)
    assert [tap._is_training for tap in (first, second, other, not_reset)] == [True, True, False, False]
    assert (session.config["env_id"], session.config["n_envs"]) == ("CartPole-v1", 2)
    assert session.warnings == []


def test_an_environment_that_steps_later_only_evaluates() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    training, later = a_tap(roles), a_tap(roles, "Acrobot-v1")
    roles.assign_role(training, ENV, 1)
    roles.assign_role(later, ENV, 1)
    assert not later._is_training
    roles.report_evaluation(12.0, 30)
    roles.report_evaluation(14.0, 31)
    assert session.values == [
        {"eval/reward": 12.0, "eval/length": 30.0},
        {"eval/reward": 14.0, "eval/length": 31.0},
    ]
    assert session.logs == ["evaluation_seen"], "logged once"


def test_an_environment_that_was_only_tried_out_makes_room_for_the_next() -> None:
    roles = EnvRoles(FakeSession())
    tried = a_tap(roles)
    roles.assign_role(tried, ENV, 1)
    roles.remove(tried)
    real = a_tap(roles, "Acrobot-v1")
    roles.assign_role(real, ENV, 1)
    assert real._is_training


def test_an_environment_that_cannot_be_reproduced_is_counted_with_a_warning() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    tap = a_tap(roles, problem="it resets itself (autoreset=True)")
    roles.assign_role(tap, ENV, 1)
    assert tap._is_training and tap._stride == 0
    assert session.warnings == [
        "Episodes of CartPole-v1 are counted but not recorded: it resets itself (autoreset=True)."
    ]


def test_a_hidden_vector_environment_claims_the_training_once() -> None:
    roles = EnvRoles(FakeSession())
    assert roles.claim_training()
    assert not roles.claim_training()


def test_rewards_are_not_needed_only_where_the_environment_is_known_to_be_deterministic() -> None:
    def trusted(is_trusted: bool | None, exact: bool | None = None) -> bool:
        job = {"config": {"env_id": "CartPole-v1"}, "inputs": {"exact": exact}}
        return EnvRoles(FakeSession(**job)).is_trusted(origin(is_trusted=is_trusted))

    assert trusted(True) and trusted(None, True) and trusted(True, True)
    assert not trusted(None) and not trusted(False, True) and not trusted(True, False)
