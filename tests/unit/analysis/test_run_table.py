"""A run as one CSV table."""

import csv

import numpy as np

from rl_lab.analysis.curves import Series
from rl_lab.analysis.run_table import write_csv


def rows_of(series: dict[str, Series]) -> list[dict[str, str]]:
    return list(csv.DictReader(write_csv(series).splitlines()))


def test_every_row_is_there_and_metrics_of_one_event_share_it() -> None:
    episodes, updates = np.arange(1, 31_471), np.arange(1000, 31_001, 1000)
    found = rows_of(
        {
            "reward": Series.of(episodes, episodes * 0.5, episodes + 0.25),
            "length": Series.of(episodes, np.full(len(episodes), 7), episodes + 0.25),
            "loss": Series.of(updates, updates / 3, updates + 0.5),
        }
    )
    assert len(found) == 31_470 + 31
    assert found[0] == {"step": "1", "time": "1.25", "reward": "0.5", "length": "7", "loss": ""}
    update = next(row for row in found if row["loss"])
    assert update["step"] == "1000"
    assert float(update["loss"]) == 1000 / 3
    assert [int(row["step"]) for row in found] == sorted(int(row["step"]) for row in found)


def test_episodes_that_end_at_the_same_step_keep_a_row_each() -> None:
    found = rows_of({"reward": Series.of([64, 64, 64], [1.0, 2.0, 3.0])})
    assert [row["reward"] for row in found] == ["1", "2", "3"]


def test_column_names_are_distinct_and_odd_names_are_quoted() -> None:
    same = Series.of([1], [float("nan")])
    header = write_csv({"step": same, "time": same, 'a "b", c': same}).splitlines()[0]
    assert header == 'step,time,step (metric),time (metric),"a ""b"", c"'
    assert rows_of({"x": same})[0]["x"] == "nan"


def test_a_run_without_numbers_has_a_header() -> None:
    assert write_csv({}) == "step,time\n"
