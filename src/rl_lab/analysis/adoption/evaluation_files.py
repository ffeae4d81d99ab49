"""SB3's evaluations.npz: arrays of timesteps, results and lengths, rewritten after each evaluation."""

from __future__ import annotations

import zipfile
import zlib
from typing import Any, BinaryIO

import numpy as np

from rl_lab.analysis.adoption.pieces import Piece, curve

MAX_BYTES = 256 << 20
"""All arrays together, uncompressed."""


def read_evaluations(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    """Rows after those counted in `memo`; the returned memo is empty when the file was replaced by another."""
    file.seek(0, 2)
    size = file.tell()
    try:
        _check_size(file)
        file.seek(0)
        with np.load(file, allow_pickle=False) as arrays:
            steps = np.asarray(arrays["timesteps"], np.int64).reshape(-1)
            columns = {name: np.asarray(arrays[name], np.float64) for name in _wanted(arrays.files)}
    except Exception as error:  # headers can claim anything: shapes no memory holds, no numbers at all
        words = f"It cannot be read as arrays ({type(error).__name__}: {str(error)[:120]})."
        return Piece(size, memo=memo, problems=[words])
    known = int(memo.get("count", 0))
    if known > len(steps) or memo.get("crc", 0) != _crc(steps[:known]):
        return Piece(size, memo={}, problems=[])
    piece = Piece(size, memo={"count": len(steps), "crc": _crc(steps)})
    times = np.full(len(steps) - known, np.nan)
    for name, values in _series(columns, len(steps)).items():
        if len(steps) > known:
            piece.curves[name] = curve(steps[known:], times, values[known:])
    return piece


def is_other(memo: dict[str, Any], piece: Piece) -> bool:
    """Whether the file no longer begins with the rows that were read before."""
    return bool(memo.get("count")) and not piece.memo


def _check_size(file: BinaryIO) -> None:
    file.seek(0)
    with zipfile.ZipFile(file) as packed:
        if sum(info.file_size for info in packed.infolist()) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES >> 20} MiB of arrays")


def _wanted(names: list[str]) -> list[str]:
    return [name for name in ("results", "ep_lengths", "successes") if name in names]


def _crc(steps: Any) -> int:
    return zlib.crc32(steps.tobytes()) if len(steps) else 0


def _series(columns: dict[str, Any], count: int) -> dict[str, Any]:
    """Means over the episodes of each evaluation, under the names SB3 logs them by."""
    tables = {
        name: table.reshape(count, -1)
        for name, table in columns.items()
        if count and len(table) == count and table.size
    }
    series = {}
    if "results" in tables:
        series["eval/mean_reward"] = tables["results"].mean(axis=1)
        series["eval/std_reward"] = tables["results"].std(axis=1)
    if "ep_lengths" in tables:
        series["eval/mean_ep_length"] = tables["ep_lengths"].mean(axis=1)
    if "successes" in tables:
        series["eval/success_rate"] = tables["successes"].mean(axis=1)
    return series
