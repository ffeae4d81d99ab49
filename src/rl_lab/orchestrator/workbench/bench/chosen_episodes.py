"""Which runs and recorded episodes a bench uses, and why others are left out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import msgspec
from sqlalchemy import Connection

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import Run
from rl_lab.core.workbench.bench import MAX_BENCH_RUNS, BenchRequest, LeftOut
from rl_lab.core.workbench.bench_choice import choose_episodes, find_others
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.looking import is_foreign, require_confined
from rl_lab.orchestrator.viewing.attempts import find_frame_file
from rl_lab.orchestrator.viewing.places import find_place, require_environment
from rl_lab.store import run_pages, runs
from rl_lab.store.files.attempt_folder import newest_attempt
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.store.telemetry import TelemetryReader

PAGE = 100
OTHER_ARGUMENTS = "Its environment has other arguments."


@dataclass(frozen=True)
class ChosenEpisode:
    run: Run
    row: EpisodeRow

    @property
    def key(self) -> str:
        """Another one when a resume has replaced the episode of this number."""
        return f"{self.run.id}/{self.row.episode}/{self.row.at.timestamp():.3f}"


@dataclass
class BenchSelection:
    """What a bench will score."""

    env_id: str
    episodes: list[ChosenEpisode] = field(default_factory=list)
    """In the order in which they are scored."""
    rights: dict[str, Confinement | None] = field(default_factory=dict)
    """By run: what the process may use that simulates its episodes; None for the lab's own learners."""
    recorded: int = 0
    left_out: dict[str, LeftOut] = field(default_factory=dict)

    def leave_out(self, run_id: str, reason: str, episodes: int = 1) -> None:
        known = self.left_out.setdefault(reason, LeftOut(reason=reason, episodes=0, run_ids=[]))
        known.episodes += episodes
        if run_id not in known.run_ids:
            known.run_ids.append(run_id)

    def groups(self) -> list[tuple[Confinement | None, list[ChosenEpisode]]]:
        """Episodes that one process may simulate."""
        found: list[tuple[Confinement | None, list[ChosenEpisode]]] = []
        for one in self.episodes:
            rights = self.rights[one.run.id]
            group = next((members for known, members in found if known == rights), None)
            if group is None:
                found.append((rights, group := []))
            group.append(one)
        return found


