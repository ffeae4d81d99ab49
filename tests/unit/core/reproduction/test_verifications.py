"""Verdicts and certificates as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

from rl_lab.core.reproduction.certificates import TITLE, Certificate, certificate_rows, to_html, to_text
from rl_lab.core.reproduction.verifications import (
    ComparedAmounts,
    ComparedFigure,
    EventDifference,
    VerificationResult,
)

AMOUNTS = ComparedAmounts(steps=20480, episodes=212, recordings=212, values=120, weights=True)
FIRST = EventDifference(step=576, episode=3, quantity="return", recorded=-1.5, found=9.0)
FIGURE = ComparedFigure(name="final mean return", recorded=100.0, found=98.0, deviation=0.02)


def test_identical_says_what_was_compared() -> None:
    result = VerificationResult(verdict="identical", tolerance=0.05, compared=AMOUNTS)
    assert result.sentence == (
        "Identical: 212 episodes, 120 values of metrics, the actions of 212 episodes, the weights up to step 20,480."
    )


def test_a_difference_has_step_quantity_and_both_values() -> None:
    result = VerificationResult(
        verdict="different", tolerance=0.0, compared=AMOUNTS, first_difference=FIRST, figures=[FIGURE]
    )
    assert result.sentence == (
        "Different: only identical passes. "
        "First difference: return at step 576, episode 3: recorded −1.5, now 9."
    )


def test_a_difference_in_the_last_digit_is_shown() -> None:
    first = EventDifference(step=1, quantity="loss", recorded=0.1, found=0.10000000000000002)
    assert first.sentence == "loss at step 1: recorded 0.1, now 0.10000000000000002"


def test_the_tolerance_is_stated() -> None:
    result = VerificationResult(
        verdict="within tolerance", tolerance=0.05, compared=AMOUNTS, first_difference=FIRST, figures=[FIGURE]
    )
    assert result.sentence.startswith("Within tolerance (±5%): final mean return 100 → 98 (2.0%).")


def test_a_certificate_has_its_hashes_and_escapes_names() -> None:
    result = VerificationResult(
        verdict="identical", tolerance=0.05, compared=AMOUNTS, config_sha256="c0ffee", notes=["Resumed."]
    )
    certificate = Certificate(
        run_id="r1",
        run_name="<b>mine</b>",
        verification_id="v1",
        at=datetime(2026, 1, 2, tzinfo=UTC),
        lab_version="1.0",
        result=result,
    )
    assert "Configuration, SHA-256: c0ffee" in to_text(TITLE, certificate_rows(certificate))
    assert "Note: Resumed." in to_text(TITLE, certificate_rows(certificate))
    assert "<b>" not in to_html(TITLE, certificate_rows(certificate))
    assert "&lt;b&gt;mine&lt;/b&gt; (r1)" in to_html(TITLE, certificate_rows(certificate))
