"""Which recorded episodes of which runs become a dataset. Only numbers are held in memory, never the recordings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import orjson

from rl_lab.core.datasets.manifest import EpisodeSource
from rl_lab.core.datasets.operations import EpisodeChoice
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.store import run_pages, runs
from rl_lab.store.datasets.players import list_played
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader
from rl_lab.worker.datasets.recording_files import write_recording

PAGE = 200
MAX_RUNS = 1000
FIGURES = np.dtype([("run", "<i4"), ("episode", "<i8"), ("reward", "<f8"), ("length", "<i8"), ("at", "<f8")])


@dataclass(frozen=True)
class ChosenEpisodes:
    """Episodes of one environment."""

    runs: Sequence[Run]
    figures: np.ndarray
    """One row of `FIGURES` per episode, by run and number; `run` is a place in `runs`."""
    env_id: str
    env_kwargs: dict[str, Any]

    @property
    def transitions(self) -> int:
        return int(self.figures["length"].sum())

    @property
    def returns(self) -> np.ndarray:
        """Those that are numbers."""
        rewards: np.ndarray = self.figures["reward"]
        return np.asarray(rewards[np.isfinite(rewards)])

    @property
    def sources(self) -> list[EpisodeSource]:
        return [EpisodeSource(kind="run", label=run.name, run_id=run.id) for run in self.runs]

    def write(self, home: Path, file: BinaryIO) -> None:
        """All recordings into a file, one in memory at a time. Blocks."""
        for place, run in enumerate(self.runs):
            numbers = self.figures["episode"][self.figures["run"] == place].tolist()
            with TelemetryReader(RunFolder(home, run.id).telemetry, run.id) as telemetry:
                for recording in telemetry.recordings(numbers):
                    write_recording(file, recording)


async def choose_episodes(sources: Sources, choice: EpisodeChoice) -> ChosenEpisodes:
    """InvalidInput when no episode fits, or when they are of several environments."""
    found = await _find_runs(sources, choice)
    for run in found:
        await sources.context.folders.open(run.id)
    played = await sources.context.db.read(list_played) if choice.who else {}
    return await asyncio.to_thread(_choose, sources.home, found, choice, played)


async def _find_runs(sources: Sources, choice: EpisodeChoice) -> list[Run]:
    db = sources.context.db
    named = list(dict.fromkeys([*choice.runs, *choice.episodes]))
    if named:
        return [await db.read(lambda conn, i=run_id: runs.get(conn, i)) for run_id in named]  # type: ignore[misc]
    found: list[Run] = []
    for kind in choice.kinds:
        found += await _list_runs(sources, choice, kind)
    if len(found) > MAX_RUNS:
        raise InvalidInput.of_field(
            "choose",
            f"{plural(len(found), 'run')} fit; at most {MAX_RUNS:,} can be used at once.",
            "fewer runs",
        )
    return found


async def _list_runs(sources: Sources, choice: EpisodeChoice, kind: str) -> list[Run]:
    wanted = RunFilter(kind=RunKind(kind), env_id=choice.env_id, q=choice.query or None)
    found: list[Run] = []
    cursor: str | None = None
    while True:
        page = await sources.context.db.read(
            lambda conn, c=cursor: run_pages.find_page(conn, wanted, limit=PAGE, cursor=c)  # type: ignore[misc]
        )
        found += [run for run in page.items if set(choice.tags) <= set(run.tags)]
        cursor = page.next_cursor
        if cursor is None or len(found) > MAX_RUNS:
            return found


def _choose(
    home: Path, found: Sequence[Run], choice: EpisodeChoice, played: dict[str, dict[int, str]]
) -> ChosenEpisodes:
    tables = [_figures(home, run, place, choice, played) for place, run in enumerate(found)]
    table = np.concatenate([np.zeros(0, FIGURES), *tables])
    if choice.env_id is not None:
        fitting = [
            n for n, _ in enumerate(found) if _environment_of(home, found[n], table, n)[0] == choice.env_id
        ]
        table = table[np.isin(table["run"], fitting)]
    table = _limit(table, choice)
    places = np.unique(table["run"])
    kept = [found[place] for place in places]
    if not kept:
        raise _nothing(home, found)
    table["run"] = np.searchsorted(places, table["run"])
    env_id, env_kwargs = _one_environment(home, kept, table)
    return ChosenEpisodes(kept, table, env_id, env_kwargs)


def _figures(
    home: Path, run: Run, place: int, choice: EpisodeChoice, played: dict[str, dict[int, str]]
) -> np.ndarray:
    """The recorded episodes of one run that fulfil the conditions."""
    path = RunFolder(home, run.id).telemetry
    if not path.exists():
        return np.zeros(0, FIGURES)
    wanted = EpisodeFilter(
        recorded=True,
        min_reward=choice.return_min,
        max_reward=choice.return_max,
        min_length=choice.length_min,
        max_length=choice.length_max,
    ).among(choice.episodes.get(run.id))
    with TelemetryReader(path, run.id) as telemetry:
        rows = telemetry.figures(wanted)
    table = np.zeros(len(rows), FIGURES)
    table["run"] = place
    for column, name in enumerate(("episode", "reward", "length", "at")):
        table[name] = [np.nan if row[column] is None else row[column] for row in rows]
    return table if choice.who is None else table[_by(run, table["episode"], choice.who, played)]


def _by(run: Run, episodes: np.ndarray, who: str, played: dict[str, dict[int, str]]) -> np.ndarray:
    """Whether a person acted in each episode, or only a policy."""
    players = played.get(run.id, {})
    is_person = np.array([players.get(int(one), "policy") != "policy" for one in episodes], bool)
    return is_person if who == "person" else ~is_person


def _limit(table: np.ndarray, choice: EpisodeChoice) -> np.ndarray:
    for name, count in (("reward", choice.best), ("at", choice.newest)):
        if count is not None and len(table) > count:
            table = table[np.argsort(-np.nan_to_num(table[name], nan=-np.inf), kind="stable")[:count]]
    return table[np.lexsort((table["episode"], table["run"]))]


def _environment_of(home: Path, run: Run, table: np.ndarray, place: int) -> tuple[str, bytes]:
    """Id and options of the environment that the first of these episodes was recorded in."""
    episodes = table["episode"][table["run"] == place]
    if len(episodes) == 0:
        return "", b"{}"
    with TelemetryReader(RunFolder(home, run.id).telemetry, run.id) as telemetry:
        first = telemetry.recording(int(episodes[0]))
    if first is None:
        return "", b"{}"
    return first.env_id, orjson.dumps(first.env_kwargs, option=orjson.OPT_SORT_KEYS)


def _one_environment(home: Path, kept: Sequence[Run], table: np.ndarray) -> tuple[str, dict[str, Any]]:
    """Of all runs; InvalidInput that lists them when there are several."""
    counts: dict[tuple[str, bytes], int] = {}
    for place, run in enumerate(kept):
        key = _environment_of(home, run, table, place)
        counts[key] = counts.get(key, 0) + int((table["run"] == place).sum())
    if len(counts) != 1:
        listed = ", ".join(
            f"{env_id}{'' if kwargs == b'{}' else ' ' + kwargs.decode()} ({plural(count, 'episode')})"
            for (env_id, kwargs), count in counts.items()
        )
        raise InvalidInput(
            f"A dataset holds episodes of one environment with the same options; chosen are {listed}.",
            next_step="Name the environment, or choose fewer runs."
            if len({env_id for env_id, _ in counts}) > 1
            else "Choose runs with the same options of the environment.",
        )
    [(env_id, kwargs)] = counts
    return env_id, orjson.loads(kwargs)


def _nothing(home: Path, found: Sequence[Run]) -> InvalidInput:
    """Says what there is, so that the next try succeeds."""
    if not found:
        return InvalidInput(
            "No run fits the choice.",
            next_step="`rl-lab runs` lists the runs; choose others, or other kinds, tags or words.",
        )
    everything = EpisodeChoice()
    tables = [_figures(home, run, place, everything, {}) for place, run in enumerate(found)]
    table = np.concatenate(tables)
    if len(table) == 0:
        return InvalidInput(
            f"No episode of {plural(len(found), 'run')} is recorded.",
            next_step="Choose runs whose episodes were recorded, or collect new ones with a policy.",
        )
    returns = table["reward"][np.isfinite(table["reward"])]
    between = f"returns from {returns.min():g} to {returns.max():g}, " if len(returns) else ""
    return InvalidInput(
        f"No episode fits. {plural(len(found), 'run')} have {plural(len(table), 'recorded episode')}, "
        f"{between}lengths from {table['length'].min()} to {table['length'].max()}.",
        next_step="Choose wider conditions.",
    )
