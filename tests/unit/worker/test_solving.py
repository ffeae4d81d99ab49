"""What a training until solved reports when it was not."""

from __future__ import annotations

from rl_lab.worker.solving import Solving


def test_an_unsolved_run_reports_its_best_mean_and_the_threshold() -> None:
    solving = Solving(200.0)
    for mean in (10.0, 168.2, 150.0):
        solving.check(mean)
    assert not solving.is_solved
    assert solving.failure(900) == (
        "Not solved: the best mean reward over 100 episodes was 168.2; 200 counts as solved."
    )


def test_too_few_episodes_are_reported_as_such() -> None:
    assert Solving(475.0).failure(12) == (
        "Not solved: there were only 12 episodes, and the mean of 100 must reach 475."
    )


def test_a_resumed_run_names_the_step_since_which_it_counts() -> None:
    solving = Solving(475.0, first_step=20_480)
    solving.check(300.0)
    assert "over 100 episodes since step 20,480 was 300" in solving.failure(300)


def test_a_mean_that_was_not_confirmed_is_not_solved() -> None:
    solving = Solving(475.0)
    solving.check(480.0, lambda: False)
    solving.check_last(480.0)
    assert not solving.is_solved
    assert solving.failure(300).endswith("was 480, but the policy without exploration did not reach 475.")


def test_the_last_update_counts_for_a_learner_that_confirms_nothing() -> None:
    solving = Solving(475.0)
    solving.check(470.0)
    solving.check_last(480.0)
    assert solving.is_solved
