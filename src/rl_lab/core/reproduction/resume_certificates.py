"""The certificate of exact resume: as JSON for programs, as rows of a text and a page for people."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field

from rl_lab.core.reproduction.certifications import CertificationResult

RESUME_TITLE = "Certificate of exact resume"
RESUME_FILE = "resume-certificate"
"""Its file names, without the suffix."""


class TensorDigest(BaseModel, frozen=True):
    """One tensor of the last checkpoint of the unbroken training."""

    name: str
    shape: list[int]
    dtype: str
    sha256: str


class ResumeCertificate(BaseModel):
    """Who compared what with what, when, and what came out."""

    title: str = RESUME_TITLE
    run_id: str = Field(description="The run whose configuration was certified.")
    run_name: str
    certification_id: str = Field(description="The run that trained and compared.")
    at: datetime
    lab_version: str
    result: CertificationResult
    tensors: list[TensorDigest] = Field(default=[], description="Of the unbroken training's last checkpoint.")
    here_sha256: str = Field(default="", description="Hash of the snapshot of the process that compared.")


def resume_rows(certificate: ResumeCertificate) -> list[tuple[str, str]]:
    result = certificate.result
    first = result.first_difference
    difference = [("First difference", first.describe("unbroken", "resumed"))] if first else []
    return [
        ("Run", f"{certificate.run_name} ({certificate.run_id})"),
        ("Verdict", result.verdict),
        *difference,
        ("Learner", f"{result.runner} {result.algorithm} on {result.env_id}, seed {result.seed}"),
        ("Steps of each training", f"{result.steps:,}"),
        ("Compared", result.amounts),
        *((f"Break {number}", _break_row(result, number - 1)) for number in range(1, len(result.breaks) + 1)),
        ("Environment", "deterministic" if result.is_deterministic else "not deterministic"),
        ("Date", certificate.at.isoformat(timespec="seconds")),
        ("Seconds", f"{result.seconds:.1f}"),
        ("RL Lab", certificate.lab_version),
        ("Certification", certificate.certification_id),
        ("Configuration, SHA-256", result.config_sha256),
        ("Unbroken training's events, SHA-256", result.unbroken_sha256),
        ("Snapshot of the certification, SHA-256", certificate.here_sha256 or "none"),
        *(("Probable reason", reason) for reason in result.probable_reasons),
        *(("Note", note) for note in result.notes),
    ]


def _break_row(result: CertificationResult, position: int) -> str:
    one = result.breaks[position]
    verdict = "different" if one.first_difference else "identical"
    return f"{one.sentence}: {verdict}"
