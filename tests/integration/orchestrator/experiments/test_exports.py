"""Runs and studies of a real lab as files, read back by the programs they are for."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pyarrow.parquet as pq
import pytest
from PIL import Image
from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.errors import InvalidInput, NotFound, NotReady
from rl_lab.core.reproduction.exports import ExportRequest
from rl_lab.core.runs import Run
from rl_lab.orchestrator.experiments import exports
from rl_lab.orchestrator.experiments.exports import RunExports
from rl_lab.orchestrator.lab import Lab
from rl_lab.store.telemetry import TelemetryReader

SEEDS = (1, 2)


def with_runs(home: Path, story: Callable[[Lab, RunExports, list[Run]], Awaitable[None]]) -> None:
    furnish(home)

    async def whole() -> None:
        async with open_lab(home) as lab:
            made = [
                await lab.runs.create(
                    toy(seed=seed, total_timesteps=2000, evaluate_after=0, name="Größe, “1”")
                )
                for seed in SEEDS
            ]
            ended = [await wait_for(lab, run.id) for run in made]
            rooms = RunExports(lab.context, lab.queries, lab.dashboards.event_exports)
            await story(lab, rooms, ended)

    asyncio.run(whole())


async def read(rooms: RunExports, **wanted: object) -> bytes:
    export = await rooms.open(ExportRequest.model_validate(wanted))
    return b"".join(export.chunks)


def test_runs_leave_as_tables_figures_pages_and_event_files(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(lab: Lab, rooms: RunExports, runs: list[Run]) -> None:
        ids = [run.id for run in runs]
        table = pd.read_csv(io.BytesIO(await read(rooms, runs=ids, format="csv")))
        stored = 0
        for run in runs:
            with TelemetryReader(lab.context.folders.find(run.id).telemetry, run.id) as telemetry:
                stored += sum(latest.count for latest in telemetry.latest())
        assert len(table) == stored
        assert set(table["seed"]) == set(SEEDS) and set(table["run_name"]) == {"Größe, “1”"}
        typed = pq.read_table(io.BytesIO(await read(rooms, runs=ids, format="parquet"))).to_pandas()
        assert typed["value"].equals(table["value"]) and typed["metric"].tolist() == table["metric"].tolist()

        episodes = pd.read_csv(io.BytesIO(await read(rooms, runs=ids, format="csv", table="episodes")))
        assert len(episodes) == sum(run.progress.episodes for run in runs)
        assert episodes["reward"].sum() == pytest.approx(table[table["metric"] == "reward"]["value"].sum())
        listed = pd.read_json(io.BytesIO(await read(rooms, runs=ids, format="json", table="runs")))
        assert listed["run_id"].tolist() == ids and listed["status"].tolist() == ["succeeded"] * 2

        svg = await read(rooms, runs=ids, format="svg")
        texts = [
            one.text or "" for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
        ]
        assert "Training (environment steps)" in texts and any("2 seeds" in text for text in texts)
        assert any("band" in text for text in texts)
        with Image.open(io.BytesIO(await read(rooms, runs=ids, format="png"))) as picture:
            assert picture.size[0] == 1840 and len(picture.getcolors(1 << 24) or []) > 10
        assert b"<!doctype html>" in (await read(rooms, runs=ids, format="html")).lower()
        with zipfile.ZipFile(io.BytesIO(await read(rooms, runs=ids, format="tensorboard"))) as archive:
            assert len({name.partition("/")[0] for name in archive.namelist()}) == 2
            assert archive.testzip() is None

        assert (await rooms.open(ExportRequest(runs=ids, format="csv"))).name == "2-runs-metrics.csv"
        with pytest.raises(NotFound, match="study"):
            await read(rooms, studies=["000000000000"], format="csv")
        unstarted = await lab.runs.create(toy(start=False))
        with pytest.raises(InvalidInput, match="no curve to draw"):
            await read(rooms, runs=[unstarted.id], format="png")
        monkeypatch.setattr(exports, "find_spec", lambda name: None if name == "pyarrow" else find_spec(name))
        with pytest.raises(NotReady) as refused:
            await read(rooms, runs=ids, format="parquet")
        assert "rl-lab[parquet]" in (refused.value.next_step or "")

    with_runs(home, story)
