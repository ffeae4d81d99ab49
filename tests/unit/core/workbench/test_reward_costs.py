"""What a reward costs of a training's speed: the learner's time counts, where it is known."""

from __future__ import annotations

import pytest

from rl_lab.core.lengths.speeds import Speed
from rl_lab.core.workbench.codes import CodeCheck
from rl_lab.core.workbench.reward_costs import cost_sentence, with_cost

CHECK = CodeCheck(is_usable=True, calls=1000, calls_per_second=30_000, slowdown=0.9)


def speed(steps_per_second: float, *, is_measured: bool = True) -> Speed:
    return Speed(steps_per_second=steps_per_second, is_measured=is_measured, runs=int(is_measured))


def warnings(check: CodeCheck) -> list[str]:
    return [one.message for one in check.remarks if one.level == "warning"]


def test_the_time_of_the_learner_counts() -> None:
    fast = with_cost(CHECK, speed(20_000))
    assert fast.slowdown == pytest.approx(0.4)
    assert ["about 40% of this training's speed" in one for one in warnings(fast)] == [True]
    slow = with_cost(CHECK, speed(1_500))
    assert warnings(slow) == []
    assert cost_sentence(slow) == "This costs about 5% of this training's speed."
    assert cost_sentence(with_cost(CHECK, speed(10))) == "This costs less than 1% of this training's speed."


def test_a_usual_speed_is_not_called_measured() -> None:
    [warning] = warnings(with_cost(CHECK, speed(20_000, is_measured=False)))
    assert "roughly 40%" in warning and "None like it has ended here yet" in warning


def test_without_a_training_only_the_environments_steps_are_known() -> None:
    [warning] = warnings(with_cost(CHECK))
    assert warning.startswith("Compared with the environment's own steps this costs 90% of the speed.")


def test_what_was_not_measured_has_no_cost() -> None:
    untried = with_cost(CodeCheck(is_usable=True), speed(20_000))
    assert untried.slowdown is None and untried.remarks == []
    assert cost_sentence(untried) is None
