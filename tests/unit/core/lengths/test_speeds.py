"""How fast a configuration trains: estimates of steps and times before a run."""

from rl_lab.core.lengths.speeds import PastRun, expected_steps, measured_speed, rounded


def test_the_speed_is_the_median_of_past_runs() -> None:
    past = [PastRun(1000, 1.0, 10), PastRun(9000, 3.0, 20), PastRun(100, 1.0, 0), PastRun(0, 5.0, 0)]
    speed = measured_speed(past, declared=7)
    assert (speed.steps_per_second, speed.is_measured, speed.runs) == (1000, True, 3)
    assert speed.steps_per_episode == 275


def test_before_any_run_the_declared_speed_is_used() -> None:
    speed = measured_speed([], declared=2000)
    assert (speed.steps_per_second, speed.is_measured, speed.steps_in(60)) == (2000, False, 120_000)


def test_the_steps_of_a_run_are_those_of_the_limit_that_comes_first() -> None:
    speed = measured_speed([PastRun(1000, 1.0, 10)], declared=1)
    assert expected_steps(speed, seconds=60, episodes=None, usual=5) == 60_000
    assert expected_steps(speed, seconds=60, episodes=20, usual=5) == 2000
    unknown = measured_speed([], declared=1)
    assert expected_steps(unknown, seconds=None, episodes=20, usual=5) == 5


def test_an_estimate_has_two_digits() -> None:
    assert [rounded(n) for n in (0.2, 7, 812_345, 99_600, 1e12)] == [1, 7, 810_000, 100_000, 1_000_000_000]
