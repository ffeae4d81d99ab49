"""Neptune's export in Parquet, as `neptune-exporter` writes it: a row per attribute of a run or point of a series.

A run is `NAME_part_0.parquet`, `NAME_part_1.parquet` and so on; a file may also hold several runs. pyarrow, which
reads Parquet, is an extra of the lab and loaded only when there is something to read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np

from rl_lab.analysis.adoption.neptune_facts import FACT_TYPES, read_attributes
from rl_lab.analysis.adoption.pieces import Curve, Floats, Piece, curve
from rl_lab.core.extras import how_to_install

MAGIC = b"PAR1"
SUFFIX = ".parquet"
RUN, PROJECT, PATH, TYPE = "run_id", "project_id", "attribute_path", "attribute_type"
STEP, TIME, VALUE = "step", "timestamp", "float_value"
SERIES = "float_series"
COLUMNS = {PROJECT, RUN, PATH, TYPE, STEP, TIME, VALUE, *FACT_TYPES.values()}
MAX_FOOTER_BYTES = 64 << 20
MAX_RUNS = 1000
"""Runs of one file that are read."""
BATCH_ROWS = 16_384
PIECE_ROWS = 200_000
PART = re.compile(rf"(.+_part_)(\d{{1,6}}){re.escape(SUFFIX)}")
NOT_INSTALLED = (
    f"Neptune's export in Parquet is read with pyarrow, which is missing. {how_to_install('parquet')}"
)
UNREADABLE = (OSError, KeyError, ValueError, OverflowError)
"""Raised for damaged pages, columns of another kind, text that is not UTF-8 and impossible dates."""
DAMAGED = "it is damaged or no Parquet file; it was left out."


def is_installed() -> bool:
    return find_spec("pyarrow") is not None


def find_footer(file: BinaryIO) -> bytes | None:
    """The end of a Parquet file with the names of its columns; None for a cut or other file."""
    if file.read(len(MAGIC)) != MAGIC:
        return None
    size = file.seek(0, 2)
    file.seek(max(0, size - 8))
    end = file.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != MAGIC or length > min(MAX_FOOTER_BYTES, size - 12):
        return None
    file.seek(size - 8 - length)
    return file.read(length)


def is_neptune(file: BinaryIO) -> bool:
    footer = find_footer(file)
    return footer is not None and all(name.encode() in footer for name in (PATH, TYPE, RUN))


def first_part(name: str) -> str:
    """The file that begins the export of a run; the file itself when it is not one of several parts."""
    found = PART.fullmatch(name)
    return f"{found[1]}0{SUFFIX}" if found else name


def part_names(first: str) -> Iterator[str]:
    """Names of the parts in order, without an end."""
    yield first
    found = PART.fullmatch(first)
    for number in range(1, 10**6) if found else ():
        yield f"{found[1] if found else ''}{number}{SUFFIX}"


def group_parts(names: Iterable[str]) -> dict[str, list[str]]:
    """First part → all parts of it among these names, which need not include the first."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (len(name), name)):
        groups.setdefault(first_part(name), []).append(name)
    return groups


