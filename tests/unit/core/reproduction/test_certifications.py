"""The verdict of a certification for people."""

from __future__ import annotations

from rl_lab.core.reproduction.certifications import BreakResult, CertificationResult, CertifiedAmounts
from rl_lab.core.reproduction.event_comparison import ComparedEpisode, EventComparison, ExpectedEvents
from rl_lab.core.reproduction.verifications import EventDifference

AMOUNTS = CertifiedAmounts(episodes=10, values=20, recordings=10, checkpoints=2, tensors=30)
FOUND = EventDifference(step=120, episode=7, quantity="return", recorded=21.0, found=22.5)


def result(difference: EventDifference | None) -> CertificationResult:
    kill = BreakResult(kind="kill", step=110, resumed_at=100, compared=AMOUNTS, first_difference=difference)
    return CertificationResult(
        verdict="different" if difference else "identical",
        runner="turbo",
        algorithm="ppo",
        env_id="CartPole-v1",
        seed=0,
        steps=500,
        breaks=[kill],
        first_difference=difference,
        first_break=0 if difference else None,
        compared=AMOUNTS,
    )


def test_the_verdict_says_what_was_compared() -> None:
    assert result(None).sentence == (
        "Identical: broken and resumed once, 10 episodes, 20 values of metrics, 30 tensors of 2 checkpoints are the "
        "same up to step 500."
    )


def test_a_difference_is_named_with_the_break_the_place_and_both_values() -> None:
    assert result(FOUND).sentence == (
        "Different (kill -9 at step 110, resumed at 100): return at step 120, episode 7: unbroken 21, resumed 22.5."
    )


def test_a_metric_that_was_not_reported_again_is_a_difference_where_all_are_expected() -> None:
    expected = ExpectedEvents(end_step=100, series={"loss": {10: 0.5, 20: 0.25}, "fps": {10: 9.0}})
    found = ExpectedEvents(end_step=100, series={"loss": {10: 0.5}}, episodes=[])
    for all_values, quantity in ((False, None), (True, "loss")):
        comparison = EventComparison(expected)
        comparison.add(found)
        comparison.end(all_values=all_values)
        assert (comparison.first.quantity if comparison.first else None) == quantity


def test_the_lowest_step_is_the_first_difference() -> None:
    comparison = EventComparison(
        ExpectedEvents(end_step=100, episodes=[ComparedEpisode(timestep=5, length=5)])
    )
    comparison.differ(50, None, "tensor a[0]", 1.0, 2.0)
    comparison.end()
    assert comparison.first is not None
    assert (comparison.first.step, comparison.first.quantity) == (5, "end of an episode")