class EpisodeSelector:
    """Finds runs, then episodes in their telemetry."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def choose(self, asked: BenchRequest) -> BenchSelection:
        """NotReady when there is nothing to score."""
        wanted = await self._sources.read(lambda conn: find_runs(conn, asked))
        chosen = BenchSelection(one_environment(wanted))
        recorded = await self._find_recorded(chosen, wanted, is_named=bool(asked.run_ids))
        await self._leave_out_others(chosen, recorded)
        numbers_of = choose_episodes(recorded, asked.limit, asked.seed)
        by_id = {run.id: run for run in wanted}
        for run_id, numbers in numbers_of.items():
            rows = await asyncio.to_thread(_read_rows, self._sources.home, run_id, numbers)
            chosen.episodes += [ChosenEpisode(by_id[run_id], row) for row in rows]
        if not chosen.episodes:
            raise nothing_to_score(chosen)
        Random(asked.seed).shuffle(chosen.episodes)
        return chosen

    async def _find_recorded(
        self, chosen: BenchSelection, wanted: Iterable[Run], *, is_named: bool
    ) -> dict[str, list[int]]:
        """By run: the recorded episodes that can be simulated again. `is_named`: the user has chosen these runs."""
        recorded: dict[str, list[int]] = {}
        for run in wanted:
            numbers = await self._recorded(run)
            chosen.recorded += len(numbers)
            try:
                chosen.rights[run.id] = await self._may_simulate(run, chosen.env_id)
            except LabError as error:
                chosen.leave_out(run.id, _sentence(error), len(numbers))
                continue
            if numbers:
                recorded[run.id] = numbers
            elif is_named:
                chosen.leave_out(run.id, "None of its episodes is recorded.", 0)
        return recorded

    async def _leave_out_others(self, chosen: BenchSelection, recorded: dict[str, list[int]]) -> None:
        """Returns in an environment with other arguments, such as one that clips rewards, cannot be compared."""
        home = self._sources.home
        arguments = {
            run_id: await asyncio.to_thread(_read_arguments, home, run_id, numbers[-1])
            for run_id, numbers in recorded.items()
        }
        for run_id in find_others(arguments, {run_id: len(one) for run_id, one in recorded.items()}):
            chosen.leave_out(run_id, OTHER_ARGUMENTS, len(recorded.pop(run_id)))

    async def choose_one(self, run_id: str, episode: int) -> BenchSelection:
        """One episode; NotReady when it cannot be simulated, NotFound or Gone when it is not recorded."""
        run = await self._sources.get_run(run_id)
        chosen = BenchSelection(one_environment([run]))
        rows = await asyncio.to_thread(_read_rows, self._sources.home, run_id, [episode])
        chosen.rights[run_id] = await self._may_simulate(run, chosen.env_id)
        chosen.episodes = [ChosenEpisode(run, row) for row in rows]
        return chosen

    async def _recorded(self, run: Run) -> list[int]:
        await self._sources.get_run(run.id)  # unpacks an archived one
        return await asyncio.to_thread(_read_numbers, self._sources.home, run.id)

    async def _may_simulate(self, run: Run, env_id: str) -> Confinement | None:
        """What its process may use; NotReady when its episodes cannot be simulated again."""
        folder = RunFolder(self._sources.home, run.id).path
        attempt = await asyncio.to_thread(newest_attempt, folder)
        if attempt is not None and await asyncio.to_thread(find_frame_file, attempt) is not None:
            raise NotReady(f"{env_id} is not deterministic, so recorded episodes cannot be simulated again.")
        rights = await self._sources.looking.find_rights(run.id) if is_foreign(run) else None
        require_confined(rights, env_id)
        # Only now: describing an environment creates it, which may execute a module that the run has named.
        entry = await self._sources.environments.catalogue.environment(env_id)
        is_missing = entry is None or bool(entry.problem)
        if is_missing and await asyncio.to_thread(find_place, folder, None) is not None:
            raise NotReady(f"{env_id} exists only in the Python of the script that recorded the episodes.")
        require_environment(env_id, entry)
        return rights


def find_runs(conn: Connection, asked: BenchRequest) -> list[Run]:
    """The named ones, or the newest that meet the conditions."""
    if asked.run_ids:
        return runs.get_all(conn, list(dict.fromkeys(asked.run_ids)))
    found: list[Run] = []
    for kind in dict.fromkeys(asked.kinds):
        found += _list_runs(
            conn, RunFilter(kind=kind, env_id=asked.env_id, tag=asked.tags[0] if asked.tags else None)
        )
    met = [run for run in found if set(asked.tags) <= set(run.tags)]
    if not met:
        raise NotReady(
            "No run meets these conditions.", next_step="Train, evaluate or play first, or choose other runs."
        )
    return sorted(met, key=lambda run: run.created_at, reverse=True)[:MAX_BENCH_RUNS]


def _list_runs(conn: Connection, wanted: RunFilter) -> list[Run]:
    found: list[Run] = []
    cursor = None
    while len(found) < MAX_BENCH_RUNS:
        page = run_pages.find_page(conn, wanted, limit=PAGE, cursor=cursor)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def one_environment(wanted: Iterable[Run]) -> str:
    """InvalidInput when the runs have different ones: their returns cannot be compared."""
    found = dict.fromkeys(run.env_id for run in wanted if run.env_id)
    if len(found) != 1:
        what = (
            f"These runs are of different environments ({', '.join(found)})"
            if found
            else "No environment is known"
        )
        raise InvalidInput.of_field("run_ids", f"{what}; choose runs of one.", list(found))
    return next(iter(found))


def nothing_to_score(chosen: BenchSelection) -> NotReady:
    reasons = " ".join(dict.fromkeys(one.reason for one in chosen.left_out.values()))
    return NotReady(
        f"There is no recorded episode to score. {reasons}".strip(),
        next_step="Choose runs that record their episodes: trainings, evaluations and plays of the lab do.",
    )


def read_recordings(home: Path, wanted: Sequence[ChosenEpisode]) -> dict[str, Recording]:
    """By key, without what only a replay shows; those that were deleted meanwhile are missing."""
    found: dict[str, Recording] = {}
    by_run: dict[str, dict[int, str]] = {}
    for one in wanted:
        by_run.setdefault(one.run.id, {})[one.row.episode] = one.key
    for run_id, keys in by_run.items():
        with TelemetryReader(RunFolder(home, run_id).telemetry, run_id) as telemetry:
            for recording in telemetry.recordings(list(keys)):
                if recording.action:
                    plain = msgspec.structs.replace(recording, values=b"", chosen=b"", extra={})
                    found[keys[recording.episode]] = plain
    return found


def _read_numbers(home: Path, run_id: str) -> list[int]:
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        return []
    with TelemetryReader(path, run_id) as telemetry:
        return telemetry.recorded_numbers()


def _read_arguments(home: Path, run_id: str, number: int) -> str:
    """Of the environment that this episode was recorded in, as a text that is equal for equal ones."""
    with TelemetryReader(RunFolder(home, run_id).telemetry, run_id) as telemetry:
        found = list(telemetry.recordings([number]))
    given = found[0].env_kwargs if found else {}
    # An empty list of wrappers is none.
    return json.dumps({name: value for name, value in given.items() if value != []}, sort_keys=True)


def _read_rows(home: Path, run_id: str, numbers: Sequence[int]) -> list[EpisodeRow]:
    with TelemetryReader(RunFolder(home, run_id).telemetry, run_id) as telemetry:
        return telemetry.rows_of(numbers)


def _sentence(error: LabError) -> str:
    return " ".join(filter(None, (error.detail, error.next_step)))
