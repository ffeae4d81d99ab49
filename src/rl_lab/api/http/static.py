"""The built page: files under static/, and index.html for every address that the page routes itself."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).resolve().parents[2] / "static"

NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>RL Lab</title></head><body>
<h1>RL LAB // GYM MANAGER</h1>
<p>The lab is running, but its page has not been built in this installation.</p>
<p>Next: run <code>python hatch_build.py</code> in the source folder and load this page again.</p>
<p>Meanwhile everything is at hand in a terminal (<code>rl-lab --help</code>) and over HTTP
(<a href="/api/docs">/api/docs</a>).</p>
</body></html>
"""


class Page(StaticFiles):
    """Assets have their hash in their name and are cached forever; index.html is requested each time."""

    def __init__(self, folder: Path = STATIC) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder

    async def get_response(self, path: str, scope: Scope) -> Response:
        # Both forms: `path` is normalised, and /api/../x must not become the page.
        if scope["path"].startswith("/api") or path == "api" or path.startswith("api/"):
            raise HTTPException(404)
        try:
            response = await super().get_response("index.html" if path == "." else path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_route(path):
                raise
            return await self._index(scope)
        immutable = path.startswith("assets/")
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if immutable else "no-cache"
        return response

    async def _index(self, scope: Scope) -> Response:
        if not (self._folder / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, status_code=200)
        response = await super().get_response("index.html", scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _is_route(path: str) -> bool:
    return "." not in path.rsplit("/", 1)[-1] or path == "."
