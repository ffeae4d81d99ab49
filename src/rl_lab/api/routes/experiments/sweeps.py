"""What the variants of a study show: importance of the parameters, slices over one, a surface over two."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from rl_lab.api.deps import StudyId, SweepViewsDep
from rl_lab.core.studies.sweep_views import Importance, Slices, Surface

router = APIRouter(prefix="/api/studies", tags=["studies"])

ParameterName = Annotated[
    str | None,
    Query(
        max_length=200, description="One of the parameters that the study varies; absent: the first other."
    ),
]


@router.get("/{study_id}/importance", operation_id="get_study_importance")
async def get_study_importance(study_id: StudyId, views: SweepViewsDep) -> Importance:
    """How much each parameter has to do with a variant being among the best; `text` says it, or why it is not known."""
    return await views.importance(study_id)


@router.get("/{study_id}/slices", operation_id="get_study_slices")
async def get_study_slices(study_id: StudyId, views: SweepViewsDep) -> Slices:
    """Per parameter the result of each variant, with the range of its seeds."""
    return await views.slices(study_id)


@router.get("/{study_id}/surface", operation_id="get_study_surface")
async def get_study_surface(
    *, study_id: StudyId, views: SweepViewsDep, x: ParameterName = None, y: ParameterName = None
) -> Surface:
    """The result over two parameters, interpolated between the variants; null where none is near."""
    return await views.surface(study_id, x, y)
