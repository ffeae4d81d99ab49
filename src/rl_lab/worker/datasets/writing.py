"""Writes the folder of a dataset's version: columns that grow as episodes come, dataset.json at the very end.

Memory does not grow with the dataset. A folder without dataset.json is not a dataset; a writer that is given one
begins again.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    EPISODE_COLUMNS,
    EPISODE_ENDS,
    EPISODE_NUMBERS,
    EPISODE_SEEDS,
    EPISODE_SOURCES,
    INFOS,
    MANIFEST_FILE,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    WHO,
    DatasetManifest,
    EpisodeSource,
    ScoreReference,
)
from rl_lab.core.errors import AlreadyExists, InvalidInput
from rl_lab.portable.atomic_files import save_file, sync_folder
from rl_lab.worker.datasets.array_files import ArrayFile
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.reading import has_last_row
from rl_lab.worker.datasets.spaces import leaves, space_to_json, split_tree

REWARD_TYPE = np.dtype("<f8")
InfoColumns = Mapping[str, tuple[Any, tuple[int, ...]]]
"""Type and shape of a row, by key."""


class DatasetWriter:
    """Add episodes whole, in pieces (`add_steps`, `end_episode`) or many at once (`add_columns`); then `finish`."""

    def __init__(
        self,
        folder: Path,
        *,
        observation_space: Any,
        action_space: Any,
        env_id: str = "",
        env_kwargs: Mapping[str, Any] | None = None,
        env_version: str | None = None,
        sources: Sequence[EpisodeSource] = (),
        source: str = "",
        licence: str = "",
        infos: InfoColumns | None = None,
        who: bool = False,
    ) -> None:
        """Spaces are Gymnasium's or JSON; `infos` and `who` say which optional columns there are."""
        self.folder = folder
        self.observation_space = space_to_json(observation_space)
        self.action_space = space_to_json(action_space)
        self.sources = list(sources)
        self.notes: list[str] = []
        self._texts = {"env_id": env_id, "env_version": env_version, "source": source, "licence": licence}
        self._env_kwargs = dict(env_kwargs or {})
        self._infos = dict(infos or {})
        self._has_who = who
        self.episodes = 0
        self.transitions = 0
        self._open_rows = 0
        """Steps of the episode that has not ended yet."""
        _empty_folder(folder)
        self._files = {
            name: ArrayFile(folder, name, np.dtype(dtype), shape)
            for name, (dtype, shape) in self._columns().items()
        }

    @property
    def steps(self) -> int:
        """All that were added, also those of an episode that has not ended."""
        return self.transitions + self._open_rows

    def add_episode(
        self, episode: EpisodeArrays, seed: int | None = -1, source: int = 0, number: int = 0
    ) -> None:
        """Add a whole episode; `seed`: what the environment was reset with, -1 or None where that is not known."""
        self.add_steps(episode)
        self.end_episode(seed=seed, source=source, number=number)

    def add_steps(self, steps: EpisodeArrays) -> None:
        """The next steps of the open episode; the first piece has one observation more than steps, others as many.

        A later piece may repeat the observation that the piece before ended with; it is written once.
        """
        self.add_step_columns(
            {
                **split_tree(self.action_space, steps.actions, ACTIONS),
                **split_tree(self.observation_space, steps.observations, OBSERVATIONS),
                **{f"{INFOS}.{key}": rows for key, rows in steps.infos.items()},
                REWARDS: steps.rewards,
                TERMINATIONS: steps.terminations,
                TRUNCATIONS: steps.truncations,
                WHO: steps.who,
            },
            steps.length,
        )

    def add_step_columns(self, columns: Mapping[str, Any], count: int) -> None:
        """The same by the names of the columns."""
        if count == 0:
            raise InvalidInput("An episode without a step cannot be stored.")
        self._append_step_rows(columns, columns.get(WHO), count)
        for name in self._seen_names():
            self._append_seen(name, columns.get(name), count)
        self._open_rows += count

    def drop_episode(self) -> None:
        """Forget the steps of the open episode, or the last piece of it that could not be added."""
        for name, file in self._files.items():
            is_episode = name in EPISODE_COLUMNS
            rows = self.episodes if is_episode else self.transitions
            file.cut(rows + self.episodes if has_last_row(name) else rows)
        self._open_rows = 0

    def end_episode(self, *, seed: int | None = -1, source: int = 0, number: int = 0) -> None:
        if self._open_rows == 0:
            raise InvalidInput("An episode without a step cannot be stored.")
        self.transitions += self._open_rows
        self._open_rows = 0
        self.episodes += 1
        ends = np.array([self.transitions])
        self._append_episode_rows(ends, [-1 if seed is None else seed], [source], [number])

    def add_columns(
        self,
        columns: Mapping[str, np.ndarray],
        lengths: np.ndarray,
        *,
        seeds: np.ndarray | None = None,
        sources: np.ndarray | None = None,
        numbers: np.ndarray | None = None,
    ) -> None:
        """Add many whole episodes, given as columns by name in the layout of the files."""
        if self._open_rows:
            raise ValueError("An episode is still open.")
        lengths = np.asarray(lengths, np.int64)
        count, steps = len(lengths), int(lengths.sum())
        if count == 0:
            return
        if lengths.min() < 1:
            raise InvalidInput("An episode without a step cannot be stored.")
        self._append_step_rows(columns, columns.get(WHO), steps)
        for name in self._seen_names():
            self._append_exactly(name, columns.get(name), steps + count)
        ends = self.transitions + np.cumsum(lengths)
        self.transitions += steps
        self.episodes += count
        first = np.arange(self.episodes - count, self.episodes)
        self._append_episode_rows(
            ends,
            np.full(count, -1) if seeds is None else seeds,
            np.zeros(count, np.int32) if sources is None else sources,
            first if numbers is None else numbers,
        )

    def finish(
        self, *, notes: Sequence[str] = (), reference: ScoreReference | None = None
    ) -> DatasetManifest:
        """Complete all files, then write dataset.json."""
        if self._open_rows:
            raise InvalidInput("The last episode has not been ended.")
        if self.episodes == 0:
            raise InvalidInput("There is no episode to store.", next_step="Choose others.")
        columns = [file.close() for file in self._files.values()]
        sync_folder(self.folder)
        manifest = DatasetManifest(
            **self._texts,
            env_kwargs=self._env_kwargs,
            observation_space=self.observation_space,
            action_space=self.action_space,
            episodes=self.episodes,
            transitions=self.transitions,
            columns=columns,
            sources=self.sources,
            reference=reference,
            notes=[*self.notes, *notes],
        )
        write_manifest(self.folder, manifest)
        return manifest

    def __enter__(self) -> DatasetWriter:
        return self

    def __exit__(self, *_: object) -> None:
        if not (self.folder / MANIFEST_FILE).exists():
            self.abandon()

    def abandon(self) -> None:
        """Give up, and leave nothing behind. Leaving its `with` block without `finish` does the same."""
        for file in self._files.values():
            file.abandon()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _columns(self) -> dict[str, tuple[Any, tuple[int, ...]]]:
        found: dict[str, tuple[Any, tuple[int, ...]]] = {}
        for space, name in ((self.observation_space, OBSERVATIONS), (self.action_space, ACTIONS)):
            found |= {leaf.name: (leaf.dtype, leaf.shape) for leaf in leaves(space, name)}
        found |= {REWARDS: (REWARD_TYPE, ()), TERMINATIONS: ("?", ()), TRUNCATIONS: ("?", ())}
        if self._has_who:
            found[WHO] = ("u1", ())
        found |= {f"{INFOS}.{key}": kind for key, kind in self._infos.items()}
        return found | {
            EPISODE_ENDS: ("<i8", ()),
            EPISODE_SEEDS: ("<i8", ()),
            EPISODE_SOURCES: ("<i4", ()),
            EPISODE_NUMBERS: ("<i8", ()),
        }

    def _seen_names(self) -> list[str]:
        observed = [leaf.name for leaf in leaves(self.observation_space, OBSERVATIONS)]
        return [*observed, *(f"{INFOS}.{key}" for key in self._infos)]

    def _append_step_rows(self, columns: Mapping[str, Any], who: Any, count: int) -> None:
        names = [leaf.name for leaf in leaves(self.action_space, ACTIONS)]
        for name in (*names, REWARDS, TERMINATIONS, TRUNCATIONS):
            self._append_exactly(name, columns.get(name), count)
        if self._has_who:
            self._append_exactly(WHO, np.zeros(count, np.uint8) if who is None else who, count)

    def _append_seen(self, name: str, rows: Any, count: int) -> None:
        """The first piece of an episode has its first observation too."""
        due = count if self._open_rows else count + 1
        if rows is not None and len(rows) == count + 1 and self._open_rows:
            rows = rows[1:]
        self._append_exactly(name, rows, due)

    def _append_exactly(self, name: str, rows: Any, count: int) -> None:
        file = self._files[name]
        if rows is None:
            rows = self._absent(name, file, count)
        if len(rows) != count:
            raise InvalidInput(f"{name} has {len(rows)} rows where {count} belong to the steps.")
        file.append(rows)

    def _absent(self, name: str, file: ArrayFile, count: int) -> np.ndarray:
        if not name.startswith(f"{INFOS}."):
            raise InvalidInput(f"{name} is missing.")
        value = np.nan if file.dtype.kind == "f" else 0
        return np.full((count, *file.shape), value, file.dtype)

    def _append_episode_rows(self, ends: Any, seeds: Any, sources: Any, numbers: Any) -> None:
        self._files[EPISODE_ENDS].append(ends)
        self._files[EPISODE_SEEDS].append(np.asarray(seeds, np.int64))
        self._files[EPISODE_SOURCES].append(np.asarray(sources, np.int32))
        self._files[EPISODE_NUMBERS].append(np.asarray(numbers, np.int64))


def write_manifest(folder: Path, manifest: DatasetManifest) -> None:
    save_file(lambda aside: aside.write_text(manifest.model_dump_json(indent=1)), folder / MANIFEST_FILE)


def _empty_folder(folder: Path) -> None:
    if (folder / MANIFEST_FILE).exists():
        raise AlreadyExists(f"{folder.name} already holds a dataset.", next_step="Write into another folder.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
