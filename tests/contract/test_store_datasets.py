"""Datasets are listed, found, renamed and removed alike in SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.datasets import CARTPOLE, PENDULUM, put_rows, sample, write_version

from rl_lab.core.errors import AlreadyExists, NotFound
from rl_lab.store.datasets import datasets
from rl_lab.store.datasets.datasets import DatasetFilter


def fill(db: Any, folder: Path) -> None:
    for name, version, about, episodes in (
        ("pole", 1, CARTPOLE, 5),
        ("pole", 2, CARTPOLE, 2),
        ("swing up", 1, PENDULUM, 3),
        ("Cart", 1, CARTPOLE, 4),
    ):
        manifest = write_version(folder / f"{name}{version}", about, sample(about, episodes))
        db.write(lambda conn, n=name, v=version, m=manifest: put_rows(conn, n, v, m))


def names(
    db: Any, sort: str = "name", limit: int = 50, cursor: str | None = None, **wanted: Any
) -> list[str]:
    page = db.read(lambda conn: datasets.find_page(conn, DatasetFilter(**wanted), sort, limit, cursor))
    return [one.name for one in page.items]


def test_datasets_are_filtered_sorted_and_paged(db: Any, tmp_path: Path) -> None:
    fill(db, tmp_path)
    assert names(db, env_id="CartPole-v1", sort="-episodes") == ["Cart", "pole"]
    assert names(db, sort="episodes") == ["pole", "swing up", "Cart"]
    assert names(db, q="PENDULUM swing") == ["swing up"]
    assert names(db, q="100%") == []
    first = db.read(lambda conn: datasets.find_page(conn, DatasetFilter(), "-transitions", 2))
    assert (len(first.items), first.total) == (2, 3)
    assert names(db, "-transitions", 2, first.next_cursor) == ["pole"]


def test_a_dataset_is_renamed_changed_and_removed_with_its_versions(db: Any, tmp_path: Path) -> None:
    fill(db, tmp_path)
    found = db.read(lambda conn: datasets.get(conn, "POLE"))
    assert [one.version for one in found.versions] == [2, 1]
    with pytest.raises(AlreadyExists):
        db.write(lambda conn: datasets.rename(conn, found, "swing-up"))
    db.write(lambda conn: datasets.rename(conn, found, "Pole"))
    db.write(lambda conn: datasets.change(conn, "Pole", note="a note", keep=2))
    again = db.read(lambda conn: datasets.get(conn, "pole"))
    assert (again.name, again.note, again.keep, len(again.versions)) == ("Pole", "a note", 2, 2)
    assert db.read(lambda conn: datasets.next_version(conn, "Pole")) == 3
    db.write(lambda conn: datasets.remove_version(conn, "Pole", 2))
    with pytest.raises(NotFound, match="no version 2"):
        db.read(lambda conn: datasets.get_version(conn, "Pole", 2))
    db.write(lambda conn: datasets.remove(conn, "Pole"))
    with pytest.raises(NotFound, match="no dataset “pole”"):
        db.read(lambda conn: datasets.get(conn, "pole"))
    assert set(db.read(datasets.list_hashes)) == {("swing up", 1), ("Cart", 1)}
