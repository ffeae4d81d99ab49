"""The built page: files under static/, and index.html for every address that the page routes itself."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from rl_lab.api.http.compression import accepted_encodings

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


COPIES = {"br": ".br", "gzip": ".gz"}
"""Encodings of the copies that web/plugins/compress.ts writes, the smaller first."""


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
            response = await self._smallest("index.html" if path == "." else path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_route(path):
                raise
            return await self._index(scope)
        immutable = path.startswith("assets/")
        if immutable:
            # Its name changes with its contents, so nobody asks when it was changed.
            del response.headers["Last-Modified"]
            del response.headers["Accept-Ranges"]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if immutable else "no-cache"
        return response

    async def _index(self, scope: Scope) -> Response:
        if not (self._folder / "index.html").is_file():
            return HTMLResponse(NOT_BUILT, status_code=200)
        response = await self._smallest("index.html", scope)
        response.headers["Cache-Control"] = "no-cache"
        return response

    async def _smallest(self, path: str, scope: Scope) -> Response:
        """The compressed copy that the client accepts and the build has made, else the file itself."""
        accepted = accepted_encodings(Headers(scope=scope).get("accept-encoding", ""))
        for encoding, suffix in COPIES.items():
            if encoding in accepted and self.lookup_path(path + suffix)[1] is not None:
                response = await super().get_response(path + suffix, scope)
                response.headers["Content-Encoding"] = encoding
                response.headers["Content-Type"] = _content_type(path)
                response.headers["Vary"] = "Accept-Encoding"
                return response
        response = await super().get_response(path, scope)
        response.headers["Vary"] = "Accept-Encoding"
        return response


def _content_type(path: str) -> str:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _is_route(path: str) -> bool:
    return "." not in path.rsplit("/", 1)[-1] or path == "."
