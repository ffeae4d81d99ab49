"""The episodes of a version, read from its memory-mapped columns: listed, and as recordings that can be watched."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rl_lab.core.datasets.datasets import DatasetEpisode
from rl_lab.core.datasets.manifest import EPISODE_NUMBERS, EPISODE_SOURCES, TERMINATIONS, TRUNCATIONS, WHO
from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.jobs.dataset_recordings import read_recording

if TYPE_CHECKING:
    import numpy as np

    from rl_lab.worker.datasets.reading import OpenDataset

OPEN = 8
"""Versions that stay open; an open one costs no memory but the returns and lengths of its episodes."""
EpisodeSort = Literal["episode", "-episode", "return", "-return", "length", "-length"]


@dataclass(frozen=True)
class EpisodeRange:
    return_min: float | None = None
    return_max: float | None = None
    length_min: int | None = None
    length_max: int | None = None
    seeded: bool | None = None
    """Whether the seed is known; None = both."""


@dataclass(frozen=True)
class EpisodeListing:
    items: list[DatasetEpisode]
    total: int


class VersionEpisodes:
    """Blocks; call it on a thread. Several threads may read at once."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Path, str], OpenDataset] = OrderedDict()

    def list(
        self, folder: Path, sha256: str, wanted: EpisodeRange, sort: EpisodeSort, page: slice
    ) -> EpisodeListing:
        dataset = self._find(folder, sha256)
        chosen = _choose(dataset, wanted, sort)
        return EpisodeListing([_describe(dataset, int(i)) for i in chosen[page]], len(chosen))

    def recording(self, folder: Path, sha256: str, index: int) -> Recording:
        """An episode as it is re-simulated; NotReady, with the reason, when it cannot be."""
        return read_recording(self._find(folder, sha256), index)

    def _find(self, folder: Path, sha256: str) -> OpenDataset:
        from rl_lab.worker.datasets.reading import open_dataset

        key = (folder, sha256)
        found = self._open.pop(key, None) or open_dataset(folder)
        self._open[key] = found
        while len(self._open) > OPEN:
            self._open.popitem(last=False)
        return found


def _choose(dataset: OpenDataset, wanted: EpisodeRange, sort: EpisodeSort) -> np.ndarray:
    import numpy as np

    kept = np.ones(len(dataset), bool)
    for values, low, high in (
        (dataset.returns, wanted.return_min, wanted.return_max),
        (dataset.lengths, wanted.length_min, wanted.length_max),
    ):
        kept &= values >= low if low is not None else True
        kept &= values <= high if high is not None else True
    if wanted.seeded is not None:
        kept &= (dataset.seeds >= 0) == wanted.seeded
    chosen = np.flatnonzero(kept)
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    if name == "episode":
        return chosen[::-1] if descending else chosen
    keys = (dataset.returns if name == "return" else dataset.lengths)[chosen].astype(np.float64)
    keys = np.where(np.isfinite(keys), -keys if descending else keys, np.inf)
    return chosen[np.argsort(keys, kind="stable")]


def _describe(dataset: OpenDataset, index: int) -> DatasetEpisode:
    import math

    last = int(dataset.ends[index]) - 1
    place = int(dataset.column(EPISODE_SOURCES)[index])
    sources = dataset.manifest.sources
    source = sources[place] if 0 <= place < len(sources) else None
    returned, seed = float(dataset.returns[index]), int(dataset.seeds[index])
    steps = slice(int(dataset.starts[index]), last + 1)
    is_terminated = bool(dataset.column(TERMINATIONS)[last])
    return DatasetEpisode(
        episode=index,
        returned=returned if math.isfinite(returned) else None,
        length=int(dataset.lengths[index]),
        seed=seed if seed >= 0 else None,
        terminated=is_terminated,
        truncated=bool(dataset.column(TRUNCATIONS)[last]) or not is_terminated,
        source=source.label if source else "",
        run_id=source.run_id if source and source.kind == "run" else None,
        number=int(dataset.column(EPISODE_NUMBERS)[index]),
        by_person=int(dataset.column(WHO)[steps].astype(bool).sum()) if WHO in dataset.columns else 0,
    )
