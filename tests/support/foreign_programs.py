"""A program of the user's in a running lab: previewed, approved and started over HTTP, as a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.server import Server

FINAL = ("succeeded", "failed", "stopped", "lost")


def run_program(lab: Server, path: Path, text: str, **params: Any) -> dict[str, Any]:
    """Writes an executable that speaks the protocol and runs it confined, until it has succeeded."""
    path.write_text(text)
    path.chmod(0o755)
    wanted = {"runner": "program", "algorithm": "protocol", "params": {"command": [str(path)], **params}}
    preview = lab.client.post("/api/commands/preview", json=wanted)
    assert preview.status_code == 200, preview.text
    body = {**wanted, "start": True, "consent": preview.json()["sha256"]}
    created = lab.client.post("/api/runs", json=body)
    assert created.status_code == 201, created.text
    run = lab.wait(created.json()["id"], *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    return run
