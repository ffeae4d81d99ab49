"""Environments that the user wrote: what is kept of each version, and which numbers versions get."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context
from support.datasets import CARTPOLE, put_rows, sample, write_version

from rl_lab.core.environments import Environment
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import looking
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench import own_environments
from rl_lab.orchestrator.workbench.codes import Codes
from rl_lab.orchestrator.workbench.own_environments import OwnEnvironments
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

pytestmark = pytest.mark.anyio
FOUND = Environment(
    id="",
    name="Grid",
    family="own",
    package="",
    description="",
    action_space="Discrete(2)",
    action_space_type="discrete",
    obs_space="Box(1)",
    obs_space_type="box",
    obs_space_dims=[1],
)


@pytest.fixture(autouse=True)
def tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying an environment finds its id."""

    async def check_own(_name: str, question: dict[str, Any], **_: Any) -> dict[str, Any]:
        found = FOUND.model_copy(update={"id": question["env_id"]})
        return {"remarks": [], "environment": found.model_dump(mode="json")}

    monkeypatch.setattr(own_environments, "call_worker", check_own)
    monkeypatch.setattr(looking, "probe", lambda: Available("linux", 7, True))


def open_parts(context: Context) -> tuple[Codes, OwnEnvironments]:
    async def ignore(_kind: CodeKind, _sha256: str) -> None:
        """Nothing was tried before."""

    saved = Codes(context, ignore)
    return saved, OwnEnvironments(context, saved)


async def test_equal_code_under_two_names_has_two_checks(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        saved, own = open_parts(context)
        for name in ("grid", "copy"):
            await own.save(NewCode(name=name, source="x = 1\n"))
        found = [await saved.get(CodeKind.environment, name) for name in ("grid", "copy")]
    checks = [one.versions[0].check for one in found]
    assert [one.environment.id for one in checks if one and one.environment] == ["own:grid-v1", "own:copy-v1"]


async def test_what_failed_is_tried_again_and_what_worked_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package that was missing may be installed now."""
    remarks = [[{"level": "error", "message": "No module named 'maze'"}], []]

    async def check_own(_name: str, _question: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"remarks": remarks.pop(0), "environment": None}

    monkeypatch.setattr(own_environments, "call_worker", check_own)
    async with temporary_context(tmp_path) as context:
        _, own = open_parts(context)
        saved = [await own.save(NewCode(name="grid", source="x = 1\n")) for _ in range(3)]
    assert [one.check.is_usable for one in saved if one.check] == [False, True, True]
    assert {one.version for one in saved} == {1}


async def test_the_number_of_a_deleted_environment_is_not_used_again(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        _, own = open_parts(context)
        numbers = []
        for source in ("x = 1\n", "x = 2\n", "x = 3\n"):
            numbers.append((await own.save(NewCode(name="grid", source=source))).version)
            await own.remove("grid")
        await own.open()
        numbers.append((await own.save(NewCode(name="grid", source="x = 1\n"))).version)
    assert numbers == [1, 2, 3, 4]


async def test_files_that_a_dataset_needs_stay_when_the_environment_is_deleted(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        _, own = open_parts(context)
        folders = OwnEnvironmentFolders(tmp_path)
        for name in ("needed", "other"):
            await own.save(NewCode(name=name, source="x = 1\n"))
        manifest = write_version(tmp_path / "datasets" / "pole" / "v1", CARTPOLE, sample(CARTPOLE))
        recorded = manifest.model_copy(update={"env_id": "own:needed-v1"})
        await context.db.write(lambda conn: put_rows(conn, "pole", 1, recorded))
        for name in ("needed", "other"):
            await own.remove(name)
    assert [one.slug for one in folders.list_versions()] == ["needed"]
