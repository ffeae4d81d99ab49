"""MLflow's file store: a folder per run with meta.yaml, and a small file for each metric, parameter and tag."""

from __future__ import annotations

import math
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.lines import read_lines
from rl_lab.analysis.adoption.pieces import Facts, Piece, curve
from rl_lab.analysis.adoption.yaml_text import read_yaml
from rl_lab.core.words.amounts import plural

META = "meta.yaml"
METRICS, PARAMS = "metrics/", "params/"
RUN_NAME = "tags/mlflow.runName"
FINISHED, FAILED, KILLED = 3, 4, 5
"""Values of `status` in meta.yaml; 1 is running, 2 scheduled."""
ENDINGS = {FAILED: "MLflow noted that it failed.", KILLED: "MLflow noted that it was killed."}


def read_metric(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    """One line per value: milliseconds since 1970, value, step. `memo["tag"]` is the name of the metric."""
    found = read_lines(file, start)
    piece = Piece(found.offset, memo=memo, is_complete=found.is_complete)
    rows = [row for line in found.lines if (row := _row(line)) is not None]
    bad = found.too_long + sum(bool(line.strip()) for line in found.lines) - len(rows)
    if bad:
        piece.problems.append(f"{plural(bad, 'line')} that cannot be read left out.")
    if rows:
        times, values, steps = zip(*rows, strict=True)
        piece.curves[str(memo["tag"])] = curve(steps, times, values)
    return piece


def read_fact(path: str, data: bytes) -> Facts:
    """meta.yaml, a parameter or the name of the run."""
    text = data.decode("utf-8", "replace").strip()
    if path.startswith(PARAMS):
        return facts_of_config({path.removeprefix(PARAMS): _value(text)})
    if path == RUN_NAME:
        return Facts(title=text[:200])
    return _meta(read_yaml(text))


def _meta(about: Any) -> Facts:
    if not isinstance(about, dict):
        return Facts()
    status, began, title = about.get("status"), about.get("start_time"), about.get("run_name")
    return Facts(
        title=title[:200] if isinstance(title, str) else "",
        began=began / 1000 if isinstance(began, int) and 0 < began < 4e13 else None,
        failure=ENDINGS.get(status, "") if isinstance(status, int) else "",
        has_ended=status in (FINISHED, FAILED, KILLED),
    )


def _row(line: bytes) -> tuple[float, float, float] | None:
    """Files of early versions have no step; those of later ones may have the data set behind it."""
    cells = line.split()
    try:
        return float(cells[0]) / 1000, float(cells[1]), float(cells[2]) if len(cells) > 2 else 0.0
    except (IndexError, ValueError, OverflowError):
        return None


def _value(text: str) -> Any:
    """Parameters are text; numbers and truth values become what they were."""
    found = read_yaml(text) if "\n" not in text and len(text) < 200 else None
    is_plain = isinstance(found, bool | int) or (isinstance(found, float) and math.isfinite(found))
    return found if is_plain else text
