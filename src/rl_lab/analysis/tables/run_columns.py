"""What a table says about each run: its name, study, variant, environment, algorithm and seed, and what differs.

A setting has a column of its own where the runs differ in it, so one table tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from rl_lab.analysis.tables.batches import Kind, TableColumn
from rl_lab.core.runs import Run

ABOUT = (
    TableColumn("run_id", "text"),
    TableColumn("run_name", "text"),
    TableColumn("study", "text"),
    TableColumn("variant", "text"),
    TableColumn("environment", "text"),
    TableColumn("algorithm", "text"),
    TableColumn("seed", "int"),
)
_LISTED = {"kind", "seed", "env_id", "algorithm", "run_id", "length"}
"""Settings that have a column anyway, or say the same as another one."""


@dataclass(frozen=True)
class RunColumns:
    about: Mapping[str, Mapping[str, Any]]
    """By run id the values of `ABOUT` and of the settings that differ."""
    settings: Sequence[TableColumn]
    """Columns of the settings that differ."""

    def of(self, run_id: str) -> Mapping[str, Any]:
        return self.about[run_id]


def describe_runs(
    runs: Sequence[Run],
    studies: Mapping[str, str],
    variants: Mapping[tuple[str, int], str],
    taken: Sequence[str],
) -> RunColumns:
    """`studies`: names by id; `variants`: labels by study and number; `taken`: names of the table's other columns."""
    flat = {run.id: flat_settings(run) for run in runs}
    names = list(dict.fromkeys(name for one in flat.values() for name in one))
    differing = [name for name in names if _differs([one.get(name) for one in flat.values()])]
    titles = {name: f"params.{name}" if name in taken else name for name in differing}
    columns = [
        TableColumn(titles[name], _kind([one.get(name) for one in flat.values()])) for name in differing
    ]
    about = {
        run.id: {
            "run_id": run.id,
            "run_name": run.name,
            "study": studies.get(run.study_id or ""),
            "variant": variants.get((run.study_id or "", run.variant or 0)),
            "environment": run.env_id or getattr(run.config, "env_id", None) or None,
            "algorithm": run.algorithm or getattr(run.config, "algorithm", None),
            "seed": getattr(run.config, "seed", None),
            **{
                column.name: _as_kind(flat[run.id].get(name), column.kind)
                for name, column in zip(differing, columns, strict=True)
            },
        }
        for run in runs
    }
    return RunColumns(about, columns)


def flat_settings(run: Run) -> dict[str, Any]:
    """The configuration in one level: parameters by their names, arguments of the environment as `env.NAME`."""
    config = run.config.model_dump(mode="json", exclude=_LISTED)
    env = {f"env.{name}": value for name, value in (config.pop("env_kwargs", None) or {}).items()}
    args, params = config.pop("args", None) or {}, config.pop("params", None) or {}
    return {**config, **args, **params, **env}


def _differs(values: Sequence[Any]) -> bool:
    return len({orjson.dumps(value, option=orjson.OPT_SORT_KEYS) for value in values}) > 1


def _kind(values: Sequence[Any]) -> Kind:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int} and all(abs(value) < 2**63 for value in values if value is not None):
        return "int"
    return "float" if kinds and kinds <= {int, float} else "text"


def _as_kind(value: Any, kind: Kind) -> Any:
    if value is None or kind in ("bool", "int"):
        return value
    if kind == "float":
        return float(value)
    return value if isinstance(value, str) else orjson.dumps(value).decode()
