"""Which versions of a dataset are kept: the newest ones, pinned ones, and those that a training learned from."""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection

from rl_lab.core.datasets.datasets import Dataset
from rl_lab.store.datasets import datasets
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.store.sql.database import Database


def find_beyond(dataset: Dataset) -> list[int]:
    """The versions that go."""
    if dataset.keep is None:
        return []
    later = dataset.versions[dataset.keep :]
    return [one.version for one in later if not one.pinned and one.learned_by == 0]


async def apply_keep(db: Database, folders: DatasetFolders, name: str) -> list[int]:
    """Removes versions beyond `keep`: the row first, then the files."""

    def work(conn: Connection) -> list[int]:
        dataset = datasets.find(conn, name)
        beyond = find_beyond(dataset) if dataset is not None else []
        for version in beyond:
            datasets.remove_version(conn, name, version)
        return beyond

    gone = await db.write(work)
    for version in gone:
        await asyncio.to_thread(folders.remove, name, version)
    return gone
