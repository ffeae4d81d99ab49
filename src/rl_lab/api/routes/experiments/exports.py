"""Runs and studies as one file: a table, a figure, a page, event files."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from starlette.responses import StreamingResponse

from rl_lab.api.deps import ExportsDep
from rl_lab.api.http.files import disposition
from rl_lab.api.http.reports import REPORT_POLICY
from rl_lab.core.reproduction.exports import ExportRequest
from rl_lab.orchestrator.experiments.exports import MEDIA_TYPES, Export

router = APIRouter(prefix="/api/exports", tags=["exports"])

FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {media.partition(";")[0]: {} for media in MEDIA_TYPES.values()}}
}


@router.get("", operation_id="get_export", response_class=Response, responses=FILES)
async def get_export(wanted: Annotated[ExportRequest, Query()], exports: ExportsDep) -> Response:
    """Every point, episode or run of these runs and studies in one table; or their curves, report or event files.

    The file is sent while it is made, so a table of any size takes no memory.
    """
    return _answer(await exports.open(wanted))


@router.post("", operation_id="make_export", response_class=Response, responses=FILES)
async def make_export(wanted: ExportRequest, exports: ExportsDep) -> Response:
    """The same for more runs than fit an address."""
    return _answer(await exports.open(wanted))


def _answer(export: Export) -> Response:
    headers = {
        "Content-Disposition": disposition(export.name),
        # A page or a picture that names other resources loads none of them.
        "Content-Security-Policy": REPORT_POLICY,
    }
    return StreamingResponse(export.chunks, media_type=export.media_type, headers=headers)
