"""Two trainings compared event by event."""

from __future__ import annotations

import math

import msgspec
import pytest

from rl_lab.core.protocol.events import EpisodeEvent, Trace
from rl_lab.core.reproduction.event_comparison import (
    ComparedEpisode,
    EventComparison,
    ExpectedEvents,
    checksum,
    deviation,
    to_compared,
)
from rl_lab.core.reproduction.verifications import EventDifference


def episode(timestep: int, returned: float = 10.0, env: int = 0, **fields: object) -> ComparedEpisode:
    given = {"length": 10, "terminated": True, "truncated": False, "seed": 7, **fields}
    return ComparedEpisode(timestep=timestep, env=env, returned=returned, **given)  # type: ignore[arg-type]


def compare(expected: ExpectedEvents, *found: ComparedEpisode) -> EventComparison:
    comparison = EventComparison(expected)
    for one in found:
        comparison.add_episode(one)
    comparison.end()
    return comparison


def test_the_same_events_have_no_difference_and_the_same_digest() -> None:
    expected = ExpectedEvents(
        end_step=20,
        episodes=[episode(10, episode=0), episode(20, episode=1)],
        series={"loss": {10: 0.5, 20: math.nan}},
    )
    comparison = EventComparison(expected)
    comparison.add_episode(episode(10))
    comparison.add_metrics({"loss": 0.5, "fps": 100.0}, 10)
    comparison.add_episode(episode(20))
    comparison.add_metrics({"loss": math.nan}, 20)
    comparison.end()
    recorded, found = comparison.digests()
    assert comparison.first is None
    assert recorded == found
    assert comparison.amounts.model_dump() == {
        "steps": 20,
        "episodes": 2,
        "recordings": 0,
        "values": 2,
        "weights": False,
    }


@pytest.mark.parametrize(
    ("found", "quantity", "values"),
    [
        (episode(20, 11.0), "return", (10.0, 11.0)),
        (episode(20, length=9), "length", (10.0, 9.0)),
        (episode(20, terminated=False), "terminated", ("yes", "no")),
        (episode(20, actions=5), "actions (checksum)", (4.0, 5.0)),
        (episode(19), "end of an episode", ("none", "length 10")),
        (episode(20, math.nextafter(10.0, 11.0)), "return", (10.0, math.nextafter(10.0, 11.0))),
    ],
)
def test_the_first_difference_names_step_quantity_and_both_values(
    found: ComparedEpisode, quantity: str, values: tuple[object, object]
) -> None:
    expected = ExpectedEvents(end_step=30, episodes=[episode(10), episode(20, actions=4), episode(30)])
    first = compare(expected, episode(10), found, episode(30, 99.0)).first
    assert first is not None
    assert (first.step, first.quantity, (first.recorded, first.found)) == (found.timestep, quantity, values)


def test_the_difference_at_the_lowest_step_is_the_first_one() -> None:
    comparison = EventComparison(
        ExpectedEvents(end_step=30, episodes=[episode(30)], series={"loss": {20: 1.0}})
    )
    comparison.add_episode(episode(30, 11.0))
    comparison.add_metrics({"loss": 2.0}, 20)
    assert comparison.first == EventDifference(step=20, quantity="loss", recorded=1.0, found=2.0)


def test_an_episode_that_does_not_come_again_is_a_difference() -> None:
    first = compare(
        ExpectedEvents(end_step=20, episodes=[episode(10), episode(20, episode=1)]), episode(10)
    ).first
    assert first is not None
    assert (first.step, first.episode, first.found) == (20, 1, "none")


def test_events_after_the_last_compared_step_do_not_count() -> None:
    """A run that was stopped is repeated to its end, and the learner may go on to the end of its update."""
    comparison = compare(ExpectedEvents(end_step=10, episodes=[episode(10)]), episode(10), episode(20))
    comparison.add_metrics({"loss": 1.0}, 20)
    assert comparison.first is None
    assert comparison.amounts.episodes == 1


def test_metrics_are_compared_at_steps_that_both_runs_reported() -> None:
    comparison = EventComparison(ExpectedEvents(end_step=30, series={"loss": {10: 1.0}}))
    comparison.add_metrics({"loss": 5.0}, 11)
    comparison.add_metrics({"loss": 1.0, "other": 3.0}, 10)
    assert comparison.first is None
    assert comparison.amounts.values == 1


def test_figures_of_both_runs_give_their_deviation() -> None:
    expected = ExpectedEvents(end_step=20, episodes=[episode(10, 100.0), episode(20, 100.0)])
    final, area = compare(expected, episode(10, 100.0), episode(20, 90.0)).figures()
    assert (final.recorded, final.found) == (100.0, 95.0)
    assert final.deviation == pytest.approx(0.05)
    assert area.deviation == pytest.approx(0.05)
    assert deviation(0.0, 1.0) is None


def test_a_training_that_was_cut_at_the_first_difference_has_no_figures() -> None:
    comparison = EventComparison(ExpectedEvents(end_step=20, episodes=[episode(10), episode(20)]))
    comparison.add_episode(episode(10, 11.0))
    assert comparison.figures() == []


def test_an_event_of_the_wire_becomes_what_is_compared() -> None:
    trace = Trace(count=2, actions=b"\0\1")
    event = EpisodeEvent(env=1, seed=7, steps=2, return_=2.0, terminated=True, truncated=False, timestep=9)
    assert to_compared(msgspec.structs.replace(event, trace=trace)).actions == checksum(b"\0\1")
    assert (
        to_compared(msgspec.structs.replace(event, trace=Trace(start=1, count=1, actions=b"\1"))).actions
        is None
    )
    assert to_compared(event) == episode(9, 2.0, env=1, length=2)


def test_expected_events_survive_the_way_to_the_worker() -> None:
    expected = ExpectedEvents(end_step=10, episodes=[episode(10)], series={"loss": {10: 0.1}})
    sent = msgspec.msgpack.encode(expected)
    assert msgspec.msgpack.decode(sent, type=ExpectedEvents, strict=False) == expected
