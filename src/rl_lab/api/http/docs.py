"""The API's documentation: the OpenAPI document, and a plain page made from it that loads nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(prefix="/api", tags=["lab"], include_in_schema=False)

STYLE = """body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
code{font-family:ui-monospace,monospace}h2{margin-top:2rem}h3{margin:1.2rem 0 0}p{margin:.2rem 0}
td{padding-right:1rem;vertical-align:top}"""


@router.get("/openapi.json")
async def get_openapi(request: Request) -> dict[str, Any]:
    document: dict[str, Any] = request.app.openapi()
    return document


@router.get("/docs")
async def get_docs(request: Request) -> HTMLResponse:
    return HTMLResponse(render(request.app.openapi()))


def render(document: dict[str, Any]) -> str:
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            section = by_tag.setdefault(operation.get("tags", ["other"])[0], [])
            section.append(_operation(method, path, operation))
    sections = "".join(f"<h2>{escape(tag)}</h2>{''.join(parts)}" for tag, parts in by_tag.items())
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>RL Lab API</title>'
        f"<style>{STYLE}</style></head><body><h1>RL Lab API {escape(document['info']['version'])}</h1>"
        f"<p>Send <code>Authorization: Bearer TOKEN</code>; the token is in the file <code>token</code> of the "
        f'lab’s home folder. Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p>'
        f"{sections}</body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
        f"<td>{escape(p.get('description', ''))}</td></tr>"
        for p in operation.get("parameters", ())
        if p["in"] != "path"
    )
    return (
        f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
        f"<p>{escape(operation.get('description', ''))}</p>{f'<table>{rows}</table>' if rows else ''}"
    )