def find_runs(file: BinaryIO) -> list[str]:
    """The runs in a file of the export, each as its project and its id; OSError when none can be read."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet

    found: dict[str, None] = {}
    reason = ""
    try:
        opened = parquet.ParquetFile(file, pre_buffer=False)
        for group in range(opened.num_row_groups):
            try:
                for batch in _batches(opened, group, [PROJECT, RUN]):
                    found |= dict.fromkeys(pc.unique(_labels(batch)).to_pylist())
            except (pa.ArrowException, *UNREADABLE) as error:
                reason = _reason(error)
            if len(found) > MAX_RUNS:
                break
    except (pa.ArrowException, *UNREADABLE) as error:
        reason = _reason(error)
    if reason and not found:
        raise OSError(f"it cannot be read as Parquet ({reason})")
    return sorted(run for run in found if run.isprintable())


def read_neptune(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    """Rows of the run `memo["run"]`, from row group `memo["group"]` on; a damaged row group is left out."""
    if not is_installed():
        raise OSError(NOT_INSTALLED)
    import pyarrow as pa
    from pyarrow import parquet

    piece = Piece(os.fstat(file.fileno()).st_size, memo=dict(memo))
    # The lab reads an export, which is not written on.
    piece.facts.has_ended = True
    try:
        opened = parquet.ParquetFile(file, pre_buffer=False)
        columns = [name for name in opened.schema_arrow.names if name in COLUMNS]
    except (pa.ArrowException, *UNREADABLE) as error:
        piece.problems.append(f"It cannot be read as Parquet ({_reason(error)}).")
        return piece
    rows = _Rows(memo["run"])
    group = int(memo.get("group", 0))
    while group < opened.num_row_groups and rows.seen < PIECE_ROWS:
        try:
            for batch in _batches(opened, group, columns):
                rows.add(batch)
        except (pa.ArrowException, *UNREADABLE) as error:
            piece.problems.append(f"Rows that cannot be read were left out ({_reason(error)}).")
        group += 1
    piece.memo["group"] = group
    piece.is_complete = group >= opened.num_row_groups
    rows.fill(piece)
    return piece


class _Rows:
    """Rows of one run, collected until they make a piece."""

    def __init__(self, run: str) -> None:
        self.seen = 0
        self._run = run
        self._run_id = ""
        self._attributes: list[dict[str, Any]] = []
        self._series: dict[str, list[tuple[Floats, Floats, Floats]]] = {}

    def add(self, batch: Any) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self.seen += batch.num_rows
        mine = batch.filter(pc.equal(_labels(batch), self._run))
        if not mine.num_rows:
            return
        self._run_id = self._run_id or str(mine.column(RUN)[0])
        self._add_series(mine.filter(pc.equal(mine.column(TYPE), SERIES)))
        facts = mine.filter(pc.is_in(mine.column(TYPE), value_set=pa.array(list(FACT_TYPES))))
        kept = [name for name in facts.schema.names if name in {PATH, TYPE, *FACT_TYPES.values()}]
        self._attributes += facts.select(kept).to_pylist()

    def fill(self, piece: Piece) -> None:
        piece.curves = {name: _joined(parts) for name, parts in self._series.items()}
        piece.facts.take(read_attributes(self._attributes))
        if piece.is_complete and not piece.facts.title:
            piece.facts.title = self._run_id[:200]
        has_fractions = any(_has_fractions(steps) for parts in self._series.values() for steps, _, _ in parts)
        if has_fractions and not piece.memo.get("has_fractions"):
            piece.memo["has_fractions"] = True
            piece.problems.append("Some of its steps are not whole numbers; they were rounded down.")

    def _add_series(self, rows: Any) -> None:
        """Sorted by name once, so that a thousand series cost no more than one."""
        if not rows.num_rows:
            return
        names = rows.column(PATH).fill_null("").dictionary_encode()
        codes = names.indices.to_numpy(zero_copy_only=False)
        order = np.argsort(codes, kind="stable")
        ends = np.flatnonzero(np.diff(codes[order])) + 1
        # The exporter goes through pandas, which writes NaN as null.
        columns = [numbers[order] for numbers in (_numbers(rows, STEP), _times(rows), _numbers(rows, VALUE))]
        for code, *cells in zip(
            codes[order][[0, *ends]], *(np.split(column, ends) for column in columns), strict=True
        ):
            name = str(names.dictionary[int(code)])[:200]
            self._series.setdefault(name, []).append((cells[0], cells[1], cells[2]))


def _has_fractions(steps: Floats) -> bool:
    return bool(np.any(np.isfinite(steps) & (steps != np.floor(steps))))


def _joined(parts: list[tuple[Floats, Floats, Floats]]) -> Curve:
    steps, times, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return curve(np.floor(steps), times, values)


def _batches(opened: Any, group: int, columns: list[str]) -> Iterator[Any]:
    """A few rows at a time: a large file does not fill the memory."""
    yield from opened.iter_batches(BATCH_ROWS, row_groups=[group], columns=columns, use_threads=False)


def _labels(batch: Any) -> Any:
    """Project and id: two projects may have runs of the same id."""
    import pyarrow.compute as pc

    project, run = (batch.column(name).cast("string").fill_null("") for name in (PROJECT, RUN))
    return pc.binary_join_element_wise(project, run, "/")


def _numbers(rows: Any, name: str) -> Floats:
    found: Floats = rows.column(name).cast("float64").to_numpy(zero_copy_only=False)
    return found


def _times(rows: Any) -> Floats:
    import pyarrow as pa

    found = (
        rows.column(TIME)
        .cast(pa.timestamp("ms", tz="UTC"), safe=False)
        .cast("int64")
        .cast("float64", safe=False)
    )
    seconds: Floats = found.to_numpy(zero_copy_only=False) / 1000
    return seconds


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".")
