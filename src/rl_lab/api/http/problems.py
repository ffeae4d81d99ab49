"""Errors as they are sent to clients: every one is `application/problem+json`. A full disk is translated here."""

from __future__ import annotations

import errno
import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from rl_lab.core.errors import (
    FieldError,
    InvalidInput,
    LabError,
    NotFound,
    Problem,
    StorageFull,
    TooManyTries,
)
from rl_lab.core.words.validation_messages import plain_message
from rl_lab.store.sql.database import is_disk_full

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger("rl_lab.api")
_problem = TypeAdapter(Problem)

NEXT_STEPS = {
    404: "GET /api/docs lists every address of the lab.",
    405: "GET /api/docs lists what each address accepts.",
    413: "Send a smaller body; 1 MiB is the limit.",
    415: "Send the body as JSON with Content-Type: application/json.",
}
LISTED = {
    "run": "The page Runs and `rl-lab runs` list all runs.",
    "artifact": "The tab Artifacts of a run lists its files.",
    "episode": "The tab Episodes of a run lists its episodes.",
}
"""Where a visitor finds what there is."""
BOUNDS = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "expected", "multiple_of")


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    return Response(
        _as_json(problem),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=dict(headers or {}),
    )


def _as_json(problem: Problem) -> bytes:
    try:
        return _problem.dump_json(problem, exclude_none=True)
    except PydanticSerializationError:
        # It quotes text that cannot be encoded, such as a file name that is no UTF-8.
        found = _problem.dump_python(problem, exclude_none=True)
        return json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")


def plain_problem(error: LabError) -> dict[str, Any]:
    """For a message over a socket."""
    found: dict[str, Any] = _problem.dump_python(error.problem(), exclude_none=True)
    return found


def status_problem(status: int, detail: str) -> Problem:
    """A problem without a class: a request that the framework itself refuses."""
    title = HTTPStatus(status).phrase
    slug = title.lower().replace(" ", "-")
    return Problem(
        type=f"urn:rl-lab:{slug}", title=title, status=status, detail=detail, next_step=NEXT_STEPS.get(status)
    )


def install_problems(app: FastAPI) -> None:
    app.add_exception_handler(LabError, _lab_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_exception)
    for kind in (SQLAlchemyError, OSError):
        app.add_exception_handler(kind, _storage_error)
    app.add_exception_handler(Exception, _unexpected)


def _lab_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, LabError)
    return problem_response(error.problem(), headers_of(error))


def _storage_error(_: Request, error: Exception) -> Response:
    """A full disk is the user's to solve; any other error of the database or a file is the lab's, and raised on."""
    is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if not is_full and not is_disk_full(error):
        raise error
    full = StorageFull(
        "The disk is full, so this could not be stored.", next_step="Free some space and try again."
    )
    return problem_response(full.problem())


def headers_of(error: LabError) -> dict[str, str] | None:
    if isinstance(error, TooManyTries):
        return {"Retry-After": str(error.retry_after_s)}
    return {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else None


def _validation_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [dict(one) for one in error.errors()]
    for one in found:
        if one["loc"][0] == "path":
            return problem_response(_nothing_called(one).problem())
    return problem_response(InvalidInput.of_fields([field_error(one) for one in found[:50]]).problem())


def _nothing_called(error: Mapping[str, Any]) -> NotFound:
    """An address with an id that no object can have."""
    noun = str(error["loc"][-1]).removesuffix("_id").replace("_", " ")
    return NotFound(f"There is no {noun} called “{str(error['input'])[:80]}”.", next_step=LISTED.get(noun))


def field_error(error: Mapping[str, Any]) -> FieldError:
    """One of pydantic's errors as a FieldError: the field without the leading `body` or `query`, and its bounds."""
    place = [str(part) for part in error["loc"]]
    if place and place[0] in {"body", "query", "path", "header"}:
        place = place[1:] or place
    if error["type"] == "json_invalid":
        return FieldError(field="body", message="The body is not valid JSON.")
    context = error.get("ctx") or {}
    bounds = {key: context[key] for key in BOUNDS if key in context}
    return FieldError(field=".".join(place), message=plain_message(error), allowed=_plain(bounds))


def _plain(bounds: dict[str, Any]) -> Any:
    if not bounds:
        return None
    return bounds.get("expected", bounds)


def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = error.detail
    if error.status_code == HTTPStatus.NOT_FOUND and detail == HTTPStatus.NOT_FOUND.phrase:
        detail = f"There is nothing at {request.url.path[:200]}."
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        detail = f"{request.method[:20]} is not possible at {request.url.path[:200]}."
    return problem_response(status_problem(error.status_code, detail), error.headers)


def _unexpected(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    problem = status_problem(500, f"The lab made a mistake while answering ({type(error).__name__}).")
    problem.next_step = "Try again; the cause is in the lab's own output in the terminal."
    return problem_response(problem)
