"""All numbers of a run as one CSV table: a row per episode and per update, a column per metric, nothing left out."""

import csv
import io
from collections.abc import Iterator, Mapping

import numpy as np

from rl_lab.analysis.curves import Series
from rl_lab.core.words.csv_text import defused

AXES = ("step", "time")


def write_csv(series: Mapping[str, Series]) -> str:
    """Ordered by step. Metrics that were reported together share a row; others leave its cell empty."""
    names = list(series)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    table.write(_head([*AXES, *column_names(names)]))
    for step, time, values in _rows(series):
        cells = [_cell(values[name]) if name in values else "" for name in names]
        writer.writerow([_cell(step), _cell(time), *cells])
    return table.getvalue()


def _head(names: list[str]) -> str:
    """A name with a carriage return is quoted only by a writer that ends lines with one: it must not begin a line."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(names)
    return line.getvalue().removesuffix("\r\n") + "\n"


def column_names(names: list[str]) -> list[str]:
    """Distinct names, none of which a spreadsheet takes for a formula; one that is called like an axis is marked."""
    return [f"{name} (metric)" if name in AXES else defused(name) for name in names]


def _rows(series: Mapping[str, Series]) -> Iterator[tuple[float, float, dict[str, float]]]:
    groups = _together(series)
    parts = [(one.step, number, np.arange(len(one))) for number, (one, _) in enumerate(groups)]
    if not parts:
        return
    steps = np.concatenate([step for step, _, _ in parts])
    owners = np.concatenate([np.full(len(step), number) for step, number, _ in parts])
    places = np.concatenate([at for _, _, at in parts])
    for at in np.lexsort((places, owners, steps)):
        one, members = groups[int(owners[at])]
        place = int(places[at])
        values = {name: float(series[name].value[place]) for name in members}
        yield float(one.step[place]), float(one.t[place]), values


def _together(series: Mapping[str, Series]) -> list[tuple[Series, list[str]]]:
    """Metrics with the same steps and times: those of an episode, those of an update."""
    groups: list[tuple[Series, list[str]]] = []
    for name, one in series.items():
        for first, members in groups:
            if np.array_equal(first.step, one.step) and np.array_equal(first.t, one.t):
                members.append(name)
                break
        else:
            groups.append((one, [name]))
    return groups


def _cell(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
