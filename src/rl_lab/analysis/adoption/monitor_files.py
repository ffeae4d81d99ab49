"""SB3's monitor.csv: a line of JSON, a header, then one line per episode: reward, length, seconds since the start."""

from __future__ import annotations

import json
import math
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.lines import LineBatch, read_lines
from rl_lab.analysis.adoption.pieces import EpisodeFact, Facts, Piece
from rl_lab.core.words.amounts import plural

NOT_ONE = "It is no monitor file: it does not begin with a line of JSON behind “#” and the columns r, l, t."
MAX_LENGTH = 2**53


def read_monitor(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    found = read_lines(file, start)
    lines, piece = found.lines, Piece(found.offset, memo=dict(memo), is_complete=found.is_complete)
    if "places" not in memo:
        if len(lines) < 2:
            return _unbegun(file, found)
        header = _header(lines[0], lines[1])
        if header is None:
            return Piece(found.offset, problems=[NOT_ONE], memo=memo)
        piece.memo, lines = header, lines[2:]
        piece.facts = Facts(env_id=header["env_id"], began=header["t_start"])
    bad = 0
    for line in lines:
        episode = _episode(line, piece.memo)
        if episode is not None:
            piece.episodes.append(episode)
        elif line.strip():
            bad += 1
    if bad:
        piece.problems.append(f"{plural(bad, 'line')} that cannot be read left out.")
    return piece


def _unbegun(file: BinaryIO, found: LineBatch) -> Piece:
    """Too short to decide: its writer may have just started."""
    file.seek(0)
    first = file.read(1)
    is_young = first in (b"", b"#") and not found.too_long
    return Piece(0, problems=[] if is_young else [NOT_ONE])


def _header(first: bytes, second: bytes) -> dict[str, Any] | None:
    try:
        about = json.loads(first.lstrip(b"#"))
        names = second.decode("ascii").strip().split(",")
        places = {name: names.index(name) for name in ("r", "l", "t")}
    except (ValueError, RecursionError):
        return None
    if not first.startswith(b"#") or not isinstance(about, dict):
        return None
    began, env = about.get("t_start"), about.get("env_id")
    return {
        "places": places,
        "t_start": float(began) if isinstance(began, int | float) and math.isfinite(began) else None,
        "env_id": env[:200] if isinstance(env, str) and env != "None" else "",
    }


def _episode(line: bytes, memo: dict[str, Any]) -> EpisodeFact | None:
    cells, places = line.split(b","), memo["places"]
    try:
        reward, length, t = (float(cells[places[name]]) for name in ("r", "l", "t"))
    except (IndexError, ValueError):
        return None
    if not 0 <= length < MAX_LENGTH:
        return None
    began = memo["t_start"]
    at = began + t if began is not None and math.isfinite(t) else math.nan
    return EpisodeFact(at, reward, int(length))
