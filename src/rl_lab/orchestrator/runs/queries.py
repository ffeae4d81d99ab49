"""Everything that can be read of a run: its row, folder, telemetry and files. Nothing here changes anything.

What needs numpy (curves, insights, reports) is imported where it is used: a lab starts without it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, TypeVar

import orjson

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput, LabError, NotFound
from rl_lab.core.insights import Insight, SeedGroup
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.metrics import MetricOrigin
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.reproduction.snapshots import Snapshot
from rl_lab.core.run_events import RunEvent
from rl_lab.core.run_query import RunQuery, parse_query
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.studies.evaluation_scores import NO_SCORES, ChosenScores
from rl_lab.core.studies.seed_groups import group_configurations, group_seeds
from rl_lab.core.workbench.expression_terms import Term
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.runs.seed_curves import SeedCurves
from rl_lab.runners.registry import parameter_names
from rl_lab.store import artifacts, events, resumes, run_pages, runs
from rl_lab.store.experiments.study_outcomes import find_scores
from rl_lab.store.files.log_files import read_log_end
from rl_lab.store.files.metric_lines import episode_lines, line_of
from rl_lab.store.files.snapshot_files import find_snapshot
from rl_lab.store.files.source_files import open_in_source, place_of
from rl_lab.store.run_pages import RunFilter, RunListing
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.workbench import derived_metrics

if TYPE_CHECKING:
    from rl_lab.analysis.curves import RunCurves
    from rl_lab.orchestrator.runs.run_analysis import Asked, ComparisonFormat, ReportFormat
    from rl_lab.store.telemetry.series import Axis, StoredSeries

T = TypeVar("T")

MAX_CONFIG_BYTES = 1 << 20
EPISODES_PER_READ = 200
FIRST_EVENTS = 50
"""The worker's versions and hardware are among these."""
LEAST_SEEDS = 3
"""Ended runs with different seeds that a statement about their configuration needs."""
MOST_SEEDS = 50
"""Ended runs among which those of the same configuration are looked for, the newest first."""
MetricsAxis = Literal["step", "time", "episode"]
_AXES: dict[MetricsAxis, Axis] = {"step": "step", "time": "time", "episode": "index"}


class OpenArtifact(NamedTuple):
    artifact: Artifact
    file: BinaryIO
    """Opened beneath the run folder; the caller closes it."""


