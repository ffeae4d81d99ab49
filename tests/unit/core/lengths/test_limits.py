"""The limits of a run: which one ends it, how far it is, what is left."""

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.limits import RunLimits, ends_text, limits_of, progress_fraction, seconds_left


def test_the_reason_names_the_limit_that_was_reached() -> None:
    limits = RunLimits(1800, 500)
    assert not limits.is_reached(1799.9, 499)
    assert limits.is_reached(1800, 0) and limits.is_reached(0, 500)
    assert limits.reason(1800.2, 3, 812_000).message == "Ended after 30 minutes, at step 812,000."
    by_episodes = limits.reason(5, 500, 9)
    assert (by_episodes.cause, by_episodes.message) == (
        "episode-limit",
        "Ended after 500 episodes, at step 9.",
    )


def test_a_run_is_as_far_as_the_limit_that_comes_first() -> None:
    done = progress_fraction(RunLimits(100, 50), timestep=10, total=1000, seconds=30, episodes=20)
    assert done == 0.4
    assert progress_fraction(RunLimits(), timestep=10, total=0, seconds=1, episodes=1) == 0.0
    assert progress_fraction(RunLimits(10), timestep=0, total=0, seconds=99, episodes=0) == 1.0


def test_the_time_left_is_that_until_the_first_limit() -> None:
    assert seconds_left(RunLimits(100, 50), steps_s=None, seconds=40, episodes=40) == 10
    assert seconds_left(RunLimits(100), steps_s=7.0, seconds=40, episodes=0) == 7
    assert seconds_left(RunLimits(), steps_s=None, seconds=1, episodes=0) is None
    assert seconds_left(RunLimits(10), steps_s=None, seconds=12, episodes=0) == 0


def test_what_ends_a_run_is_said_in_words() -> None:
    config = TrainConfig(algorithm="ppo", total_timesteps=300_000, max_seconds=1800, until="solved")
    assert limits_of(config) == (1800, 0)
    assert ends_text(config.model_dump()) == "after 300,000 steps or 30 minutes, or when solved"
    assert ends_text({"total_timesteps": 0}) == "when the script ends"
