"""The numbers of evaluation code over the episodes."""

from __future__ import annotations

from rl_lab.analysis.evaluation_numbers import summarise_numbers


def test_each_number_has_its_figures_over_the_episodes_that_have_it() -> None:
    rows = [{"a": 1.0, "b": 5.0}, {"a": 2.0}, {"a": 3.0}, {"a": 4.0}, {"a": 5.0}]
    found = summarise_numbers(rows)
    assert list(found) == ["a", "b"]
    a, b = found.values()
    assert (a.episodes, a.mean, a.min, a.max, a.median) == (5, 3.0, 1.0, 5.0, 3.0)
    assert a.ci[0] is not None
    assert a.ci[1] is not None
    assert a.ci[0] < 3.0 < a.ci[1]
    assert (b.episodes, b.mean, b.std, b.values) == (1, 5.0, 0.0, [5.0, None, None, None, None])
    assert (b.ci, b.ci_level) == ((None, None), None), "one value gives no interval"


def test_no_episodes_have_no_numbers() -> None:
    assert summarise_numbers([]) == {}
    assert summarise_numbers([{}, {}]) == {}
