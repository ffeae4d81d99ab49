"""A folder of Minari: metadata.json, and data/main_data.hdf5 with one group per episode."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    INFOS,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    WHO,
    ScoreReference,
)
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.formats.hdf5_files import Hdf5File, open_hdf5
from rl_lab.worker.datasets.formats.minari_episodes import (
    EpisodeGroup,
    StoredColumn,
    columns_of,
    info_columns,
)
from rl_lab.worker.datasets.formats.minari_spaces import read_space
from rl_lab.worker.datasets.formats.own_marks import describe
from rl_lab.worker.datasets.formats.rows import PART_BYTES, DatasetRows, join_rows, rows_per_part
from rl_lab.worker.datasets.formats.source import OpenSource, row_bytes
from rl_lab.worker.datasets.formats.tables import BYTES_PER_EPISODE, BYTES_PER_STEP
from rl_lab.worker.datasets.spaces import SpaceJson

METADATA = "metadata.json"
MAIN_FILE = "main_data.hdf5"
MAX_METADATA_BYTES = 64 << 20
OWN = "rl_lab"
"""Key of metadata.json in a dataset that the lab wrote."""
EPISODES_AT_ONCE = 2000


def find_data(folder: Path) -> Path | None:
    """The folder with metadata.json: `data` of a dataset's folder, or the one given; None: it is not Minari's."""
    for place in (folder, folder / "data"):
        if (place / METADATA).is_file():
            return place
    return None


def open_folder(folder: Path) -> OpenSource:
    data = find_data(folder)
    if data is None:
        raise InvalidInput(
            f"{folder.name} has no {METADATA}, so it is not a dataset of Minari.",
            next_step=f"Choose the folder that has data/{METADATA} and data/{MAIN_FILE}.",
        )
    metadata = read_metadata(data / METADATA)
    kind = metadata.get("data_format", "hdf5")
    if kind != "hdf5" or not (data / MAIN_FILE).is_file():
        raise InvalidInput(
            f"{folder.name} stores its episodes as {kind}; the lab reads Minari's HDF5 ({MAIN_FILE}).",
            next_step="Write it again with data_format='hdf5'.",
        )
    return open_episodes(open_hdf5(data / MAIN_FILE), metadata)


def open_episodes(file: Hdf5File, metadata: dict[str, Any]) -> OpenSource:
    if "observation_space" not in metadata or "action_space" not in metadata:
        raise InvalidInput(
            f"{METADATA} does not name the spaces of observations and actions.",
            next_step="Write the dataset again with Minari 0.5 or newer, which stores them.",
        )
    observation, texts = read_space(metadata["observation_space"], OBSERVATIONS)
    action, more = read_space(metadata["action_space"], ACTIONS)
    texts += more
    episodes = _count_episodes(file, metadata)
    reader = _Episodes(file, episodes, observation, action)
    steps = _whole(metadata.get("total_steps"))
    per_step = row_bytes(column.kind for column in (*reader.seen, *reader.actions)) + BYTES_PER_STEP
    env_id, env_kwargs = _environment(metadata.get("env_spec"))
    source = OpenSource(
        form="Minari",
        total=episodes,
        unit="episode",
        bytes_needed=(steps + episodes) * per_step + episodes * BYTES_PER_EPISODE,
        observations={column.name: column.kind for column in reader.observations},
        actions={column.name: column.kind for column in reader.actions},
        infos={column.name.removeprefix(f"{INFOS}."): column.kind for column in reader.infos},
        has_who=reader.has_who,
        rows=reader.read,
        env_id=env_id,
        env_kwargs=env_kwargs,
        observation_space=observation,
        action_space=action,
        source=_source(metadata),
        licence=_text(metadata.get("license") or metadata.get("licence"), 200),
        reference=_reference(metadata),
        notes=reader.notes,
    )
    if texts:
        source.notes.append(f"Texts were left out: {', '.join(texts)}.")
    describe(source, metadata.get(OWN))
    return source


class _Episodes:
    def __init__(self, file: Hdf5File, count: int, observation: SpaceJson, action: SpaceJson) -> None:
        self._file, self._count = file, count
        first = self._group(0)
        self.observations = columns_of(first, observation, OBSERVATIONS)
        self.actions = columns_of(first, action, ACTIONS)
        self.infos, self.notes = info_columns(first)
        self.has_who = first.has(WHO)
        self._open_ends = self._with_options = 0

    @property
    def seen(self) -> list[StoredColumn]:
        return [*self.observations, *self.infos]

    def read(self) -> Iterator[DatasetRows]:
        waiting: list[DatasetRows] = []
        size = 0
        for index in range(self._count):
            for rows in self._episode(self._group(index)):
                waiting.append(rows)
                size += len(rows) * row_bytes(column.kind for column in self.seen)
            if size >= PART_BYTES or len(waiting) >= EPISODES_AT_ONCE:
                yield join_rows(waiting)
                waiting, size = [], 0
        if waiting:
            yield join_rows(waiting)
        self.notes += self._repairs()

    def _episode(self, group: EpisodeGroup) -> Iterator[DatasetRows]:
        """A long episode comes in parts."""
        length = group.length(REWARDS)
        if length < 1:
            raise InvalidInput(f"{group.name} has no step.", next_step="Leave empty episodes out.")
        seen = {column: group.array(column, length + 1) for column in self.seen}
        actions = {column: group.array(column, length) for column in self.actions}
        flags = {name: group.numbers(name, length) for name in (REWARDS, TERMINATIONS, TRUNCATIONS)}
        if self.has_who:
            flags[WHO] = group.numbers(WHO, length)
        seed = self._seed(group)
        count = rows_per_part(row_bytes(column.kind for column in (*self.seen, *self.actions)))
        for start in range(0, length, count):
            end = min(length, start + count)
            is_end = end == length
            steps = {column.name: group.read(array, column, start, end) for column, array in actions.items()}
            steps |= {name: array[start:end] for name, array in flags.items()}
            self._close(steps, is_end)
            is_last = np.zeros(end - start, bool)
            is_last[-1] = is_end
            rows = {
                column.name: group.read(array, column, start, end + is_end) for column, array in seen.items()
            }
            yield DatasetRows(steps, rows, is_last, np.array([seed] if is_end else [], np.int64))

    def _close(self, steps: dict[str, np.ndarray], is_end: bool) -> None:
        for name in (TERMINATIONS, TRUNCATIONS):
            steps[name] = steps[name] != 0
        if is_end and not (steps[TERMINATIONS][-1] or steps[TRUNCATIONS][-1]):
            self._open_ends += 1
            steps[TRUNCATIONS][-1] = True

    def _seed(self, group: EpisodeGroup) -> int:
        """-1 where the episode cannot be simulated again from its seed alone."""
        if group.has_options:
            self._with_options += 1
            return -1
        return group.seed

    def _group(self, index: int) -> EpisodeGroup:
        name = f"episode_{index}"
        found = self._file.find(self._file.file, name)
        if found is None or not hasattr(found, "keys"):
            raise InvalidInput(
                f"{self._file.name} has no {name}, though it says it has {plural(self._count, 'episode')}.",
                next_step="The dataset is not complete: get it again.",
            )
        return EpisodeGroup(self._file, found, name)

    def _repairs(self) -> Iterator[str]:
        if self._open_ends:
            yield f"{plural(self._open_ends, 'episode')} without an end in the file count as truncated."
        if self._with_options:
            yield (
                f"{plural(self._with_options, 'episode')} were reset with options, which are left out with their seeds."
            )


def read_metadata(path: Path | zipfile.Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_METADATA_BYTES + 1)
        if len(data) > MAX_METADATA_BYTES:
            raise ValueError("it is too large")
        found = json.loads(data)
        if not isinstance(found, dict):
            raise ValueError("it is not an object")
    except (OSError, ValueError, RecursionError, zipfile.BadZipFile, zlib.error) as problem:
        raise InvalidInput(
            f"{METADATA} cannot be read: {problem}.", next_step="Get the dataset again."
        ) from None
    return found


def _count_episodes(file: Hdf5File, metadata: dict[str, Any]) -> int:
    count = _whole(metadata.get("total_episodes")) or len(file.file)
    if count > len(file.file):
        raise InvalidInput(
            f"{METADATA} says {plural(count, 'episode')}, {file.name} has {len(file.file):,}.",
            next_step="The dataset is not complete: get it again.",
        )
    if not count:
        raise InvalidInput(f"{file.name} has no episodes.", next_step="Choose another dataset.")
    return count


def _environment(written: Any) -> tuple[str, dict[str, Any]]:
    """Id and arguments; no class is loaded by what is written there."""
    try:
        spec = json.loads(written) if isinstance(written, str) else written
    except (ValueError, RecursionError):
        return "", {}
    if not isinstance(spec, dict) or not isinstance(spec.get("id"), str):
        return "", {}
    kwargs = spec.get("kwargs")
    return spec["id"][:200], kwargs if isinstance(kwargs, dict) else {}


def _reference(metadata: dict[str, Any]) -> ScoreReference | None:
    low, high = metadata.get("ref_min_score"), metadata.get("ref_max_score")
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return None
    return ScoreReference(low=low, high=high, named="Minari: ref_min_score and ref_max_score")


def _source(metadata: dict[str, Any]) -> str:
    parts = [_text(metadata.get("dataset_id"), 200), _text(metadata.get("description"), 1000)]
    authors = metadata.get("author")
    if isinstance(authors, list):
        parts.append("by " + ", ".join(_text(author, 100) for author in authors[:8]))
    parts.append(_text(metadata.get("code_permalink"), 300))
    return " · ".join(filter(None, parts))


def _text(value: Any, length: int) -> str:
    return value[:length] if isinstance(value, str) else ""


def _whole(value: Any) -> int:
    return max(0, int(value)) if isinstance(value, int | float) and math.isfinite(value) else 0
