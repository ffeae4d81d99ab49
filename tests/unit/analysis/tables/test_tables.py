"""Tables read back by the programs they are made for: pandas, DuckDB, pyarrow, the csv module."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from rl_lab.analysis.tables.batches import RowBatch, TableColumn
from rl_lab.analysis.tables.csv_table import MARK, write_csv
from rl_lab.analysis.tables.json_table import write_json
from rl_lab.analysis.tables.number_columns import number_columns, number_values
from rl_lab.analysis.tables.parquet_table import GROUP, write_parquet
from rl_lab.analysis.tables.run_columns import describe_runs
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, Summary

COLUMNS = [
    TableColumn("run_name", "text"),
    TableColumn("seed", "int"),
    TableColumn("metric", "text"),
    TableColumn("step", "int"),
    TableColumn("time", "time"),
    TableColumn("value", "float"),
    TableColumn("flag", "bool"),
]
NAMES = ['Größe, "naïve" – 50%', "line\nbreak", " spaces "]
VALUES = [1.0, 0.1 + 0.2, -1e-300, 1e300, float("nan"), 123456789.123456789]
START_MS = 1_763_280_000_123


def batches() -> Iterator[RowBatch]:
    """Three runs; the first rows of the values are whole numbers, as rewards of CartPole are."""
    for number, name in enumerate(NAMES):
        whole = np.arange(30_000, dtype=float)
        values = np.concatenate([whole, VALUES])
        count = len(values)
        yield RowBatch(
            count,
            {"run_name": name, "seed": number or None, "metric": "reward", "flag": number == 1},
            {
                "step": np.arange(count, dtype=np.int64) * 10,
                "time": START_MS + np.arange(count, dtype=np.int64),
                "value": values,
            },
        )


def expected() -> pd.DataFrame:
    parts = []
    for batch in batches():
        same = {name: [value] * batch.length for name, value in batch.same.items()}
        parts.append(pd.DataFrame({**same, **{name: list(part) for name, part in batch.columns.items()}}))
    return pd.concat(parts, ignore_index=True)[[column.name for column in COLUMNS]]


def write(writer: Any, target: Path, rows: Any = None) -> Path:
    target.write_bytes(b"".join(writer(COLUMNS, batches() if rows is None else rows)))
    return target


def same_numbers(found: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return bool(np.array_equal(np.asarray(found, float), np.asarray(wanted, float), equal_nan=True))


def test_a_csv_table_reads_back_equal_in_pandas(tmp_path: Path) -> None:
    found = pd.read_csv(write(write_csv, tmp_path / "t.csv"), parse_dates=["time"])
    wanted = expected()
    assert found["run_name"].tolist() == wanted["run_name"].tolist()
    assert same_numbers(found["value"], wanted["value"])
    assert same_numbers(found["seed"], wanted["seed"])
    assert found["step"].tolist() == wanted["step"].tolist()
    assert found["flag"].tolist() == wanted["flag"].tolist()
    assert found["time"].iloc[0].to_pydatetime() == datetime.fromtimestamp(START_MS / 1000, UTC).replace(
        tzinfo=None
    )


def test_a_csv_table_reads_back_equal_in_duckdb(tmp_path: Path) -> None:
    file = write(write_csv, tmp_path / "t.csv")
    found = duckdb.sql(f"SELECT * FROM read_csv('{file}')")
    kinds = dict(zip(found.columns, map(str, found.types), strict=True))
    assert (kinds["value"], kinds["step"], kinds["time"]) == ("DOUBLE", "BIGINT", "TIMESTAMP")
    rows, wanted = found.fetchall(), expected()
    assert [row[0] for row in rows] == wanted["run_name"].tolist()
    assert same_numbers([row[5] for row in rows], wanted["value"])


def test_excel_sees_utf_8_and_no_formula(tmp_path: Path) -> None:
    rows = [RowBatch(1, {"run_name": "=HYPERLINK(1)", "metric": "@x"}, {"value": [-5.0]})]
    data = write(write_csv, tmp_path / "t.csv", rows).read_bytes()
    assert data.startswith(MARK) and b"\r\n" in data
    [row] = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert (row["run_name"], row["metric"], row["value"]) == ("'=HYPERLINK(1)", "'@x", "-5.0")


def test_a_parquet_table_is_typed_and_reads_back_equal(tmp_path: Path) -> None:
    file = write(write_parquet, tmp_path / "t.parquet")
    kinds = {field.name: str(field.type) for field in pq.read_schema(file)}
    assert kinds["time"] == "timestamp[ms, tz=UTC]"
    assert (kinds["value"], kinds["seed"], kinds["flag"]) == ("double", "int64", "bool")
    part = pq.ParquetFile(file).metadata.row_group(0).column(0)
    assert part.compression == "ZSTD" and "RLE_DICTIONARY" in part.encodings
    found, wanted = pq.read_table(file).to_pandas(), expected()
    assert found["run_name"].tolist() == wanted["run_name"].tolist()
    assert same_numbers(found["value"], wanted["value"])
    [[count]] = duckdb.sql(f"SELECT count(*) FROM '{file}' WHERE value IS NULL").fetchall()
    assert count == len(NAMES)


def test_a_parquet_table_is_sent_in_groups() -> None:
    rows = (RowBatch(GROUP, {"run_name": str(n)}, {"value": np.zeros(GROUP)}) for n in range(3))
    parts = [part for part in write_parquet(COLUMNS, rows) if part]
    assert len(parts) == 4  # three groups, and the end with the index
    assert pq.read_metadata(io.BytesIO(b"".join(parts))).num_rows == 3 * GROUP


def test_a_json_table_reads_back_in_duckdb_and_json(tmp_path: Path) -> None:
    file = write(write_json, tmp_path / "t.json")
    rows, wanted = json.loads(file.read_bytes()), expected()
    assert same_numbers([np.nan if row["value"] is None else row["value"] for row in rows], wanted["value"])
    assert rows[0]["time"] == "2025-11-16T08:00:00.123Z"
    [[count]] = duckdb.sql(f"SELECT count(*) FROM read_json('{file}')").fetchall()
    assert count == len(wanted)


@pytest.mark.parametrize("writer", [write_csv, write_json, write_parquet])
def test_a_table_without_rows_has_its_columns_or_is_an_empty_list(writer: Any) -> None:
    data = b"".join(writer(COLUMNS, []))
    if writer is write_parquet:
        assert pq.read_table(io.BytesIO(data)).num_rows == 0
    else:
        assert data == MARK + b"run_name,seed,metric,step,time,value,flag\r\n" or json.loads(data) == []


def run(run_id: str, **config: Any) -> Run:
    now = datetime.now(UTC)
    settings = TrainConfig(algorithm="ppo", env_id="CartPole-v1", **config)
    return Run(id=run_id, name=run_id, config=settings, created_at=now, updated_at=now)


def test_settings_have_a_column_where_runs_differ() -> None:
    one = run("a", seed=1, params={"lr": 1, "net": [64], "step": 3, "gamma": 0.9})
    two = run("b", seed=2, params={"lr": 0.5, "net": [32], "step": 4, "gamma": 0.9}, env_kwargs={"g": 9.8})
    found = describe_runs([one, two], {}, {}, ["step"])
    assert [tuple(column) for column in found.settings] == [
        ("lr", "float"),
        ("net", "text"),
        ("params.step", "int"),
        ("env.g", "float"),
    ]
    assert found.of("a")["net"] == "[64]" and found.of("a")["env.g"] is None
    assert found.of("b")["params.step"] == 4 and found.of("b")["seed"] == 2


def test_one_run_has_no_columns_of_settings() -> None:
    assert describe_runs([run("a", params={"lr": 1})], {}, {}, []).settings == []


def test_numbers_and_derived_metrics_have_columns_that_cite_the_protocol() -> None:
    first, second = run("a"), run("b")
    first.summary = Summary(
        numbers={"soft": 0.5, "soft@nightly@v2": 0.5, "loss": 9.0},
        cited={"soft": "nightly@v2", "soft@nightly@v2": "nightly@v2", "loss": "nightly@v2"},
        metrics={"loss": 0.25},
    )
    second.summary = Summary(numbers={"soft": 0.9}, cited={"soft": "5 episodes"}, derived={"speed": 2.0})
    columns = number_columns([first, second])
    assert [(one.name, one.kind) for one in columns] == [
        ("metrics.soft", "float"),
        ("metrics.soft@nightly@v2", "float"),
        ("metrics.soft@protocol", "text"),
        ("metrics.speed", "float"),
    ]
    assert number_values(second) == {
        "metrics.soft": 0.9,
        "metrics.soft@protocol": "5 episodes",
        "metrics.speed": 2.0,
    }
    rows = [RowBatch(1, number_values(one)) for one in (first, second)]
    text = b"".join(write_csv(columns, rows)).decode("utf-8-sig")
    assert [line["metrics.soft@protocol"] for line in csv.DictReader(io.StringIO(text))] == [
        "nightly@v2",
        "5 episodes",
    ]
