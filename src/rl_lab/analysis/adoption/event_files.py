"""TensorBoard event files: scalars, and the hyper-parameters that CleanRL and others write as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.pieces import PIECE_BYTES, Curve, Facts, Piece
from rl_lab.analysis.event_files import read_scalars

UNKNOWN_STEP = "global_step"


def read_events(file: BinaryIO, start: int, memo: dict[str, Any], *, limit: int = PIECE_BYTES) -> Piece:
    # By its descriptor: the name may lead to another file by now.
    found = read_scalars(Path(f"/dev/fd/{file.fileno()}"), start=start, limit=limit)
    curves = {
        tag: Curve(column.steps, column.wall_times, column.values)
        for tag, column in found.columns.items()
        if tag != UNKNOWN_STEP
    }
    facts = facts_of_config(found.config) if found.config else Facts()
    if start == 0:
        facts.began = found.first_wall_time
    return Piece(
        found.offset, curves, facts=facts, problems=found.problems, is_complete=found.is_complete, memo=memo
    )
