"""Jobs that use a trained policy: one POST per kind, made from the table of kinds in `core/jobs/kinds.py`."""

from __future__ import annotations

from inspect import Parameter, Signature
from string import Formatter
from typing import Any

from fastapi import APIRouter

from rl_lab.api.deps import EpisodeNumber, JobsDep, RunId
from rl_lab.core.jobs.kinds import KINDS, JobKind
from rl_lab.core.runs import Run

router = APIRouter(prefix="/api", tags=["jobs"])

PATH_PARAMETERS: dict[str, Any] = {"run_id": RunId, "episode": EpisodeNumber}


def _add_route(kind: JobKind) -> None:
    async def create(options: Any, jobs: JobsDep, **address: Any) -> Run:
        given = options.model_dump(exclude_unset=True)  # a protocol has to know what was not asked for
        return await jobs.start(kind.config(**address, **given))  # type: ignore[arg-type]

    # FastAPI reads the signature: this kind's path parameters and its options as the body.
    names = [name for _, name, _, _ in Formatter().parse(kind.path) if name]
    annotations = {
        **{name: PATH_PARAMETERS[name] for name in names},
        "options": kind.options,
        "jobs": JobsDep,
    }
    create.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.KEYWORD_ONLY, annotation=found) for name, found in annotations.items()],
        return_annotation=Run,
    )
    router.add_api_route(
        kind.path,
        create,
        methods=["POST"],
        status_code=202,
        operation_id=f"create_{kind.noun}",
        summary=f"Create {kind.noun.capitalize()}",
        description=f"{kind.options.__doc__} Starts a run of its own, in its own process.",
    )


for _kind in KINDS.values():
    _add_route(_kind)
