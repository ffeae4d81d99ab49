"""A later end: what it is counted from, what becomes of the other ends, and how schedules continue."""

import pytest
from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.lengthening import Longer, describe, lengthen
from rl_lab.core.runs import Progress


def config(**changes: object) -> TrainConfig:
    return TrainConfig.model_validate({"algorithm": "ppo", "total_timesteps": 100_000, **changes})


def later(given: TrainConfig, at: int = 100_352, *, is_solved: bool = False, **more: int) -> TrainConfig:
    progress = Progress(timestep=at, elapsed_s=59.2, episodes=300)
    return lengthen(given, Longer(**more), at=at, progress=progress, is_solved=is_solved)


def test_steps_are_added_to_the_plan_that_was_reached() -> None:
    assert later(config(), more_timesteps=100_000).total_timesteps == 200_000
    assert later(config(), at=40_000, more_timesteps=100_000).total_timesteps == 140_000
    # The learner has made a few steps too many; the run still goes on by as many as were asked for.
    assert later(config(), more_timesteps=10).total_timesteps == 100_362


def test_what_is_asked_for_is_the_only_end() -> None:
    both = config(max_seconds=60, length="short")
    by_steps = later(both, more_timesteps=1000)
    assert (by_steps.max_seconds, by_steps.max_episodes, by_steps.length) == (None, None, None)
    by_time = later(both, more_seconds=1800)
    assert (by_time.total_timesteps, by_time.max_seconds) == (0, 1860)
    assert later(both, more_episodes=50).max_episodes == 350


def test_a_solved_run_no_longer_ends_when_it_is_solved() -> None:
    assert later(config(until="solved"), more_timesteps=1, is_solved=True).until == "timesteps"
    assert later(config(until="solved"), more_timesteps=1).until == "solved"


def test_schedules_keep_their_length_and_do_not_end_at_nothing() -> None:
    longer = later(later(config(), more_timesteps=100_000), at=200_704, more_timesteps=100_000)
    assert (longer.schedule_steps, longer.total_timesteps) == (100_000, 300_000)
    # Up to where it was lengthened, exactly as before.
    for step in (0, 40_000, 99_000, 100_352):
        assert longer.schedule_left(step) == config().schedule_left(step) == 1 - step / 100_000
    assert longer.schedule_left(100_353) == longer.schedule_left(300_000) == 0.05


def test_a_run_by_time_keeps_its_estimate_for_schedules() -> None:
    timed = config(total_timesteps=0, max_seconds=60, expected_steps=80_000)
    longer = later(timed, more_timesteps=50_000)
    assert longer.schedule_steps == 80_000 and longer.has_own_schedule
    assert longer.schedule_left(40_000) == timed.schedule_left(40_000) == 0.5
    assert longer.schedule_left(79_999) == timed.schedule_left(79_999) == 0.05


def test_the_event_log_names_the_end_and_the_rule() -> None:
    asked = Longer(more_timesteps=100_000)
    found = lengthen(config(), asked, at=100_352, progress=Progress(), is_solved=False)
    text = describe(found, asked, 100_352)
    assert text.startswith("Continued at step 100,352: 100,000 more steps, so it ends after 200,000 steps. ")
    assert "stays laid out over the first 100,000 steps" in text
    assert Longer(more_seconds=1800).text == "30 minutes more"
    assert Longer(more_episodes=1).text == "1 more episode"


def test_one_end_is_given_and_not_beyond_what_a_run_may_have() -> None:
    for wrong in ({}, {"more_timesteps": 1, "more_seconds": 1}, {"more_timesteps": 0}):
        with pytest.raises(ValidationError):
            Longer.model_validate(wrong)
    with pytest.raises(InvalidInput) as refused:
        later(config(), more_timesteps=MAX_TIMESTEPS)
    assert refused.value.errors[0].allowed == {"maximum": MAX_TIMESTEPS - 100_000}
