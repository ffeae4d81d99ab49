"""A certificate: the proof that a run was repeated, as JSON for programs and as a text and a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape

from pydantic import BaseModel, Field

from rl_lab.core.reproduction.verifications import VerificationResult

TITLE = "Certificate of reproduction"


class Certificate(BaseModel):
    """Who compared what with what, when, and what came out."""

    title: str = TITLE
    run_id: str = Field(description="The run that was verified.")
    run_name: str
    verification_id: str = Field(description="The run that trained it again.")
    at: datetime
    lab_version: str
    result: VerificationResult
    here_sha256: str = Field(default="", description="Hash of the snapshot of the process that compared.")


def certificate_rows(certificate: Certificate) -> list[tuple[str, str]]:
    result = certificate.result
    rows = [
        ("Run", f"{certificate.run_name} ({certificate.run_id})"),
        ("Verdict", result.verdict),
        ("Compared", result.amounts),
        ("Date", certificate.at.isoformat(timespec="seconds")),
        ("RL Lab", certificate.lab_version),
        ("Verification", certificate.verification_id),
        ("Configuration, SHA-256", result.config_sha256),
        ("Snapshot of the run, SHA-256", result.snapshot_sha256 or "none"),
        ("Snapshot of the verification, SHA-256", certificate.here_sha256 or "none"),
        ("Recorded events, SHA-256", result.recorded_sha256),
        ("Repeated events, SHA-256", result.found_sha256),
    ]
    if result.verdict != "identical":
        rows.insert(2, ("Judged by", result.sentence))
    return rows + [("Note", note) for note in result.notes]


def to_text(title: str, rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join([title, "=" * len(title), "", *(f"{name}: {value}" for name, value in rows), ""])


def to_html(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """One static page that loads nothing."""
    cells = "\n".join(
        f"<tr><th scope=row>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows
    )
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'>"
        f"<title>{title}</title>\n<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;"
        "padding:0 1rem;color-scheme:light dark}th{text-align:left;padding-right:2rem;vertical-align:top;"
        "font-weight:600}td{overflow-wrap:anywhere}tr+tr>*{border-top:1px solid #8884}th,td{padding-block:.4rem}"
        f"</style>\n<h1>{title}</h1>\n<table>\n{cells}\n</table>\n</html>\n"
    )
