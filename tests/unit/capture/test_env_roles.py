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
        self.dataset_run: Any = None
        self.config: dict[str, Any] = {}
        self.warnings: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self.telemetry = SimpleNamespace(
            maker=lambda kind: dict,
            emit_many=self.sent.extend,
            send=lambda kind, **fields: self.sent.append(fields),
        )

    def boundary(self) -> None: ...

    def after_episode(self) -> None: ...

    def report_config(self, **what: Any) -> None:
        self.config.update(what)

    def not_captured(self, message: str) -> None:
        self.warnings.append(message)

    def roles_sent(self) -> dict[int, str]:
        return {sent["env_group"]: sent["role"] for sent in self.sent if "role" in sent}


class Discrete:
    """As Gymnasium's: actions 0 and 1."""

    n, start = 2, 0


class Env:
    """Of one step per episode."""

    action_space = Discrete()

    def step(self, action: int) -> Any:
        return None, 1.0, True, False, {}

    def reset(self) -> None: ...


class Vector:
    """Steps its members one by one, as the classes of many libraries do."""

    def __init__(self, taps: list[tuple[Tap, Env]]) -> None:
        self.num_envs = len(taps)
        self._taps = taps

    def step(self) -> None:
        for tap, env in self._taps:
            step(tap, env)

    def reset(self) -> None: ...


def origin(env_id: str = "CartPole-v1", *, is_trusted: bool | None = True, problem: str = "") -> Origin:
    return Origin(env_id, {}, "gymnasium 1.4.0", is_trusted, True, problem)


def a_tap(roles: EnvRoles, env_id: str = "CartPole-v1", **fields: Any) -> tuple[Tap, Env]:
    env = Env()
    made = Tap(origin(env_id, **fields), roles, env)
    roles.add(made)
    return made, env


def step(tap: Tap, env: Env) -> None:
    tap.before_step(env, 1)
    tap.after_step(env.step(1))


def test_the_members_of_the_vector_that_is_stepped_first_train() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    training, judge = [a_tap(roles), a_tap(roles)], a_tap(roles)
    Vector(training).step()
    step(*judge)
    assert [tap.is_training for tap, _ in (*training, judge)] == [True, True, False]
    assert (session.config["env_id"], session.config["n_envs"]) == ("CartPole-v1", 2)
    assert roles.training_steps() == 2, "steps of an evaluation do not count"
    assert session.roles_sent() == {1: "training", 2: "evaluation"}
    assert session.warnings == []


def test_an_environment_made_after_the_training_was_closed_continues_it() -> None:
    roles = EnvRoles(FakeSession())
    first = a_tap(roles)
    step(*first)
    roles.remove(first[0])
    next_one, other = a_tap(roles), a_tap(roles, "Acrobot-v1")
    step(*next_one)
    step(*other)
    assert next_one[0].is_training and not other[0].is_training
    assert roles.training_steps() == 2


def test_an_evaluation_that_outlasts_the_training_becomes_training_only_if_the_training_has_ended() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    first = a_tap(roles)
    step(*first)
    later = a_tap(roles)
    step(*later)
    assert not later[0].is_training, "the first one may go on"
    roles.remove(first[0])
    roles.review()
    assert later[0].is_training and session.roles_sent()[2] == "training"


def test_an_evaluation_after_training_is_its_own_group_however_early_the_roles_were_reviewed() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    judge, learner = a_tap(roles), a_tap(roles)
    for epoch in range(3):
        step(*judge)
        for _ in range(6):
            step(*learner)
            roles.learners.updated()
            if epoch == 0:
                break
        roles.review()
    roles.remove(learner[0])
    last = a_tap(roles)
    step(*last)
    roles.review(is_end=True)
    assert session.roles_sent() == {1: "evaluation", 2: "training", 3: "evaluation"}


def test_an_environment_that_was_only_tried_out_makes_room_for_the_next() -> None:
    roles = EnvRoles(FakeSession())
    tried, env = a_tap(roles)
    tried.before_step(env, 1)
    tried.after_step((None, 1.0, False, False, {}))
    roles.remove(tried)
    real = a_tap(roles, "Acrobot-v1")
    step(*real)
    assert real[0].is_training and not tried.is_training


def test_steps_inside_a_reset_decide_nothing() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    tap, env = a_tap(roles)

    class Noop:
        def step(self) -> None: ...

        def reset(self) -> None:
            step(tap, env)

    Noop().reset()
    assert roles.groups == []
    step(tap, env)
    assert session.roles_sent() == {1: "training"}


def test_an_environment_that_cannot_be_reproduced_is_counted_with_a_warning() -> None:
    session = FakeSession()
    roles = EnvRoles(session)
    tap, env = a_tap(roles, problem="it resets itself (autoreset=True)")
    step(tap, env)
    assert tap.is_training and tap._stride == 0
    assert session.warnings == [
        "Episodes of CartPole-v1 are counted but not recorded: it resets itself (autoreset=True)."
    ]


def test_rewards_are_not_needed_only_where_the_environment_is_known_to_be_deterministic() -> None:
    def trusted(is_trusted: bool | None, exact: bool | None = None) -> bool:
        job = {"config": {"env_id": "CartPole-v1"}, "inputs": {"exact": exact}}
        return EnvRoles(FakeSession(**job)).is_trusted(origin(is_trusted=is_trusted))

    assert trusted(True) and trusted(None, True) and trusted(True, True)
    assert not trusted(None) and not trusted(False, True) and not trusted(True, False)
