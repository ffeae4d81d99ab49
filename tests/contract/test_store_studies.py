"""Studies and variants in the store behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rl_lab.core.errors import Gone, InvalidInput, NotFound
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import EndReason, Run, RunStatus, Summary
from rl_lab.core.studies.studies import Study, StudyPlan, StudyStatus, Variant, VariantStatus
from rl_lab.core.workbench.derived_metrics import NewDerivedMetric
from rl_lab.core.workbench.protocols import CitedProtocol
from rl_lab.store import run_numbers, runs
from rl_lab.store.experiments import studies, study_outcomes, variants
from rl_lab.store.experiments.studies import StudyFilter
from rl_lab.store.runs import RunFilter
from rl_lab.store.workbench import derived_metrics

CREATED_AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
PLAN = StudyPlan(base={"env_id": "CartPole-v1", "algorithm": "ppo"}, seeds=[1, 2], question="Which rate?")


def a_study(**fields: Any) -> Study:
    times = {"created_at": CREATED_AT, "updated_at": CREATED_AT}
    return Study(**{"id": new_run_id(), "name": "first", "plan": PLAN, **times, **fields})


def put(db: Any, study: Study, count: int = 1) -> Study:
    def work(conn: Any) -> Study:
        studies.insert(conn, study)
        new = [
            Variant(study_id=study.id, number=n, label=f"v{n}", settings={"lr": n}, seeds=PLAN.seeds)
            for n in range(1, count + 1)
        ]
        variants.insert_all(conn, new)
        return studies.get(conn, study.id)

    stored: Study = db.write(work)
    return stored


def add_run(db: Any, study: Study | None, variant: int | None = 1, **fields: Any) -> Run:
    times = {"created_at": CREATED_AT, "updated_at": CREATED_AT}
    about = {"study_id": study.id, "variant": variant} if study else {}
    config = fields.pop("config", TrainConfig(algorithm="ppo", env_id="CartPole-v1"))
    run = Run(id=new_run_id(), config=config, **{"name": "run", **times, **about, **fields})
    db.write(lambda conn: runs.insert(conn, run))
    return run


def test_a_study_is_read_back_with_its_counts_and_its_best_variant(db: Any) -> None:
    study = put(db, a_study(tags=["b", "a"], notes="why\x00", priority=3), count=2)
    add_run(db, study, status=RunStatus.queued)
    add_run(db, study, status=RunStatus.succeeded)
    add_run(db, study, variant=2, status=RunStatus.failed)
    for number, value in ((1, -3.0), (2, -1.0)):
        db.write(lambda c, n=number, v=value: variants.change(c, study.id, n, value=v))
    stored = db.read(lambda c: studies.get(c, study.id))
    assert (stored.plan, stored.tags, stored.notes, stored.priority) == (PLAN, ["b", "a"], "why\ufffd", 3)
    counts = stored.counts
    assert (counts.variants, counts.planned, counts.runs, counts.queued) == (2, 4, 3, 1)
    assert (counts.ended, counts.succeeded, counts.failed) == (2, 1, 1)
    assert (stored.best_variant, stored.allowed) == (2, ["start"])


def test_the_best_variant_was_neither_pruned_nor_did_it_fail(db: Any) -> None:
    study = put(db, a_study(), count=3)
    states = [VariantStatus.finished, VariantStatus.pruned, VariantStatus.failed]
    for number, status in enumerate(states, 1):
        db.write(lambda c, n=number, s=status: variants.change(c, study.id, n, value=float(n), status=s))
    assert db.read(lambda c: studies.get(c, study.id)).best_variant == 1


def test_the_same_run_of_a_variant_is_counted_once(db: Any) -> None:
    study = put(db, a_study())
    assert db.write(lambda c: variants.count_created(c, study.id, 1, expected=0))
    assert not db.write(lambda c: variants.count_created(c, study.id, 1, expected=0))
    assert db.read(lambda c: studies.get(c, study.id)).counts.missing == 1


def test_states_change_by_compare_and_set(db: Any) -> None:
    study = put(db, a_study())
    begun = db.write(
        lambda c: studies.change_status(c, study.id, expected=[StudyStatus.created], to=StudyStatus.running)
    )
    assert begun.started_at is not None and begun.version == 1
    again = db.write(
        lambda c: studies.change_status(c, study.id, expected=[StudyStatus.created], to=StudyStatus.running)
    )
    assert again is None
    reason = EndReason(cause="c", message="m")
    ended = db.write(
        lambda c: studies.change_status(
            c, study.id, expected=[StudyStatus.running], to=StudyStatus.failed, reason=reason
        )
    )
    assert (ended.reason, ended.ended_at is not None, ended.started_at) == (reason, True, begun.started_at)


def test_pages_are_searched_sorted_and_continued(db: Any) -> None:
    made = [
        put(db, a_study(name=name, created_at=CREATED_AT + timedelta(seconds=n)))
        for n, name in enumerate(("Apples", "Pears", "Plums"))
    ]
    first = db.read(lambda c: studies.find_page(c, limit=2))
    rest = db.read(lambda c: studies.find_page(c, limit=2, cursor=first.next_cursor))
    assert [s.id for s in [*first.items, *rest.items]] == [s.id for s in reversed(made)]
    assert (first.total, rest.next_cursor) == (3, None)
    found = db.read(lambda c: studies.find_page(c, StudyFilter(q="PEARS rate"), "created_at"))
    assert [s.id for s in found.items] == [made[1].id]
    running = StudyFilter(status=(StudyStatus.running,))
    assert db.read(lambda c: studies.find_page(c, running)).total == 0
    with pytest.raises(InvalidInput, match="cursor"):
        db.read(lambda c: studies.find_page(c, cursor="nonsense"))


def test_runs_deleted_with_a_study_are_restored_with_it_and_others_are_not(db: Any) -> None:
    study = put(db, a_study())
    kept, gone = add_run(db, study), add_run(db, study)
    db.write(lambda c: runs.patch(c, gone.id, deleted_at=CREATED_AT))
    at = CREATED_AT + timedelta(hours=1)
    db.write(lambda c: (studies.delete_runs(c, study.id, at), studies.patch(c, study.id, deleted_at=at)))
    with pytest.raises(Gone):
        db.read(lambda c: studies.get(c, study.id))
    db.write(lambda c: (studies.restore_runs(c, study.id, at), studies.patch(c, study.id, deleted_at=None)))
    assert db.read(lambda c: variants.get(c, study.id, 1)).run_ids == [kept.id]


def test_a_purged_study_takes_its_variants_with_it(db: Any) -> None:
    study = put(db, a_study())
    db.write(lambda c: studies.patch(c, study.id, deleted_at=CREATED_AT))
    db.write(lambda c: studies.purge_deleted(c, CREATED_AT + timedelta(seconds=1)))
    with pytest.raises(NotFound, match="no study"):
        db.read(lambda c: studies.get(c, study.id))
    assert db.read(lambda c: variants.list_all(c, study.id)) == []


def test_a_folded_list_has_one_run_of_each_study(db: Any) -> None:
    study, other = put(db, a_study()), put(db, a_study())
    for owner in (study, study, other, None, None):
        add_run(db, owner)
    folded = db.read(lambda c: runs.find_page(c, RunFilter(folded=True)))
    assert sorted(str(run.study_id) for run in folded.items) == sorted([study.id, other.id, "None", "None"])
    assert folded.total == 4
    assert db.read(lambda c: runs.find_page(c, RunFilter(study_id=study.id))).total == 2


def test_a_folded_list_folds_what_the_other_conditions_leave(db: Any) -> None:
    study = put(db, a_study())
    for name in ("one", "two", "two"):
        add_run(db, study, name=name)
    found = db.read(lambda c: runs.find_page(c, RunFilter(folded=True, q="two")))
    assert [run.name for run in found.items] == ["two"]


@pytest.mark.parametrize(
    ("measure", "expected"), [("final", 5.0), ("best", 7.0), ("area", 2.0), ("evaluation", 9.0)]
)
def test_outcomes_have_the_measure_of_the_plan(db: Any, measure: Any, expected: float) -> None:
    study = put(db, a_study())
    plan = study.plan.model_copy(update={"measure": measure})
    summary = Summary(mean_reward=5.0, best_mean_reward=7.0, sparkline=[1.0, 3.0])
    run = add_run(db, study, status=RunStatus.succeeded, summary=summary)
    for value, second in ((8.0, 1), (9.0, 2)):
        add_run(
            db,
            None,
            kind=RunKind.evaluate,
            config=EvaluateConfig(run_id=run.id),
            parent_id=run.id,
            status=RunStatus.succeeded,
            summary=Summary(result={"return_mean": value}),
            created_at=CREATED_AT + timedelta(seconds=second),
        )
    found = db.read(lambda c: study_outcomes.list_outcomes(c, study.id, plan))
    assert [(o.run_id, o.variant, o.value) for o in found] == [(run.id, 1, expected)]


def test_a_number_whose_mean_is_missing_is_no_score(db: Any) -> None:
    run = add_run(db, None, status=RunStatus.succeeded)
    numbers = {"soft": {"mean": 0.5}, "speed": {"mean": None}}
    add_run(
        db,
        None,
        kind=RunKind.evaluate,
        config=EvaluateConfig(run_id=run.id),
        parent_id=run.id,
        status=RunStatus.succeeded,
        summary=Summary(result={"return_mean": 9.0, "numbers": numbers}),
    )
    (score,) = db.read(lambda c: study_outcomes.list_scores(c, [run.id]))
    assert (score.mean, score.numbers) == (9.0, {"soft": 0.5})


def add_scored(db: Any, run: Run, mean: float, protocol: int | None, second: int) -> None:
    """An evaluation of the run, by a version of nightly or by options of its own."""
    cited = CitedProtocol(
        name="nightly", version=protocol, sha256=f"n{protocol}", text=f"protocol nightly@v{protocol}"
    )
    add_run(
        db,
        None,
        kind=RunKind.evaluate,
        config=EvaluateConfig(run_id=run.id, cited=cited if protocol else None),
        parent_id=run.id,
        status=RunStatus.succeeded,
        summary=Summary(result={"return_mean": mean, "numbers": {"soft": {"mean": mean}}}),
        created_at=CREATED_AT + timedelta(seconds=second),
    )


def test_a_run_has_the_numbers_of_each_protocol_version_under_names_of_their_own(db: Any) -> None:
    run = add_run(db, None, status=RunStatus.succeeded)
    for second, (mean, protocol) in enumerate([(0.25, 1), (0.5, 2), (0.75, 1), (0.9, None)]):
        add_scored(db, run, mean, protocol, second)
    found = db.write(lambda c: run_numbers.note_newest(c, run.id)).summary
    assert found.numbers == {"soft": 0.9, "soft@nightly@v1": 0.75, "soft@nightly@v2": 0.5}
    assert found.cited["soft"] == "5 episodes, seeds derived, best actions"
    assert found.cited["soft@nightly@v2"] == "nightly@v2"
    for q, count in (("metrics.soft@nightly@v2<0.6", 1), ("metrics.soft@nightly@v2>0.6", 0)):
        assert len(db.read(lambda c, q=q: runs.find_page(c, RunFilter(q=q))).items) == count
    page = db.read(lambda c: runs.find_page(c, RunFilter(), "-metrics.soft@nightly@v2"))
    assert [one.id for one in page.items] == [run.id]


def test_a_study_is_judged_by_a_number_of_its_protocol_only(db: Any) -> None:
    plan = {"base": {"evaluate_by": "nightly@v2"}, "measure": "soft", "seeds": [1]}
    study = put(db, a_study())
    run = add_run(db, study, status=RunStatus.succeeded)
    judged = StudyPlan.model_validate(plan)
    for second, (mean, protocol, expected) in enumerate([(0.9, 1, None), (0.5, 2, 0.5), (0.8, None, 0.5)]):
        add_scored(db, run, mean, protocol, second)
        (found,) = db.read(lambda c: study_outcomes.list_outcomes(c, study.id, judged))
        assert found.value == expected


def test_a_study_is_judged_by_a_derived_metric(db: Any) -> None:
    study = put(db, a_study())
    run = add_run(db, study, status=RunStatus.succeeded)
    db.write(lambda c: derived_metrics.put(c, NewDerivedMetric(name="speed", expression="return / length")))
    db.write(lambda c: derived_metrics.put_values(c, run.id, {"speed": 2.5}))
    plan = study.plan.model_copy(update={"measure": "metrics.speed"})
    (found,) = db.read(lambda c: study_outcomes.list_outcomes(c, study.id, plan))
    assert found.value == 2.5
