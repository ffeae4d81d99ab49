from datetime import UTC, datetime
from typing import Any

from rl_lab.core.studies.studies import Budget, Study, StudyCounts, StudyPlan, StudyStatus, count_planned
from rl_lab.core.studies.sweeps import Choices, Sweep

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SWEEP = Sweep(method="tpe", points=10, parameters={"a": Choices(values=[1, 2])})


def study(status: StudyStatus = StudyStatus.running, **plan: Any) -> Study:
    made = StudyPlan(base={}, **{"seeds": [1, 2], "sweep": SWEEP, **plan})
    counts = StudyCounts(variants=3, planned=6)
    return Study(id="s", name="s", status=status, plan=made, counts=counts, created_at=NOW, updated_at=NOW)


def test_points_that_are_not_suggested_yet_count():
    assert count_planned(study()) == 20


def test_a_study_that_has_ended_gets_no_further_points():
    assert count_planned(study(StudyStatus.stopped)) == 6


def test_no_more_runs_are_planned_than_the_budget_allows():
    assert count_planned(study(budget=Budget(runs=7))) == 7


def test_other_studies_have_all_their_variants_from_the_start():
    assert count_planned(study(sweep=None)) == 6
