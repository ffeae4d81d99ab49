"""A line of a run's event log, and what a type of line is. The types themselves are in `event_log.py`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, WithJsonSchema

Level = Literal["debug", "info", "warning", "error"]
SCHEMA = {"anyOf": [{"$ref": "#/components/schemas/EventType"}, {"type": "string"}]}
"""Types of other versions of the lab, and the codes of scripts, are served as they are."""


FORMER_NAMES = {f"evaluate_{moment}": f"evaluation_{moment}" for moment in ("started", "complete", "ended")}
"""Types in logs of earlier versions, and their names of today."""


def _current_name(type: str) -> str:
    return FORMER_NAMES.get(type, type)


class RunEvent(BaseModel, frozen=True):
    """One line of a run's event log."""

    id: int
    run_id: str
    at: datetime
    level: Level = "info"
    type: Annotated[str, AfterValidator(_current_name), WithJsonSchema(SCHEMA)]
    message: str
    data: dict[str, Any] = {}


@dataclass(frozen=True)
class EventType:
    """A type of line; `level` is the usual one, `example` a message as a user sees it."""

    name: str
    level: Level = "info"
    meaning: str = ""
    example: str = ""
