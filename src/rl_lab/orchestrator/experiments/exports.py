"""RunExports: runs and studies as one table, figure, page or folder of event files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.core.reproduction.exports import MAX_EXPORTED, TABLE_FORMATS, ExportFormat, ExportRequest
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.file_names import file_name, plain
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.dashboards.event_exports import EventExports
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import runs
from rl_lab.store.experiments import study_labels
from rl_lab.store.files.event_files import FOLDER, NAME
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.zip_stream import ZipMember, stream_zip

CHUNK = 1 << 18
SUFFIXES: dict[ExportFormat, str] = {
    "csv": ".csv",
    "json": ".json",
    "parquet": ".parquet",
    "png": ".png",
    "svg": ".svg",
    "html": ".html",
    "tensorboard": ".zip",
}
MEDIA_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
    ".zip": "application/zip",
}
REWARDS = ("reward", "mean_reward")


@dataclass(frozen=True)
class Export:
    """A file on its way out; the chunks are made while they are read, on any thread."""

    name: str
    media_type: str
    chunks: Iterator[bytes]


@dataclass(frozen=True)
class _Subject:
    """What an export is about."""

    runs: list[Run]
    studies: dict[str, str]
    """Names by id, of the studies that the runs belong to."""
    variants: dict[tuple[str, int], str]
    title: str


class RunExports:
    def __init__(self, context: Context, queries: RunQueries, event_exports: EventExports) -> None:
        self._db = context.db
        self._folders = context.folders
        self._queries = queries
        self._event_exports = event_exports

    async def open(self, wanted: ExportRequest) -> Export:
        """Checks everything that can be wrong; the file itself is made while it is read."""
        if wanted.format == "parquet":
            require_pyarrow()
        subject = await self._db.read(lambda conn: _find_subject(conn, wanted))
        what: str = wanted.table if wanted.format in TABLE_FORMATS else "reward"
        what = {"tensorboard": "tensorboard", "html": "report"}.get(wanted.format, what)
        suffix = SUFFIXES[wanted.format]
        name = file_name(subject.title, what, suffix)
        return Export(name, MEDIA_TYPES[suffix], await self._chunks(wanted, subject))

    async def _chunks(self, wanted: ExportRequest, subject: _Subject) -> Iterator[bytes]:
        if wanted.format in TABLE_FORMATS:
            return await self._table(wanted, subject)
        if wanted.format == "tensorboard":
            return await self._event_files(subject)
        if wanted.format == "html":
            return iter([(await self._page(subject)).encode()])
        return iter([await self._figure(wanted.format, subject)])

    async def _table(self, wanted: ExportRequest, subject: _Subject) -> Iterator[bytes]:
        from rl_lab.orchestrator.experiments.export_tables import stream_table

        places: list[tuple[Run, Path]] = []
        for run in subject.runs:
            needs_folder = wanted.table != "runs"
            folder = await self._folders.open(run.id) if needs_folder else self._folders.find(run.id)
            places.append((run, folder.telemetry))
        definitions = await self._queries.definitions()
        return stream_table(
            wanted.table, wanted.format, places, subject.studies, subject.variants, definitions=definitions
        )

    async def _page(self, subject: _Subject) -> str:
        if len(subject.runs) == 1:
            return await self._queries.report(subject.runs[0].id, "html")
        return await self._queries.comparison_report([run.id for run in subject.runs], "html")

    async def _figure(self, form: ExportFormat, subject: _Subject) -> bytes:
        """The reward, a line per configuration with the band over its seeds."""
        text = await self._queries.comparison_report([run.id for run in subject.runs], "json")
        charts = {chart["metric"]: chart for chart in orjson.loads(text)["charts"]}
        chart = next((charts[name] for name in REWARDS if name in charts), None)
        if chart is None:
            raise InvalidInput(
                "None of these runs has two or more points of its reward, so there is no curve to draw.",
                next_step="Export them as csv, or wait until they have finished some episodes.",
            )
        return await asyncio.to_thread(_draw, form, chart, subject.title)

    async def _event_files(self, subject: _Subject) -> Iterator[bytes]:
        places: list[tuple[str, RunFolder]] = []
        for run in subject.runs:
            await self._event_exports.extend(run)
            places.append((f"{plain(run.name)[:100] or 'run'}-{run.id}", await self._folders.open(run.id)))
        return stream_zip(ZipMember(f"{name}/{NAME}", _read(folder)) for name, folder in places)


def require_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise NotReady(
            "A Parquet file needs pyarrow, which is not installed.", next_step=how_to_install("parquet")
        )


def _find_subject(conn: Connection, wanted: ExportRequest) -> _Subject:
    ids = [*wanted.runs, *(one for study in wanted.studies for one in study_labels.run_ids_of(conn, study))]
    found = runs.get_all(conn, list(dict.fromkeys(ids)))
    if not found:
        raise InvalidInput(
            "The study has no runs yet, so there is nothing to export.", next_step="Start its runs first."
        )
    if len(found) > MAX_EXPORTED:
        raise InvalidInput(
            f"These are {len(found):,} runs; at most {MAX_EXPORTED:,} are exported at once.",
            next_step="Name fewer runs or studies.",
        )
    of = {run.study_id for run in found if run.study_id is not None}
    studies = study_labels.names_of(conn, {*of, *wanted.studies})
    title = plural(len(found), "run")
    if len(found) == 1:
        title = found[0].name
    elif len(wanted.studies) == 1 and not wanted.runs:
        title = studies[wanted.studies[0]]
    return _Subject(found, studies, study_labels.labels_of(conn, of), title)


def _draw(form: ExportFormat, chart: dict[str, Any], title: str) -> bytes:
    from rl_lab.analysis.reports.comparison_facts import band_caption
    from rl_lab.analysis.reports.figure import draw_figure
    from rl_lab.analysis.reports.raster import draw_png

    svg = draw_figure(chart, title, band_caption(chart))
    return draw_png(svg) if form == "png" else svg.encode()


def _read(folder: RunFolder) -> Iterator[bytes]:
    with os.fdopen(folder.open_beneath(f"{FOLDER}/{NAME}"), "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
