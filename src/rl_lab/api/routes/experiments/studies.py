"""Studies: create, find, look, label, move, delete and bring back; more seeds, confirmations, files, templates."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from rl_lab.api.deps import Cursor, Limit, StudiesDep, StudyId
from rl_lab.api.routes.runs import MoveBody
from rl_lab.core.runs import Move
from rl_lab.core.studies.studies import Study, StudyStatus, Variant
from rl_lab.orchestrator.experiments.requests import MoreSeeds, NewConfirmation, NewStudy, StudyPatch
from rl_lab.orchestrator.experiments.study_files import as_yaml, study_file
from rl_lab.orchestrator.experiments.templates import StudyTemplate
from rl_lab.store.experiments.studies import STUDY_SORTS, StudyFilter

router = APIRouter(prefix="/api/studies", tags=["studies"])

LABELS: dict[Move, str] = {
    "start": "Puts the runs of a created study into the queue.",
    "pause": "Holds back the runs that wait; those that run continue.",
    "resume": "Lets a paused study continue; a stopped or failed one trains what is missing.",
    "stop": "Stops its running runs and takes the others out of the queue.",
}
REFUSED: dict[int | str, dict[str, Any]] = {409: {"description": "The state of the study forbids it"}}
StudySort = Annotated[
    str,
    Query(
        pattern=f"^-?({'|'.join(STUDY_SORTS)})$",
        description=f"One of {', '.join(STUDY_SORTS)}; a leading - reverses it.",
    ),
]


class StudyPage(BaseModel):
    items: list[Study]
    next_cursor: str | None
    total: int


class VariantList(BaseModel):
    items: list[Variant]


class TemplateList(BaseModel):
    items: list[StudyTemplate]


@router.post("", operation_id="create_study", status_code=201)
async def create_study(new: NewStudy, response: Response, studies: StudiesDep) -> Study:
    """Creates a study, from fields or from a study file; with `start` its runs go into the queue at once."""
    study = await studies.create(new)
    response.headers["Location"] = f"/api/studies/{study.id}"
    return study


@router.get("", operation_id="list_studies")
async def list_studies(
    *,
    studies: StudiesDep,
    status: Annotated[list[StudyStatus] | None, Query(max_length=10)] = None,
    q: Annotated[
        str, Query(max_length=200, description="Words of the name, question, notes, environment or tags.")
    ] = "",
    sort: StudySort = "-created_at",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> StudyPage:
    """A page of studies, newest first unless told otherwise."""
    wanted = StudyFilter(status=tuple(status or ()), q=q)
    page = await studies.list_page(wanted, sort=sort, limit=limit, cursor=cursor)
    return StudyPage(items=page.items, next_cursor=page.next_cursor, total=page.total)


@router.get("/templates", operation_id="list_study_templates")
async def list_study_templates(
    *,
    studies: StudiesDep,
    env_id: Annotated[str, Query(max_length=200)],
    algorithm: Annotated[str, Query(min_length=1, max_length=64)],
    runner: Annotated[str, Query(max_length=64)] = "sb3",
) -> TemplateList:
    """Ready plans for this environment and algorithm; each can be posted as it is, or edited first."""
    return TemplateList(items=await studies.templates(env_id, algorithm, runner))


@router.get("/{study_id}", operation_id="get_study")
async def get_study(study_id: StudyId, studies: StudiesDep) -> Study:
    """One study, with the moves it allows now."""
    return await studies.get(study_id)


@router.patch("/{study_id}", operation_id="patch_study")
async def patch_study(study_id: StudyId, patch: StudyPatch, studies: StudiesDep) -> Study:
    """Changes name, question, tags, notes or priority; what is absent stays."""
    return await studies.patch(study_id, patch)


@router.delete("/{study_id}", operation_id="delete_study", responses=REFUSED)
async def delete_study(study_id: StudyId, studies: StudiesDep) -> Study:
    """Deletes a study with its runs; for a while `restore` brings them back."""
    return await studies.delete(study_id)


@router.post("/{study_id}/restore", operation_id="restore_study")
async def restore_study(study_id: StudyId, studies: StudiesDep) -> Study:
    """Brings a deleted study back, with the runs that were deleted with it."""
    return await studies.restore(study_id)


@router.get("/{study_id}/variants", operation_id="list_variants")
async def list_variants(study_id: StudyId, studies: StudiesDep) -> VariantList:
    """Its configurations with state, value, seeds and runs."""
    return VariantList(items=await studies.list_variants(study_id))


@router.post("/{study_id}/seeds", operation_id="add_seeds", status_code=202)
async def add_seeds(study_id: StudyId, more: MoreSeeds, studies: StudiesDep) -> Study:
    """Trains variants with more seeds; a study that had ended continues."""
    return await studies.add_seeds(study_id, more)


@router.post("/{study_id}/confirmations", operation_id="confirm_variant", status_code=201)
async def confirm_variant(
    study_id: StudyId, wanted: NewConfirmation, response: Response, studies: StudiesDep
) -> Study:
    """A new study that trains a variant again with fresh seeds, next to the base."""
    study = await studies.confirm(study_id, wanted)
    response.headers["Location"] = f"/api/studies/{study.id}"
    return study


@router.get("/{study_id}/file", operation_id="get_study_file", response_model=dict[str, Any])
async def get_study_file(
    study_id: StudyId, studies: StudiesDep, format: Literal["json", "yaml"] = "json"
) -> Any:
    """The plan as a file that can be edited and posted again, here or in another lab."""
    file = study_file(await studies.get(study_id))
    return Response(as_yaml(file), media_type="application/yaml") if format == "yaml" else file


def _add_move(move: Move) -> None:
    async def ask(study_id: StudyId, studies: StudiesDep, body: MoveBody | None = None) -> Study:
        return await studies.move(study_id, move)

    router.add_api_route(
        f"/{{study_id}}/{move}",
        ask,
        methods=["POST"],
        operation_id=f"{move}_study",
        status_code=202,
        summary=f"{move.capitalize()} Study",
        description=f"{LABELS[move]} 409 with the allowed moves when its state forbids it.",
        responses=REFUSED,
    )


for _move in LABELS:
    _add_move(_move)
