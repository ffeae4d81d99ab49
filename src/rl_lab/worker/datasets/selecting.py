"""New versions from versions that exist: split, merged, pruned."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rl_lab.core.datasets.manifest import EpisodeSource
from rl_lab.core.datasets.operations import MergeDataset, PruneDataset, SplitDataset
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.copying import copy_episodes, has_person, info_columns
from rl_lab.worker.datasets.fingerprints import find_duplicates, find_not_finite
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.spaces import space_difference
from rl_lab.worker.datasets.version_inputs import VersionInput, given_versions, open_versions
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.session import Session


def split(session: Session, operation: SplitDataset, folders: list[Path]) -> None:
    [dataset] = open_versions(session)
    total = len(dataset)
    count = round(total * operation.share)
    if not 0 < count < total:
        raise InvalidInput.of_field(
            "share",
            f"{operation.share:g} of {plural(total, 'episode')} leaves one part empty.",
            "a share that gives both parts at least one episode",
        )
    order = np.random.default_rng(operation.seed).permutation(total)
    progress = WorkCount(session, total)
    [of] = given_versions(session)
    parts = (np.sort(order[:count]), np.sort(order[count:]))
    for folder, chosen in zip(folders, parts, strict=True):
        text = f"{plural(len(chosen), 'episode')} of {of}, drawn with seed {operation.seed}."
        with _writer(folder, [dataset], operation.licence, text) as writer:
            copy_episodes(dataset, chosen, writer, progress)
            writer.finish()


def merge(session: Session, operation: MergeDataset, folder: Path) -> None:
    given, datasets = given_versions(session), open_versions(session)
    require_same_spaces(given, datasets)
    progress = WorkCount(session, sum(map(len, datasets)))
    text = f"Merged from {', '.join(map(str, given))}."
    with _writer(folder, datasets, operation.licence, text) as writer:
        first = 0
        for dataset in datasets:
            copy_episodes(dataset, np.arange(len(dataset)), writer, progress, first_source=first)
            first += max(1, len(dataset.manifest.sources))
        writer.finish(notes=_notes(given, datasets))


def prune(session: Session, operation: PruneDataset, folder: Path) -> None:
    [dataset], [of] = open_versions(session), given_versions(session)
    chosen = np.flatnonzero(find_kept(dataset, operation))
    if len(chosen) == 0:
        raise InvalidInput(
            f"No episode of {of} fulfils the conditions. Its returns are between {dataset.returns.min():g} and "
            f"{dataset.returns.max():g}, its lengths between {dataset.lengths.min()} and {dataset.lengths.max()}.",
            next_step="Choose wider conditions.",
        )
    if operation.best is not None and len(chosen) > operation.best:
        best = np.argsort(-dataset.returns[chosen], kind="stable")[: operation.best]
        chosen = np.sort(chosen[best])
    progress = WorkCount(session, len(chosen))
    text = f"{plural(len(chosen), 'episode')} of {of}; {len(dataset) - len(chosen):,} were pruned."
    with _writer(folder, [dataset], operation.licence, text) as writer:
        copy_episodes(dataset, chosen, writer, progress)
        writer.finish(notes=_notes([of], [dataset]))


def find_kept(dataset: OpenDataset, conditions: PruneDataset) -> np.ndarray:
    """True for each episode that fulfils them."""
    returns, lengths = dataset.returns, dataset.lengths
    kept = np.ones(len(dataset), bool)
    if conditions.return_min is not None:
        kept &= returns >= conditions.return_min
    if conditions.return_max is not None:
        kept &= returns <= conditions.return_max
    if conditions.length_min is not None:
        kept &= lengths >= conditions.length_min
    if conditions.drop_duplicates:
        kept &= ~find_duplicates(dataset)
    if conditions.drop_not_finite:
        kept &= ~find_not_finite(dataset)[1]
    return kept


def require_same_spaces(given: list[VersionInput], datasets: list[OpenDataset]) -> None:
    """InvalidInput that names the first difference."""
    first = datasets[0].manifest
    for one, dataset in zip(given[1:], datasets[1:], strict=True):
        other = dataset.manifest
        difference = None
        if first.env_id and other.env_id and first.env_id != other.env_id:
            difference = f"environment {first.env_id} against {other.env_id}"
        elif first.env_kwargs != other.env_kwargs:
            difference = f"options of the environment {first.env_kwargs} against {other.env_kwargs}"
        for word in ("observation", "action"):
            found = space_difference(getattr(first, f"{word}_space"), getattr(other, f"{word}_space"))
            difference = difference or (f"{word} space: {found}" if found else None)
        if difference is not None:
            raise InvalidInput(
                f"{given[0]} and {one} cannot be merged: {difference}.",
                next_step="Merge datasets of the same environment with the same spaces.",
            )


def _writer(folder: Path, datasets: list[OpenDataset], licence: str, text: str) -> DatasetWriter:
    first = datasets[0].manifest
    licences = dict.fromkeys(one.manifest.licence for one in datasets if one.manifest.licence)
    origins = dict.fromkeys(one.manifest.source for one in datasets if one.manifest.source)
    return DatasetWriter(
        folder,
        observation_space=first.observation_space,
        action_space=first.action_space,
        env_id=next((one.manifest.env_id for one in datasets if one.manifest.env_id), ""),
        env_kwargs=first.env_kwargs,
        env_version=first.env_version,
        sources=[source for one in datasets for source in one.manifest.sources or [_unknown(one)]],
        source=" ".join([text, *origins]),
        licence=licence or ", ".join(licences),
        infos=info_columns(datasets),
        who=has_person(datasets),
    )


def _notes(given: list[VersionInput], datasets: list[OpenDataset]) -> list[str]:
    """They are about the versions that the episodes come from: their counts need not fit the new one."""
    pairs = zip(given, datasets, strict=True)
    return [f"{of}: {note}" for of, dataset in pairs for note in dataset.manifest.notes]


def _unknown(dataset: OpenDataset) -> EpisodeSource:
    return EpisodeSource(kind="file", label=dataset.manifest.source or "unknown")
