"""Saved views of the table of runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from rl_lab.api.deps import RunsDep
from rl_lab.core.saved_views import SavedView, ViewContents, ViewName

router = APIRouter(prefix="/api/views", tags=["views"])

Name = Annotated[ViewName, Path(description="Name of the view.")]


class ViewList(BaseModel):
    items: list[SavedView]


@router.get("", operation_id="list_views")
async def list_views(runs: RunsDep) -> ViewList:
    """All saved views, by name."""
    return ViewList(items=await runs.views.list_all())


@router.put("/{name}", operation_id="put_view")
async def put_view(name: Name, contents: ViewContents, runs: RunsDep) -> ViewList:
    """Saves a view; one of the same name is replaced. Returns all views."""
    return ViewList(items=await runs.views.put(name, contents))


@router.delete("/{name}", operation_id="delete_view")
async def delete_view(name: Name, runs: RunsDep) -> ViewList:
    """Deletes a view. Returns the others."""
    return ViewList(items=await runs.views.remove(name))
