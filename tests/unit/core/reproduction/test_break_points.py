"""Where a certification breaks trainings."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import NotReady
from rl_lab.core.reproduction.break_points import TrainingSteps, choose_breaks

EVERY_STEP = TrainingSteps(
    asked=list(range(1, 1001)), between_updates=list(range(100, 1001, 100)), saved=[200, 400, 600, 800]
)
UPDATES_ONLY = TrainingSteps(
    asked=[100, 200, 300, 400], between_updates=[100, 200, 300, 400], saved=[100, 200, 300]
)


def test_a_stop_a_kill_and_a_checkpoint_come_in_turn_and_by_the_seed() -> None:
    found = choose_breaks(EVERY_STEP, count=7, seed=3)
    assert [one.kind for one in found] == ["stop", "kill", "checkpoint"] * 2 + ["stop"]
    assert found == choose_breaks(EVERY_STEP, count=7, seed=3)
    assert found != choose_breaks(EVERY_STEP, count=7, seed=4)
    assert {one.step for one in found if one.kind == "checkpoint"} <= set(EVERY_STEP.saved)


@pytest.mark.parametrize("steps", [EVERY_STEP, UPDATES_ONLY])
def test_a_kill_is_always_between_two_checkpoints(steps: TrainingSteps) -> None:
    kills = [one for one in choose_breaks(steps, count=60, seed=0) if one.kind == "kill"]
    for _, step, every in kills:
        assert every is not None
        saved, due = [], every
        for update in steps.between_updates:
            if due <= update <= step:
                saved.append(update)
                due = update + every
        assert saved == [max(update for update in steps.between_updates if update < step)]


def test_a_training_with_one_update_is_too_short() -> None:
    with pytest.raises(NotReady, match="1,024 steps is too short"):
        choose_breaks(TrainingSteps(asked=[1024], between_updates=[1024]), count=3, seed=0)
