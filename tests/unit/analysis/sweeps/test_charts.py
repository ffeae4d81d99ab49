import pytest

from rl_lab.analysis.sweeps.axes import axes_of
from rl_lab.analysis.sweeps.charts import GRID, find_slices, find_surface
from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from tests.unit.analysis.sweeps.variants import variant

X, Y = axes_of(
    Sweep(
        parameters={
            "learning_rate": Range(low=0.0001, high=0.1, scale="log"),
            "activation": Choices(values=["tanh", "relu"]),
        }
    )
)


def point(number, rate, name, value, status="finished"):
    return variant(number, {"learning_rate": rate, "activation": name}, value, status)


FOUND = [point(1, 0.01, "tanh", 10.0), point(2, 0.0001, "relu", 30.0), point(3, 0.001, "tanh", 20.0)]


def surface(found):
    return find_surface((X, Y), found, {}, measure="final")


def test_slices_are_in_the_order_of_the_axis_with_the_range_of_the_seeds():
    slices = find_slices([X, Y], FOUND, {1: [5.0, 15.0], 2: [30.0]}, measure="final").slices
    assert [p.variant for p in slices[0].points] == [2, 3, 1]
    first, last = slices[0].points[0], slices[0].points[-1]
    assert (first.low, first.high, first.seeds) == (None, None, 1)
    assert (last.low, last.high, last.seeds) == (5.0, 15.0, 2)
    assert slices[1].axis.choices == ["tanh", "relu"]
    assert [p.x for p in slices[1].points] == [0, 0, 1]


def test_variants_without_a_result_are_not_drawn_and_pruned_ones_are_marked():
    found = [*FOUND, point(4, 0.05, "tanh", None, "failed"), point(5, 0.05, "relu", 2.0, "pruned")]
    slices = find_slices([X, Y], found, {}, measure="final")
    assert [p.is_pruned for p in slices.slices[0].points] == [False, False, False, True]
    assert slices.text == (
        "4 variants with a result. 1 of them stopped early; their value is that of the moment."
    )


def test_the_surface_goes_through_the_variants():
    found = surface(FOUND)
    assert len(found.xs) == GRID and found.ys == [0, 1]
    assert found.xs[0] == pytest.approx(0.0001) and found.xs[-1] == pytest.approx(0.1)
    assert found.values[1][0] == 30.0
    middle = found.values[0][round((GRID - 1) / 2)]
    assert middle is not None and 10 < middle < 20


def test_the_axis_is_logarithmic():
    steps = [b / a for a, b in zip(surface(FOUND).xs, surface(FOUND).xs[1:], strict=False)]
    assert steps == pytest.approx([steps[0]] * (GRID - 1))


def test_places_far_from_every_variant_stay_empty_and_the_text_says_so():
    found = surface(FOUND)
    assert found.values[1][-1] is None
    assert "of the area is empty: no variant is near." in found.text


def test_variants_at_the_same_place_give_their_mean():
    assert surface([point(1, 0.0001, "tanh", 1.0), point(2, 0.0001, "tanh", 3.0)]).values[0][0] == 2.0


def test_without_a_result_there_is_nothing_but_the_sentence():
    found = surface([])
    assert found.points == [] and {v for row in found.values for v in row} == {None}
    assert found.text == "No variant has a result yet."
