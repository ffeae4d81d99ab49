"""Environments that the user wrote: saved and tried in a confined process; their ids are own:NAME-vN."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Response
from pydantic import Field

from rl_lab.api.deps import ClientDep, WorkbenchDep
from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import (
    Code,
    CodeCheck,
    CodeChoice,
    CodeExample,
    CodePatch,
    CodeQuestion,
    CodeVersion,
    NewCode,
)
from rl_lab.orchestrator.workbench.examples import list_examples

KIND = CodeKind.environment
router = APIRouter(prefix="/api/own-environments", tags=["workbench"])
NamePath = Annotated[str, Path(max_length=64, description="Its name.", examples=["grid world"])]
VersionPath = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the version.", examples=[2])]


class NewOwnEnvironment(NewCode):
    """An environment or a wrapper to save; `env_id` is the environment that a wrapper is tried around."""

    consent: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of the code: approval to run it on a machine that cannot confine it.",
    )


@router.get("", operation_id="list_own_environments")
async def list_own_environments(workbench: WorkbenchDep) -> list[Code]:
    """What is saved, the one changed last first."""
    return await workbench.codes.list(KIND)


@router.get("/examples", operation_id="list_own_environment_examples")
async def list_own_environment_examples() -> list[CodeExample]:
    """Working environments, and a wrapper, to begin with."""
    return list_examples(KIND)


@router.post("", operation_id="save_own_environment", status_code=201)
async def save_own_environment(
    new: NewOwnEnvironment, response: Response, workbench: WorkbenchDep
) -> CodeVersion:
    """Saves a version and tries it: Gymnasium's checker, determinism, NaN, speed, drawing."""
    saved = await workbench.own_environments.save(new, new.consent)
    response.headers["Location"] = f"/api/own-environments/{quote(saved.name)}/versions/{saved.version}"
    return saved


@router.post("/check", operation_id="check_own_environment")
async def check_own_environment(asked: CodeQuestion, workbench: WorkbenchDep, client: ClientDep) -> CodeCheck:
    """Tries code that is not saved, in a confined process."""
    return await client.waits_for(workbench.own_environments.check(asked))


@router.get("/{name}", operation_id="get_own_environment")
async def get_own_environment(name: NamePath, workbench: WorkbenchDep) -> Code:
    """One name with its versions, newest first."""
    return await workbench.codes.get(KIND, name)


@router.delete("/{name}", operation_id="delete_own_environment")
async def delete_own_environment(name: NamePath, workbench: WorkbenchDep) -> Code:
    """Removes all versions from the lists. Returns what it was; files that runs need stay."""
    return await workbench.own_environments.remove(name)


@router.patch("/{name}", operation_id="patch_own_environment")
async def patch_own_environment(name: NamePath, patch: CodePatch, workbench: WorkbenchDep) -> Code:
    """Changes its note, or the environment that a wrapper is tried around. The name is part of the ids in runs."""
    if patch.name is not None:
        raise InvalidInput.of_field(
            "name", "Runs name it by this name; save the code under another one instead."
        )
    return await workbench.codes.change(KIND, name, patch)


@router.delete("/{name}/versions/{version}", operation_id="delete_own_environment_version")
async def delete_own_environment_version(
    name: NamePath, version: VersionPath, workbench: WorkbenchDep
) -> CodeVersion:
    """Removes a version from the lists. Returns what it was; files that runs need stay."""
    return await workbench.own_environments.remove_version(name, version)


@router.get("/{name}/versions/{version}", operation_id="get_own_environment_version")
async def get_own_environment_version(
    name: NamePath, version: VersionPath, workbench: WorkbenchDep
) -> CodeVersion:
    """One version."""
    return await workbench.codes.get_version(KIND, CodeChoice(name=name, version=version))
