"""A long series is read whole, in few values."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.orchestrator.runs.run_analysis import as_series
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.telemetry.schema import open_writer
from rl_lab.store.telemetry.series_writer import SeriesWriter
from rl_lab.store.telemetry.thinned import ThinnedSeries

Floats = NDArray[np.float64]
RNG = np.random.default_rng(3)


class Columns(NamedTuple):
    steps: NDArray[np.int64]
    times: Floats
    values: Floats


def stored(path: Path, values: Floats) -> ThinnedSeries:
    steps = 10 * np.arange(1, len(values) + 1)
    conn = open_writer(path / "telemetry.db")
    conn.execute("BEGIN")
    SeriesWriter(conn).add({"reward": Columns(steps, 1e9 + steps / 10, values)})  # type: ignore[dict-item]
    conn.execute("COMMIT")
    conn.close()
    with TelemetryReader(path / "telemetry.db") as telemetry:
        return telemetry.thinned(["reward"])["reward"]


def test_every_point_of_a_long_series_is_behind_some_value(tmp_path: Path) -> None:
    values = RNG.normal(5, 2, 100_321)
    found = stored(tmp_path, values)
    assert found.n.sum() == 100_321
    assert len(found) < 23_000
    assert float(np.sum(found.value * found.n)) == pytest.approx(values.sum())
    assert (found.low.min(), found.high.max()) == (values.min(), values.max())
    assert found.value[:1000].tolist() == values[:1000].tolist()
    assert found.value[-20_000:].tolist() == values[-20_000:].tolist()
    assert found.spread[found.n > 1].mean() == pytest.approx(2, rel=0.05)
    assert bool((np.diff(found.step) > 0).all())


def test_a_short_series_is_read_point_by_point(tmp_path: Path) -> None:
    values = RNG.normal(0, 1, 700)
    found = stored(tmp_path, values)
    assert found.value.tolist() == values.tolist()
    assert found.n.tolist() == [1.0] * 700


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_in_the_middle_that_is_not_finite_is_found_at_its_step(tmp_path: Path, bad: float) -> None:
    values = RNG.normal(0, 1, 60_000)
    values[30_500] = bad
    found = stored(tmp_path, values)
    [step] = found.step[~np.isfinite(found.value)]
    assert step == 10 * 30_501
    assert found.n.sum() == 60_000


def test_a_long_run_has_the_insights_of_all_its_episodes(tmp_path: Path) -> None:
    """It learns at the beginning, which its last 20,000 episodes do not show."""
    mean = np.interp(np.arange(100_000), [0, 30_000], [-0.36, -0.08])
    reward = np.sign(RNG.normal(mean, 1))
    thinned = as_series(stored(tmp_path, reward))
    whole = Series.of(10 * np.arange(1, len(reward) + 1), reward)
    texts = [
        [(one.id, one.evidence.get("start_reward")) for one in find_insights(_run(series))]
        for series in (thinned, whole)
    ]
    assert [name for name, _ in texts[0]] == [name for name, _ in texts[1]] == ["converged"]
    assert texts[0][0][1] == texts[1][0][1] == pytest.approx(reward[:200].mean())


def _run(series: Series) -> RunCurves:
    return RunCurves("Blackjack-v1", "q", "script", series={"reward": series})
