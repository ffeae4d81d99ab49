"""Views of the table of runs that users saved."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.saved_views import MAX_VIEWS, SavedView, ViewContents
from rl_lab.orchestrator.context import Context
from rl_lab.store.experiments import views


class SavedViews:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def list_all(self) -> list[SavedView]:
        return await self._db.read(views.list_all)

    async def put(self, name: str, contents: ViewContents) -> list[SavedView]:
        def work(conn: Connection) -> list[SavedView]:
            known = views.list_all(conn)
            if len(known) >= MAX_VIEWS and all(view.name != name for view in known):
                raise InvalidInput.of_field(
                    "name", f"There are {MAX_VIEWS} saved views already; delete one first."
                )
            views.put(conn, name, contents)
            return views.list_all(conn)

        return await self._db.write(work)

    async def remove(self, name: str) -> list[SavedView]:
        def work(conn: Connection) -> list[SavedView]:
            if not views.remove(conn, name):
                raise NotFound(f"There is no view called “{name}”.", next_step="`rl-lab views` lists them.")
            return views.list_all(conn)

        return await self._db.write(work)
