"""A view of the table of runs, saved under a name: what is listed, in which order, with which columns."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

ViewName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
MAX_VIEWS = 200

SearchText = Annotated[str, StringConstraints(max_length=200)]


class ViewContents(BaseModel):
    model_config = ConfigDict(extra="forbid")

    search: dict[Annotated[str, StringConstraints(max_length=40)], SearchText | bool] = Field(
        default={}, max_length=20, description="Parameters of the list: q, status, kind, sort, tag, archived."
    )
    columns: list[SearchText] = Field(
        default=[], max_length=100, description="Columns of the table, in order."
    )


class SavedView(ViewContents):
    name: ViewName


def view_of(row: Any) -> SavedView:
    return SavedView(name=row.name, **row.view)