class RunQueries:
    def __init__(self, context: Context, catalogue: Catalogue) -> None:
        self._home = context.home
        self._db = context.db
        self._folders = context.folders
        self._catalogue = catalogue
        self._looking = Looking(context)
        self.seed_curves = SeedCurves(context)

    async def get_run(self, run_id: str) -> Run:
        return await self._db.read(lambda conn: runs.get(conn, run_id))

    async def list_runs(
        self,
        wanted: RunFilter | None = None,
        *,
        sort: str = "-created_at",
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunListing:
        return await self._db.read(lambda conn: run_pages.find_page(conn, wanted, sort, limit, cursor))

    def parse_query(self, text: str) -> RunQuery:
        """A search text; raises for a misspelled parameter of the runners."""
        return parse_query(text, parameter_names())

    async def telemetry(self, run_id: str, read: Callable[[TelemetryReader], T], nothing: T) -> T:
        """Reads the run's telemetry.db; returns `nothing` for a run that has not started."""
        run = await self.get_run(run_id)
        path = (await self._folders.open(run_id)).telemetry

        def work() -> T:
            # Checked first: a missing file is normal before the run has started, an unreadable one is an error.
            if not path.exists() and (run.attempt == 0 or path.parent.is_dir()):
                return nothing
            with TelemetryReader(path, run_id) as telemetry:
                return read(telemetry)

        return await asyncio.to_thread(work)

    async def metrics(
        self,
        run_id: str,
        names: Sequence[str] | None = None,
        *,
        points: int = 2000,
        x: MetricsAxis = "step",
        start: float | None = None,
        stop: float | None = None,
        tail: int | None = None,
        with_derived: bool = True,
    ) -> dict[str, StoredSeries]:
        """Series by name, all of them when none is named: decimated with every peak kept, or the newest `tail`.

        `start` and `stop` are in the unit of `x`: steps, Unix seconds, or the number of the point.
        """
        definitions = await self.definitions() if with_derived else {}

        def read(telemetry: TelemetryReader) -> dict[str, StoredSeries]:
            from rl_lab.orchestrator.runs.derived_series import read_derived
            from rl_lab.store.telemetry.series import select_newest, select_part

            derived = read_derived(telemetry, names, definitions) if definitions else {}
            stored = (
                telemetry.series_names() if names is None else [one for one in names if one not in derived]
            )
            if tail is not None:
                newest = {name: select_newest(one, tail) for name, one in derived.items()}
                return telemetry.tails(stored, tail) | newest
            shown = {
                name: select_part(one, points, _AXES[x], start=start, stop=stop)
                for name, one in derived.items()
            }
            return telemetry.overviews(stored, points, x=_AXES[x], start=start, stop=stop) | shown

        return await self.telemetry(run_id, read, {})

    async def expressions(self) -> dict[str, str]:
        """The expressions of the derived metrics as they are written, by name."""
        return await self._db.read(derived_metrics.find_expressions)

    async def definitions(self) -> dict[str, Term]:
        """The expressions of the derived metrics, by name."""
        return await self._db.read(derived_metrics.find_definitions)

    async def metric_origins(self, run_id: str) -> dict[str, MetricOrigin]:
        """Where metrics come from that the lab did not measure itself, by their names."""
        return await self.telemetry(run_id, TelemetryReader.origins, {})

    async def ticks(self, run_id: str, after: int = 0, limit: int = 1000) -> list[Tick]:
        """Ticks with an id greater than `after`, oldest first; the newest `limit` when `after` is negative."""

        def read(telemetry: TelemetryReader) -> list[Tick]:
            return telemetry.ticks_tail(limit) if after < 0 else telemetry.ticks_after(after, limit)

        return await self.telemetry(run_id, read, [])

    async def steps_after(self, run_id: str, after: int, limit: int) -> list[tuple[int, dict[str, Any]]]:
        """Single steps that a program sent, each with its cursor; the newest ones when `after` is negative."""

        def read(telemetry: TelemetryReader) -> list[tuple[int, dict[str, Any]]]:
            if after < 0:
                return list(enumerate(telemetry.steps_tail(limit)))
            return telemetry.steps_after(after, limit)

        return await self.telemetry(run_id, read, [])

    async def episode_lines(self, run_id: str, after: int) -> tuple[list[tuple[int, bytes]], int]:
        """Finished episodes as JSON in the order of arrival, each with its cursor; see `metric_lines`."""
        folder = await self._folders.open(run_id)
        return await asyncio.to_thread(episode_lines, folder, after)

    async def adopted_episode_lines(self, run_id: str, after: int) -> list[tuple[int, bytes]]:
        """The same for an adopted run, which has no metrics.jsonl; a cursor is the number of the next episode."""

        def read(telemetry: TelemetryReader) -> list[tuple[int, bytes]]:
            rows = telemetry.episodes_from(after, EPISODES_PER_READ)
            return [(row.episode + 1, line_of(row)) for row in rows]

        return await self.telemetry(run_id, read, [])

    async def counters(self, run_id: str) -> dict[str, int]:
        """Lines sent, stored, sampled out, broken, unknown, lost, and by type."""
        return await self.telemetry(run_id, lambda telemetry: telemetry.counters(), {})

    async def events(
        self,
        run_id: str,
        *,
        after_id: int | None = None,
        before_id: int | None = None,
        limit: int = 100,
        levels: Sequence[str] | None = None,
    ) -> list[RunEvent]:
        """Oldest first: those after `after_id`, else the newest before `before_id`."""
        await self.get_run(run_id)
        return await self._db.read(
            lambda conn: events.list_page(
                conn, run_id, after_id=after_id, before_id=before_id, limit=limit, levels=levels
            )
        )

    async def config(self, run_id: str) -> dict[str, Any]:
        """config.json as it was written at creation; from the database when the file is missing."""
        run = await self.get_run(run_id)
        folder = await self._folders.open(run_id)
        try:
            data = await asyncio.to_thread(folder.read_bytes, "config.json", MAX_CONFIG_BYTES)
            found = orjson.loads(data)
        except (LabError, OSError, ValueError):
            found = run.config.model_dump(mode="json")
        return found if isinstance(found, dict) else run.config.model_dump(mode="json")

    async def snapshot(self, run_id: str) -> Snapshot | None:
        await self.get_run(run_id)
        return await asyncio.to_thread(find_snapshot, await self._folders.open(run_id))

    async def command(self, run_id: str) -> str | None:
        """The command line that starts the same training again."""
        from rl_lab.orchestrator.runs.run_analysis import command_of

        return command_of(await self.get_run(run_id))

    async def log_tail(self, run_id: str, lines: int = 200) -> list[str]:
        """The last lines that the worker of the newest attempt printed; none before the first attempt."""
        run = await self.get_run(run_id)
        if run.attempt == 0:
            return []
        return await asyncio.to_thread(read_log_end, await self._folders.open(run_id), run.attempt, lines)

    async def insights(self, run_id: str) -> list[Insight]:
        """Findings in the run's curves, most important first."""
        from rl_lab.orchestrator.runs.run_analysis import find_insights

        run = await self.get_run(run_id)
        curves = await self.curves(run)
        return await asyncio.to_thread(find_insights, run, curves, await self._seeds_insight(run))

    async def table(self, run_id: str) -> str:
        """Every stored point of every metric, as CSV."""
        from rl_lab.orchestrator.runs.run_analysis import write_table

        definitions = await self.definitions()
        return await self.telemetry(
            run_id, lambda telemetry: write_table(telemetry, definitions), "step,time\n"
        )

    async def seed_groups(self, run_ids: Sequence[str]) -> list[SeedGroup]:
        """For the runs among these that differ only in their seed: whether their rewards agree."""
        found = [await self.get_run(run_id) for run_id in dict.fromkeys(run_ids)]
        return [await self._seed_group(members) for members in group_seeds(found)]

    async def _seed_group(self, members: Sequence[Run]) -> SeedGroup:
        from rl_lab.analysis.insights.seeds import agreement_of

        curves = [await self.curves(run) for run in members]
        return SeedGroup(
            run_ids=[run.id for run in members],
            seeds=[run.config.seed for run in members if isinstance(run.config, TrainConfig)],
            insight=await asyncio.to_thread(agreement_of, curves),
        )

    async def _seeds_insight(self, run: Run) -> Insight | None:
        """Of an ended training: whether the ended runs of its configuration agree; None for fewer than three."""
        config = run.config
        if not isinstance(config, TrainConfig) or run.status not in FINAL:
            return None
        alike = RunFilter(
            status=tuple(FINAL), env_id=config.env_id, algorithm=config.algorithm, runner=config.runner
        )
        listed = (await self.list_runs(alike, limit=MOST_SEEDS)).items
        others = [one for one in listed if one.id != run.id]
        [members, *_] = group_configurations([run, *others])
        if len({getattr(one.config, "seed", None) for one in members}) < LEAST_SEEDS:
            return None
        return (await self._seed_group(members)).insight

    async def report(self, run_id: str, form: ReportFormat) -> str:
        """The run in one document; only a page has pictures of the agent, which take a moment to draw."""
        from rl_lab.orchestrator.runs.report_pictures import StripSource, draw_strips, first_and_best
        from rl_lab.orchestrator.runs.run_analysis import ReportSources, write_report

        run = await self.get_run(run_id)
        none: list[StripSource] = []
        episodes = await self.telemetry(run_id, first_and_best, none)
        rights = await self._looking.find_rights(run_id)
        strips, note = await draw_strips(episodes, with_frames=form == "html", rights=rights)
        page = await self.list_runs(RunFilter(kind="evaluate", parent_id=run_id), limit=20)
        found = ReportSources(
            evaluations=[r.summary.result for r in page.items if r.summary.result],
            events=await self.events(run_id, limit=200),
            first_events=await self.events(run_id, after_id=0, limit=FIRST_EVENTS),
            artifacts=await self.artifacts(run_id),
            strips=strips,
            strips_note=note,
            seeds=await self._seeds_insight(run),
            resumes=await self._db.read(lambda conn: resumes.list_for_run(conn, run_id)),
        )
        return await asyncio.to_thread(write_report, run, await self.curves(run), found, form)

    async def comparison_report(
        self, run_ids: Sequence[str], form: ComparisonFormat, asked: Asked | None = None
    ) -> str:
        """The compared trainings in one document."""
        from rl_lab.orchestrator.runs.run_analysis import Asked, ComparedSources, write_comparison

        asked = asked or Asked()
        found, curves, scores = await self._compared(run_ids, asked.protocol)
        if asked.comparison is not None and not asked.comparison.protocols:
            scores = NO_SCORES  # it judges by a protocol that has measured none of them
        trainings = [run for run in found if isinstance(run.config, TrainConfig)]
        if not trainings:
            raise InvalidInput(
                "None of these runs is a training, so there are no curves to compare.",
                next_step="Name trainings; `rl-lab runs` lists them.",
            )
        first = {run.id: await self.events(run.id, after_id=0, limit=FIRST_EVENTS) for run in trainings}
        sources = ComparedSources(curves, scores, first)
        return await asyncio.to_thread(write_comparison, trainings, sources, form, asked)

    async def _compared(
        self, run_ids: Sequence[str], protocol: str | None
    ) -> tuple[list[Run], dict[str, RunCurves], ChosenScores]:
        """The runs, by run id their curves, and what evaluations by one protocol have measured."""
        wanted = list(dict.fromkeys(run_ids))
        found = await self._db.read(lambda conn: runs.get_all(conn, wanted))
        curves = {run.id: await self.curves(run) for run in found}
        scores = await self._db.read(lambda conn: find_scores(conn, wanted, protocol))
        return found, curves, scores

    async def curves(self, run: Run) -> RunCurves:
        """The run's series as the analysis reads them."""
        from rl_lab.orchestrator.runs.run_analysis import read_curves

        await self._folders.open(run.id)
        return await asyncio.to_thread(read_curves, self._home, run, await self._environment(run))

    async def reward_threshold(self, run: Run) -> float | None:
        """The mean return at which the run's environment counts as solved."""
        environment = await self._environment(run)
        return environment.reward_threshold if environment else None

    async def _environment(self, run: Run) -> Environment | None:
        env_id = getattr(run.config, "env_id", "")
        is_known = bool(env_id) and await self._looking.may_describe(run, env_id)
        return await self._catalogue.environment(env_id) if is_known else None

    async def artifacts(self, run_id: str) -> list[Artifact]:
        await self.get_run(run_id)
        return await self._db.read(lambda conn: artifacts.list_for_run(conn, run_id))

    async def newest_artifacts(self, run_ids: Sequence[str], kind: str) -> dict[str, Artifact]:
        """The newest file of this kind by run; runs without one are left out."""
        return await self._db.read(lambda conn: artifacts.newest_of_kind(conn, run_ids, kind))

    async def open_artifact(self, artifact_id: str) -> OpenArtifact:
        artifact = await self._db.read(lambda conn: artifacts.get(conn, artifact_id))
        if artifact.data.get("in_source"):
            return OpenArtifact(artifact, await self._open_in_source(artifact))
        await self.get_run(artifact.run_id)  # raises Gone for a deleted run
        folder = await self._folders.open(artifact.run_id)
        fd = await asyncio.to_thread(folder.open_beneath, artifact.path)
        return OpenArtifact(artifact, os.fdopen(fd, "rb"))

    async def _open_in_source(self, artifact: Artifact) -> BinaryIO:
        """A file of an adopted run, where it was found."""
        run = await self.get_run(artifact.run_id)
        if run.source is None:
            raise NotFound(f"The run “{run.name}” was not adopted, so it has no source.")
        fd = await asyncio.to_thread(open_in_source, *place_of(run.source, artifact))
        return os.fdopen(fd, "rb")
