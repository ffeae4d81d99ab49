"""Files as `neptune-exporter` writes them: its schema, its compression, a part of a run per file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

BEGAN = datetime(2024, 5, 1, 12, tzinfo=UTC)
PROJECT = "team/cartpole"
VALUES = {
    "int": "int_value",
    "float": "float_value",
    "string": "string_value",
    "bool": "bool_value",
    "datetime": "datetime_value",
    "string_set": "string_set_value",
    "float_series": "float_value",
    "string_series": "string_value",
}
Row = dict[str, Any]


def attribute(run: str, kind: str, path: str, value: Any, project: str = PROJECT) -> Row:
    return {
        "project_id": project,
        "run_id": run,
        "attribute_path": path,
        "attribute_type": kind,
        VALUES[kind]: value,
    }


def point(run: str, path: str, step: float, value: Any, kind: str = "float_series") -> Row:
    at = BEGAN + timedelta(seconds=step)
    return {**attribute(run, kind, path, value), "step": Decimal(str(step)), "timestamp": at}


def exported_run(run: str, points: int = 10) -> list[Row]:
    """A training with parameters, tags, a reward curve with a NaN and an infinite loss, and a log."""
    rows = [
        attribute(run, "string", "sys/id", run),
        attribute(run, "string", "sys/name", f"ppo of {run}"),
        attribute(run, "datetime", "sys/creation_time", BEGAN),
        attribute(run, "string_set", "sys/tags", ["baseline", "paper"]),
        attribute(run, "bool", "sys/failed", run == "CAR-2"),
        attribute(run, "string", "parameters/env_id", "CartPole-v1"),
        attribute(run, "string", "parameters/algo", "PPO"),
        attribute(run, "int", "parameters/seed", 7),
        attribute(run, "float", "parameters/learning_rate", 0.0003),
        attribute(run, "string", "monitoring/hostname", "box"),
        point(run, "monitoring/stdout", 1, "a line", "string_series"),
    ]
    rows += [point(run, "rollout/ep_rew_mean", step * 100, step * 1.5) for step in range(points)]
    losses = {3: float("inf"), 4: None}
    rows += [point(run, "train/value_loss", step * 100, losses.get(step, 0.5)) for step in range(points)]
    return rows


def write_export(path: Path, rows: list[Row], row_group_size: int | None = None) -> Path:
    """Written in one file, in row groups of this size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    moment = pa.timestamp("ms", tz="UTC")
    histogram = [("type", pa.string()), ("edges", pa.list_(pa.float64())), ("values", pa.list_(pa.float64()))]
    schema = pa.schema(
        [
            ("project_id", pa.string()),
            ("run_id", pa.string()),
            ("attribute_path", pa.string()),
            ("attribute_type", pa.string()),
            ("step", pa.decimal128(18, 6)),
            ("timestamp", moment),
            ("int_value", pa.int64()),
            ("float_value", pa.float64()),
            ("string_value", pa.string()),
            ("bool_value", pa.bool_()),
            ("datetime_value", moment),
            ("string_set_value", pa.list_(pa.string())),
            ("file_value", pa.struct([("path", pa.string())])),
            ("histogram_value", pa.struct(histogram)),
        ]
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema=schema)
    pq.write_table(table, path, compression="snappy", row_group_size=row_group_size)
    return path
