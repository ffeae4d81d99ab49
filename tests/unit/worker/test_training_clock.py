"""The training time of a run, over attempts and without pauses."""

from rl_lab.core.lengths.limits import NO_LIMITS, RunLimits
from rl_lab.worker.training_clock import TrainingClock


def test_earlier_attempts_count_and_pauses_do_not() -> None:
    clock = TrainingClock(RunLimits(100), seconds0=60)
    clock.begin(1000.0)
    clock.look(1030.0, 0)
    clock.leave_out(500)
    clock.look(1539.0, 0)
    assert not clock.is_over
    clock.look(1540.0, 7)
    assert clock.is_over
    assert clock.end(5) == ("time-limit", "Ended after 1 minute 40 seconds, at step 5.")


def test_a_limit_that_was_reached_stays_reached() -> None:
    clock = TrainingClock(RunLimits(0, 10), seconds0=0)
    clock.look(5.0, 10)
    clock.leave_out(100)
    clock.look(6.0, 10)
    assert clock.is_over and clock.end(1)[0] == "episode-limit"


def test_without_limits_a_run_is_never_over() -> None:
    clock = TrainingClock(NO_LIMITS, seconds0=1e9)
    clock.look(1e9, 10**9)
    assert not clock.is_over and not clock.has_limits


def test_a_training_from_a_dataset_ends_after_updates() -> None:
    clock = TrainingClock(RunLimits(100), seconds0=0, unit="update")
    assert clock.end(500) == ("done", "Ended after 500 updates.")
    clock.look(0, 0)
    clock.look(100, 0)
    assert clock.end(500)[1] == "Ended after 1 minute 40 seconds, at update 500."
