"""Saved user code: the same addresses for rewards (/api/rewards) and evaluation code (/api/evaluation-codes)."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Response

from rl_lab.api.deps import ClientDep, WorkbenchDep
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
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

SERVED = {CodeKind.reward: "reward", CodeKind.evaluation: "evaluation_code"}
"""With the word that operations have for it."""

CodePath = Annotated[str, Path(max_length=64, description="Its name.", examples=["gentle"])]
CodeVersionPath = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the version.", examples=[3])]
EnvironmentQuery = Annotated[
    str | None, Query(max_length=200, description="Only what fits this environment.")
]


def make_router(kind: CodeKind) -> APIRouter:
    form, word = FORMS[kind], SERVED[kind]
    router = APIRouter(prefix=f"/api/{form.plural}", tags=["workbench"])

    @router.get("", operation_id=f"list_{word}s")
    async def list_codes(workbench: WorkbenchDep, env_id: EnvironmentQuery = None) -> list[Code]:
        """What is saved, the one changed last first."""
        return await workbench.codes.list(kind, env_id)

    @router.post("", operation_id=f"save_{word}", status_code=201)
    async def save_code(new: NewCode, response: Response, workbench: WorkbenchDep) -> CodeVersion:
        """Saves code as a new version; contents that this name has already make no new one. Nothing is executed."""
        saved = await workbench.codes.save(kind, new)
        response.headers["Location"] = f"/api/{form.plural}/{quote(saved.name)}/versions/{saved.version}"
        return saved

    @router.post("/check", operation_id=f"check_{word}")
    async def check_code(asked: CodeQuestion, workbench: WorkbenchDep, client: ClientDep) -> CodeCheck:
        """Tries code, saved or not, in a confined process on up to 1,000 steps; errors come with their line."""
        return await client.waits_for(workbench.checks.check(kind, asked))

    @router.get("/examples", operation_id=f"list_{word}_examples")
    async def list_code_examples(env_id: EnvironmentQuery = None) -> list[CodeExample]:
        """Working code to start from."""
        return list_examples(kind, env_id)

    @router.get("/{name}", operation_id=f"get_{word}")
    async def get_code(name: CodePath, workbench: WorkbenchDep) -> Code:
        """One name with its versions, newest first."""
        return await workbench.codes.get(kind, name)

    @router.patch("/{name}", operation_id=f"patch_{word}")
    async def patch_code(name: CodePath, patch: CodePatch, workbench: WorkbenchDep) -> Code:
        """Renames it, or changes its note or environment."""
        return await workbench.codes.change(kind, name, patch)

    @router.delete("/{name}", operation_id=f"delete_{word}")
    async def delete_code(name: CodePath, workbench: WorkbenchDep) -> Code:
        """Removes all versions. Returns what it was; runs that use it keep their copy."""
        return await workbench.codes.remove(kind, name)

    @router.get("/{name}/versions/{version}", operation_id=f"get_{word}_version")
    async def get_code_version(
        name: CodePath, version: CodeVersionPath, workbench: WorkbenchDep
    ) -> CodeVersion:
        """One version."""
        return await workbench.codes.get_version(kind, CodeChoice(name=name, version=version))

    @router.delete("/{name}/versions/{version}", operation_id=f"delete_{word}_version")
    async def delete_code_version(
        name: CodePath, version: CodeVersionPath, workbench: WorkbenchDep
    ) -> CodeVersion:
        """Removes a version, and with the last one the name. Returns what it was."""
        return await workbench.codes.remove_version(kind, name, version)

    return router


router = APIRouter()
for _kind in SERVED:
    router.include_router(make_router(_kind))
