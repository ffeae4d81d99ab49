"""Outcomes: the state and value of each variant, and how a study ends, from the states of its runs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from rl_lab.core.runs import FINAL, EndReason, RunStatus
from rl_lab.core.studies.studies import Study, StudyStatus, Variant, VariantStatus

MOST_FAILURES = 3
"""A study stops when so many of its runs have failed and none has succeeded."""
FAILED = (RunStatus.failed, RunStatus.lost)


class RunOutcome(NamedTuple):
    """What a study needs to know about one of its runs."""

    run_id: str
    variant: int
    status: RunStatus
    value: float | None
    """Its measure; null if it has none."""
    reason: str | None
    """Why it failed."""


class StudyEnd(NamedTuple):
    status: StudyStatus
    reason: EndReason | None


def next_pairs(study: Study, variants: Sequence[Variant], limit: int) -> list[tuple[Variant, int, int]]:
    """The runs to create next: variant, place of the seed, seed.

    All variants with their first seed come before any second one, so that an early look compares all of them.
    """
    pairs = [
        (variant, place, seed)
        for variant in variants
        if variant.status in (VariantStatus.waiting, VariantStatus.running)
        for place, seed in enumerate(variant.seeds)
        if place >= variant.created
    ]
    pairs.sort(key=lambda pair: (pair[1], pair[0].number))
    budget = study.plan.budget.runs
    if budget is not None:
        limit = min(limit, budget - sum(variant.created for variant in variants))
    return pairs[: max(0, limit)]


def judge_variant(variant: Variant, outcomes: Sequence[RunOutcome], *, is_over: bool) -> Variant:
    """With the state and the value that follow from its runs; `is_over`: no further run of it is created."""
    status, reason = _variant_status(variant, outcomes, is_over=is_over)
    # A run that was stopped early has a value of another length; it counts only for a variant that was pruned.
    counted = [o for o in outcomes if o.status is RunStatus.succeeded or status is VariantStatus.pruned]
    values = [o.value for o in counted if o.value is not None]
    value = sum(values) / len(values) if values else None
    return variant.model_copy(update={"status": status, "reason": reason, "value": value})


def _variant_status(
    variant: Variant, outcomes: Sequence[RunOutcome], *, is_over: bool
) -> tuple[VariantStatus, str | None]:
    if variant.status is VariantStatus.pruned and not _is_complete(variant, outcomes):
        return variant.status, variant.reason
    if any(o.status not in FINAL for o in outcomes) or (variant.created < len(variant.seeds) and not is_over):
        begun = any(o.status not in (RunStatus.created, RunStatus.queued) for o in outcomes)
        return (VariantStatus.running if begun else VariantStatus.waiting), None
    if any(o.status is RunStatus.succeeded for o in outcomes):
        return VariantStatus.finished, None
    failures = [o.reason for o in outcomes if o.status in FAILED]
    if failures:
        return VariantStatus.failed, failures[0] or "Its runs failed."
    words = "Its runs were deleted." if variant.created and not outcomes else "It was stopped before its end."
    return VariantStatus.stopped, words


def _is_complete(variant: Variant, outcomes: Sequence[RunOutcome]) -> bool:
    """A fast run may reach its end before the message that stops it."""
    done = [outcome for outcome in outcomes if outcome.status is RunStatus.succeeded]
    return len(done) == len(variant.seeds) > 0


def decide_end(
    study: Study,
    variants: Sequence[Variant],
    outcomes: Sequence[RunOutcome],
    *,
    now: datetime,
    has_more: bool = False,
) -> StudyEnd | None:
    """How the study ends now; None if it continues. `has_more`: further variants are to come."""
    failure = find_failure(outcomes, is_last=False)
    if failure is not None:
        return StudyEnd(StudyStatus.failed, failure)
    if time_left_s(study, now) == 0:
        return StudyEnd(StudyStatus.finished, _out_of_time(study, outcomes))
    if has_more or next_pairs(study, variants, 1) or any(o.status not in FINAL for o in outcomes):
        return None
    failure = find_failure(outcomes, is_last=True)
    return StudyEnd(StudyStatus.failed if failure else StudyStatus.finished, failure)


def awaits_points(study: Study, variants: Sequence[Variant]) -> bool:
    """Whether a TPE sweep has points left to suggest."""
    sweep, budget = study.plan.sweep, study.plan.budget.runs
    if sweep is None or sweep.method != "tpe" or len(variants) >= (sweep.points or 0):
        return False
    return budget is None or sum(variant.created for variant in variants) < budget


def find_failure(outcomes: Sequence[RunOutcome], *, is_last: bool) -> EndReason | None:
    """The reason to stop: three runs failed and none succeeded, or all have ended and all failed."""
    failures = [o for o in outcomes if o.status in FAILED]
    enough = is_last or len(failures) >= MOST_FAILURES
    if not failures or not enough or any(o.status is RunStatus.succeeded for o in outcomes):
        return None
    reasons = list(dict.fromkeys(o.reason or "No reason was reported." for o in failures))
    count = "The only run" if len(outcomes) == 1 else f"All {len(failures)} runs so far"
    return EndReason(
        cause="runs-failed",
        message=f"{count} failed: {' '.join(reasons[:MOST_FAILURES])}",
        next_step="Look at the log of a run, correct the settings and start a new study; or resume this one.",
    )


def time_left_s(study: Study, now: datetime) -> float | None:
    """Of its budget; None without one."""
    minutes = study.plan.budget.minutes
    if minutes is None or study.started_at is None:
        return None
    end = study.started_at + timedelta(minutes=minutes)
    return max(0.0, (end - now).total_seconds())


def _out_of_time(study: Study, outcomes: Sequence[RunOutcome]) -> EndReason:
    done = sum(o.status is RunStatus.succeeded for o in outcomes)
    return EndReason(
        cause="budget",
        message=f"The budget of {study.plan.budget.minutes:g} minutes is used up; {done:,} runs are complete.",
        next_step="Add seeds, or start a new study with a larger budget.",
    )


def by_variant(outcomes: Sequence[RunOutcome]) -> Mapping[int, list[RunOutcome]]:
    found: dict[int, list[RunOutcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.variant, []).append(outcome)
    return found
