"""The user's code that the environment of a new run is made of: exact versions, and approval of what was saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.core.errors import ConsentNeeded, InvalidInput
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode, code_hash
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.own_code import OwnCode
from rl_lab.orchestrator.runs.requests import Again, NewRun, repeat_of
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes

pytestmark = pytest.mark.anyio
PACKAGE = "# --- file: environment.py\r\nfrom other import x\r\n\n\n\n# --- file: other.py\r\nx = 1\r\n"


async def save(context: Context, name: str, source: str) -> None:
    new = NewCode(name=name, source=source)
    saved = await context.db.write(lambda conn: codes.save(conn, CodeKind.environment, new))
    OwnEnvironmentFolders(context.home).write(OwnEnvironment(saved.name, saved.version), source)


def asked(env_id: str = "CartPole-v1", code: str | None = None) -> NewRun:
    kwargs: dict[str, Any] = {"wrappers": [{"id": "custom", "code": code}]} if code is not None else {}
    return NewRun(env_id=env_id, algorithm="ppo", runner="turbo", env_kwargs=kwargs)


async def test_names_become_exact_versions(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save(context, "grid", "x = 1\n")
        await save(context, "grid", "x = 2\n")
        done = await OwnCode(context).complete(asked("own:grid", "grid"))
        older = await OwnCode(context).complete(asked(code="grid@v1"))
    assert done.env_id == "own:grid-v2"
    assert done.env_kwargs == {"wrappers": [{"id": "custom", "code": "grid@v2"}]}
    assert older.env_kwargs == {"wrappers": [{"id": "custom", "code": "grid@v1"}]}


@pytest.mark.parametrize(
    ("env_id", "code", "field"),
    [
        ("own:x@v0", None, "env_id"),
        ("own:" + "a" * 70, None, "env_id"),
        ("own:", None, "env_id"),
        ("CartPole-v1", "x@v0", "env_kwargs.wrappers"),
        ("CartPole-v1", "x@v" + "9" * 5000, "env_kwargs.wrappers"),
        ("CartPole-v1", "@", "env_kwargs.wrappers"),
        ("CartPole-v1", "nothing", "env_kwargs.wrappers"),
    ],
)
async def test_what_is_no_code_is_an_error_of_its_field(
    tmp_path: Path, env_id: str, code: str | None, field: str
) -> None:
    async with temporary_context(tmp_path) as context:
        with pytest.raises(InvalidInput) as caught:
            await OwnCode(context).complete(asked(env_id, code))
    (error,) = caught.value.errors
    assert error.field == field
    assert "is not a saved environment" in error.message or "There is no environment" in error.message
    assert len(error.message) < 300


async def test_a_run_again_names_the_wrapper_that_was_deleted_and_what_to_do(tmp_path: Path) -> None:
    kwargs = {"wrappers": [{"id": "custom", "code": "slower@v1"}]}
    async with temporary_context(tmp_path) as context:
        await save(context, "slower", "x = 1\n")
        run = await add_run(context, config=CONFIG.model_copy(update={"env_kwargs": kwargs}))
        again = repeat_of(run, Again())
        assert (await OwnCode(context).complete(again)).env_kwargs == kwargs
        await context.db.write(lambda conn: codes.remove(conn, CodeKind.environment, "slower"))
        with pytest.raises(InvalidInput) as caught:
            await OwnCode(context).complete(again)
    (error,) = caught.value.errors
    assert error.field == "env_kwargs.wrappers"
    assert error.message.startswith("The wrapper “slower@v1” is not saved in this lab. Leave it out, or save")


async def test_what_was_approved_when_it_was_saved_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of a package, joined again, have other empty lines and line ends."""
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux"))
    config = CONFIG.model_copy(update={"env_id": "own:grid-v1"})
    async with temporary_context(tmp_path) as context:
        await save(context, "grid", PACKAGE)
        own = OwnCode(context)
        with pytest.raises(ConsentNeeded) as refused:
            await own.require_consent(config, None)
        assert [one.allowed for one in refused.value.errors] == [[code_hash(PACKAGE)]]
        await own.require_consent(config, code_hash(PACKAGE))
        await own.require_consent(config, None)


async def test_files_without_a_saved_version_are_approved_by_their_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux"))
    config = CONFIG.model_copy(update={"env_id": "own:grid-v1"})
    async with temporary_context(tmp_path) as context:
        OwnEnvironmentFolders(context.home).write(OwnEnvironment("grid", 1), "x = 1\n")
        with pytest.raises(ConsentNeeded):
            await OwnCode(context).require_consent(config, None)
        await OwnCode(context).require_consent(config, code_hash("x = 1\n"))
