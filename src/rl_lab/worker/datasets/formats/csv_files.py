"""CSV with one row per step: `obs_0, obs_1, …, action, reward, terminated, truncated, episode`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.arrow_tables import as_array, kinds_of, require_arrow
from rl_lab.worker.datasets.formats.rows import Columns
from rl_lab.worker.datasets.formats.source import OpenSource
from rl_lab.worker.datasets.formats.tables import NO_NUMBERS, open_table

BLOCK = 4 << 20
"""Bytes that are parsed at once."""
LOOK_ROWS = 1000
WHOLE = {"action", "actions", "obs", "observation", "state", "episode", "episode_id", "seed", "who"}
"""Columns whose numbers stay whole when they begin so: choices, states with a number, counts."""


def open_file(path: Path) -> OpenSource:
    require_arrow("CSV")
    source = open_table(CsvTable(path), "CSV")
    source.bytes_needed = path.stat().st_size * 2
    return source


class CsvTable:
    def __init__(self, path: Path) -> None:
        self._path = path
        first = next(self._batches(None), None)
        if first is None or not first.num_rows:
            raise InvalidInput(f"{path.name} has no rows.", next_step="Import a file with steps in it.")
        size = path.stat().st_size
        self.rows = max(first.num_rows, round(first.num_rows * size / min(size, BLOCK)))
        """As the first block lets expect."""
        found = kinds_of(first.slice(0, LOOK_ROWS))
        self.kinds = {name: (_stored_as(name, kind[0]), kind[1]) for name, kind in found.items()}
        texts = [name for name in first.schema.names if name not in self.kinds]
        self.unreadable = dict.fromkeys(texts, NO_NUMBERS)
        if not self.kinds:
            raise InvalidInput(
                f"{path.name} has no column of numbers; its first line is {', '.join(texts[:8])}.",
                next_step="The first line has to name the columns: obs_0, obs_1, action, reward, terminated, episode.",
            )

    def read(self, names: Sequence[str], count: int) -> Iterator[Columns]:
        for batch in self._batches(list(names)):
            for start in range(0, batch.num_rows, count):
                part = batch.slice(start, count)
                yield {name: as_array(part.column(name), name) for name in names}

    def _batches(self, names: list[str] | None) -> Iterator[Any]:
        import pyarrow as pa
        from pyarrow import csv

        types = {} if names is None else {name: pa.from_numpy_dtype(self.kinds[name][0]) for name in names}
        convert = csv.ConvertOptions(include_columns=names, column_types=types)
        try:
            reader = csv.open_csv(
                self._path,
                read_options=csv.ReadOptions(use_threads=False, block_size=BLOCK),
                convert_options=convert,
            )
            yield from reader
        except (pa.ArrowException, OSError, ValueError) as problem:
            raise InvalidInput(
                f"{self._path.name} cannot be read as CSV: {str(problem)[:300]}",
                next_step="Correct the line, or save the table again with one row per step.",
            ) from None


def _stored_as(name: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Numbers of observations and rewards may be whole in the first rows and not later."""
    return dtype if dtype.kind == "b" or name.lower() in WHOLE else np.dtype(np.float64)
