"""Episodes of datasets as recordings, which are simulated again from their seed and actions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import NotFound, NotReady
from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.execution.dataset_files import DatasetFiles
from rl_lab.orchestrator.execution.unpublished import wait_for_versions
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.store.datasets import datasets

if TYPE_CHECKING:
    from rl_lab.worker.datasets.reading import OpenDataset


async def find_dataset_recording(
    sources: Sources, choice: DatasetChoice, episode: int
) -> tuple[DatasetChoice, Recording]:
    """The exact version that is meant, and its episode; NotReady, with the reason, when it cannot be played again."""
    await wait_for_versions(sources.context.db, choice.name)
    if choice.sha256 is None:  # as a user has written it: NotFound names what there is
        meant = await sources.read(lambda conn: datasets.get_version(conn, choice.name, choice.version))
        choice = DatasetChoice(name=meant.name, version=meant.version, sha256=meant.sha256)
    found = await DatasetFiles(sources.context).get(choice)

    def read() -> Recording:
        from rl_lab.worker.datasets.reading import open_dataset  # imports numpy

        return read_recording(open_dataset(found.folder), episode)

    recording = await asyncio.to_thread(read)
    await sources.require_deterministic(recording)
    version = found.version
    exact = DatasetChoice(name=version.name, version=version.version, sha256=version.sha256)
    return exact, recording


def read_recording(dataset: OpenDataset, index: int) -> Recording:
    """An episode as it is re-simulated; NotReady, with the reason, when it cannot be. Blocks."""
    from rl_lab.worker.datasets.packing import to_recording

    if not 0 <= index < len(dataset):
        raise NotFound(f"There is no episode {index}; the version has {len(dataset):,}.")
    if not dataset.manifest.env_id:
        raise NotReady(
            "The dataset does not name its environment, so its episodes cannot be watched.",
            next_step="Import it again and name the environment.",
        )
    if dataset.seeds[index] < 0:
        raise NotReady(
            f"The seed of episode {index} is not known, so it cannot be simulated again.",
            next_step="Its steps are in the files; episodes that RL Lab recorded or collected can be watched.",
        )
    return to_recording(dataset, index)
