"""Saved user code on SQLite and PostgreSQL: versions by contents, names, deletion."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.core.errors import AlreadyExists, NotFound
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice, NewCode, code_hash
from rl_lab.store.workbench import codes

REWARD = CodeKind.reward


def save(db: Any, name: str = "gentle", source: str = "a = 1", env_id: str = "") -> int:
    new = NewCode(name=name, source=source, env_id=env_id)
    version: int = db.write(lambda conn: codes.save(conn, REWARD, new)).version
    return version


def test_equal_contents_are_one_version(db: Any) -> None:
    assert [save(db, source=text) for text in ("a = 1", "a = 2", "a = 1")] == [1, 2, 1]
    found = db.read(lambda conn: codes.get(conn, REWARD, "gentle"))
    assert [(one.version, one.source) for one in found.versions] == [(2, "a = 2"), (1, "a = 1")]


def test_the_number_of_a_deleted_version_is_not_used_again(db: Any) -> None:
    save(db, source="a = 1")
    save(db, source="a = 2")
    db.write(lambda conn: codes.remove_version(conn, REWARD, "gentle", 2))
    assert save(db, source="a = 3") == 3


def test_a_name_with_other_capitals_is_the_same_name(db: Any) -> None:
    save(db, "Gentle")
    assert save(db, "gentle", "a = 2") == 2
    assert db.read(lambda conn: codes.get(conn, REWARD, "GENTLE")).name == "Gentle"


def test_kinds_do_not_share_names(db: Any) -> None:
    save(db)
    with pytest.raises(NotFound, match="evaluation code"):
        db.write(lambda conn: codes.get(conn, CodeKind.evaluation, "gentle"))


def test_a_choice_with_a_hash_finds_the_contents_under_their_new_name(db: Any) -> None:
    save(db)
    db.write(lambda conn: codes.rename(conn, REWARD, "gentle", "soft"))
    choice = CodeChoice(name="gentle", version=1, sha256=code_hash("a = 1"))
    assert db.read(lambda conn: codes.get_version(conn, REWARD, choice)).name == "soft"


def test_a_choice_never_means_other_contents_than_its_hash(db: Any) -> None:
    save(db)
    choice = CodeChoice(name="gentle", version=1, sha256=code_hash("a = 2"))
    with pytest.raises(NotFound, match="has other contents here"):
        db.write(lambda conn: codes.get_version(conn, REWARD, choice))


def test_a_misspelt_name_gets_the_nearest_one(db: Any) -> None:
    save(db)
    with pytest.raises(NotFound, match=r"Did you mean gentle\?"):
        db.write(lambda conn: codes.get(conn, REWARD, "gentel"))


def test_a_rename_does_not_take_the_name_of_another(db: Any) -> None:
    save(db)
    save(db, "soft")
    with pytest.raises(AlreadyExists):
        db.write(lambda conn: codes.rename(conn, REWARD, "gentle", "Soft"))


def test_the_list_of_an_environment_has_its_own_and_those_for_any(db: Any) -> None:
    for name, env_id in {"any": "", "lander": "LunarLander-v3", "pole": "CartPole-v1"}.items():
        save(db, name, env_id=env_id)
    found = db.read(lambda conn: codes.list_codes(conn, REWARD, "CartPole-v1"))
    assert {code.name for code in found} == {"any", "pole"}


def test_the_check_of_a_version_is_not_that_of_equal_contents_under_another_name(db: Any) -> None:
    kind = CodeKind.environment
    versions = [
        db.write(lambda conn, name=name: codes.save(conn, kind, NewCode(name=name, source="a = 1")))
        for name in ("grid", "copy of grid")
    ]
    for one in versions:
        db.write(
            lambda conn, one=one: codes.keep_version_check(
                conn, one, {"is_usable": True, "takes": [one.name]}
            )
        )
    for name in ("grid", "copy of grid"):
        (kept,) = db.read(lambda conn, name=name: codes.get(conn, kind, name)).versions
        assert kept.check.takes == [name]


def test_the_version_behind_an_id_is_found_by_its_slug_and_number(db: Any) -> None:
    for source in ("a = 1", "a = 2"):
        new = NewCode(name="grid world", source=source)
        db.write(lambda conn, new=new: codes.save(conn, CodeKind.environment, new))
    found = db.read(lambda conn: codes.find_own(conn, OwnEnvironment("grid-world", 2)))
    assert found.sha256 == code_hash("a = 2")
    for other in (OwnEnvironment("grid-world", 3), OwnEnvironment("grid", 2)):
        assert db.read(lambda conn, other=other: codes.find_own(conn, other)) is None
