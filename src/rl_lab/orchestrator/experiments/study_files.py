"""Study files: the plan of a study as JSON or YAML, which creates the same study again; confirmations of a variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from rl_lab.core.studies.studies import Study, Variant, VariantPlan
from rl_lab.core.words.variant_labels import BASE
from rl_lab.orchestrator.experiments.requests import FILE_VERSION, NewStudy

CONFIRMATION = "Confirmation of "


def study_file(study: Study) -> dict[str, Any]:
    """The request that creates the study again, with its version; without what belongs to this lab."""
    plan = study.plan.model_dump(mode="json", exclude_none=True)
    labels: dict[str, Any] = {"notes": study.notes, "tags": study.tags}
    extra = {name: value for name, value in labels.items() if value}
    return {"version": FILE_VERSION, "name": study.name, **_without_empty(plan), **extra}


def as_yaml(file: Mapping[str, Any]) -> str:
    text: str = yaml.safe_dump(dict(file), sort_keys=False, allow_unicode=True)
    return text


def _without_empty(plan: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plan.items() if value not in ("", [], {}, None)}


def confirmation_of(study: Study, variant: Variant, seeds: list[int], start: bool) -> NewStudy:
    """The variant against the base, if it differs from it."""
    chosen = VariantPlan(label=variant.label, settings=variant.settings)
    base = [VariantPlan(label=BASE)] if variant.settings else []
    return NewStudy(
        name=f"{CONFIRMATION}{variant.label}{f' · {study.env_id}' if study.env_id else ''}"[:200],
        question=f"Is {variant.label} better than the base with fresh seeds?" if base else "",
        base=study.plan.base,
        variants=[chosen, *base],
        seeds=seeds,
        measure=study.plan.measure,
        tags=study.tags,
        priority=study.priority,
        start=start,
    )
