"""The OpenAPI document of the API."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, get_args, get_type_hints

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import Field, TypeAdapter, create_model

from rl_lab.api.http.problems import MEDIA_TYPE
from rl_lab.api.http.tokens import KEY_HEADER, VIEW_KEY
from rl_lab.core.errors import Problem
from rl_lab.core.event_log import EVENT_TYPES
from rl_lab.core.job_file import Job, PolicyInput
from rl_lab.core.jobs.kinds import KINDS
from rl_lab.core.plays.messages import PlayMessage
from rl_lab.core.protocol.ticks import Tick
from rl_lab.core.workbench.bench import BenchMessage
from rl_lab.guardian.files import ExitRecord, Launch
from rl_lab.portable.frame_protocol import HEADERS

PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
REPLACED = ("HTTPValidationError", "ValidationError")
REFUSALS = {"401": "No token, or a wrong one", "403": "A foreign Host or Origin"}


SECURITY_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "Content of `<home>/token`: for scripts."},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "rl_lab_*",
        "description": "From `POST /api/session`; its name ends with eight digits that differ per lab. "
        "Never enough alone, because a browser sends it to every port of the host.",
    },
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": KEY_HEADER,
        "description": "`key` of `POST /api/session`, kept by the page.",
    },
    "view_key": {
        "type": "apiKey",
        "in": "query",
        "name": VIEW_KEY,
        "description": "`view_key` of `POST /api/session`: for pictures, downloads, event streams and sockets.",
    },
}
SIGNED_IN: dict[str, list[str]] = {"cookie": [], "key": []}
SIGNED_IN_TO_READ: dict[str, list[str]] = {"cookie": [], "view_key": []}


def install_openapi(app: FastAPI) -> None:
    """Completes the document: every error is a Problem, and a token gives access to everything."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _drop_default(schema: dict[str, Any]) -> None:
    del schema["default"]


MAY_BE_ABSENT = Field(default=None, json_schema_extra=_drop_default)
"""For a field that is left out when it has no value; it is never null."""


def describe(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    results = (kind.result for kind in KINDS.values())
    messages = [*get_args(get_args(PlayMessage)[0]), *get_args(get_args(BenchMessage)[0])]
    records = map(_as_model, (Launch, ExitRecord, *HEADERS))
    for model in (Problem, Tick, Job, PolicyInput, *results, *messages, *records):
        for name, schema in _schemas_of(model).items():
            schemas.setdefault(name, schema)
    schemas["EventType"] = _event_types()
    for name in REPLACED:
        schemas.pop(name, None)
    components["securitySchemes"] = SECURITY_SCHEMES
    document["security"] = [{"token": []}, SIGNED_IN]
    operations = [one for path in document["paths"].values() for one in path.values()]
    for path in document["paths"].values():
        if "get" in path and path["get"].get("security") != []:
            path["get"]["security"] = [*document["security"], SIGNED_IN_TO_READ]
    _require_response_fields(operations, schemas)
    for operation in operations:
        _describe_errors(operation)
    return document


def _event_types() -> dict[str, Any]:
    """The types of event-log lines that this lab writes."""
    meanings = "\n".join(f"- `{name}`: {found.meaning}" for name, found in EVENT_TYPES.items())
    return {"type": "string", "title": "EventType", "enum": list(EVENT_TYPES), "description": meanings}


def _schemas_of(model: type[Any]) -> dict[str, Any]:
    """Models that clients get, but that no route returns as JSON."""
    schema = TypeAdapter(model).json_schema(ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), model.__name__: schema}


def _require_response_fields(operations: list[dict[str, Any]], schemas: dict[str, Any]) -> None:
    """A response carries every field, also those with a default; only a request may leave them out.

    A Problem is the exception: it is sent without the fields that are null.
    """
    requests = [operation.get("requestBody", {}) for operation in operations]
    responses = [operation["responses"] for operation in operations]
    whole = _schema_names(responses, schemas) | {Tick.__name__}
    partial = _schema_names([requests, {"$ref": f"/{Problem.__name__}"}], schemas)
    for name in whole - partial:
        if "properties" in schemas[name]:
            schemas[name]["required"] = sorted(schemas[name]["properties"])


def _schema_names(part: Any, schemas: dict[str, Any]) -> set[str]:
    """The names of all schemas that `part` of the document refers to, directly or through another schema."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        match waiting.pop():
            case {"$ref": str(ref)}:
                name = ref.rsplit("/", 1)[-1]
                if name in schemas and name not in found:
                    found.add(name)
                    waiting.append(schemas[name])
            case dict() as fields:
                waiting.extend(fields.values())
            case list() as items:
                waiting.extend(items)
    return found


@cache
def _as_model(record: Any) -> type[Any]:
    """A named tuple or a typed dict as a pydantic model: pydantic itself describes the first as an array."""
    hints = get_type_hints(record)
    defaults: dict[str, Any] = dict.fromkeys(getattr(record, "__optional_keys__", ()), MAY_BE_ABSENT)
    for name, value in getattr(record, "_field_defaults", {}).items():
        defaults[name] = value._asdict() if hasattr(value, "_asdict") else value
    fields: dict[str, Any] = {n: (_object_type(hint), defaults.get(n, ...)) for n, hint in hints.items()}
    model: type[Any] = create_model(record.__name__, __doc__=record.__doc__, **fields)
    return model


def _object_type(hint: Any) -> Any:
    if isinstance(hint, UnionType):
        return reduce(or_, map(_object_type, get_args(hint)))
    return _as_model(hint) if hasattr(hint, "_field_defaults") else hint


def _describe_errors(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if operation.get("security") != []:
        responses.update({status: {"description": text} for status, text in REFUSALS.items()})
    if any(p["in"] == "path" for p in operation.get("parameters", ())):
        responses["404"] = {"description": "Nothing has this id"}
    responses["default"] = {"description": "Any other problem"}
    for status, response in responses.items():
        if status == "default" or status[0] in "45":
            response["content"] = PROBLEM
