"""Reports as answers: their media types, file names, and the policy under which a browser shows one."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import Response

from rl_lab.analysis.reports.style import POLICY
from rl_lab.api.http.files import disposition
from rl_lab.core.words.file_names import file_name

ReportFormat = Literal["json", "text", "html"]
ComparisonFormat = Literal["json", "text", "html", "markdown"]
MEDIA_TYPES = {
    "json": "application/json",
    "text": "text/plain",
    "html": "text/html",
    "markdown": "text/markdown",
}
SUFFIXES = {"json": ".json", "text": ".txt", "html": ".html", "markdown": ".md"}
RUN_REPORTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPES[form]: {} for form in ("json", "text", "html")}}
}
COMPARISON_REPORTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {media: {} for media in MEDIA_TYPES.values()}}
}
REPORT_POLICY = f"sandbox; {POLICY}"


def report_response(text: str, form: ComparisonFormat, subject: str) -> Response:
    return Response(
        text,
        media_type=MEDIA_TYPES[form],
        headers={
            "Content-Disposition": disposition(file_name(subject, "report", SUFFIXES[form]), inline=True),
            "Content-Security-Policy": REPORT_POLICY,
        },
    )
