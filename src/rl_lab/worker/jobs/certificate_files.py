"""Writes a certificate as JSON, text and page; listed among the files of the job and of its training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel

from rl_lab.core.reproduction.certificates import to_html, to_text
from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.session import Session


def write_certificate(
    session: Session, stem: str, *, title: str, certificate: BaseModel, rows: Sequence[tuple[str, str]]
) -> None:
    texts = {
        "json": certificate.model_dump_json(indent=2) + "\n",
        "txt": to_text(title, rows),
        "html": to_html(title, rows),
    }
    for suffix, text in texts.items():
        saved = save_file(partial(_write_text, text), session.files_dir / f"{stem}.{suffix}")
        session.telemetry.artifact(
            path=str(saved.path.relative_to(session.run_dir)),
            kind="certificate",
            title=f"{title} ({suffix})",
            size=saved.size,
            sha256=saved.sha256,
        )


def _write_text(text: str, path: Path) -> None:
    path.write_text(text, "utf-8")
