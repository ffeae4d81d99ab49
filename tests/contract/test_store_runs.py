"""Runs in the store behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from rl_lab.core.errors import Gone, InvalidInput, NotFound
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig, ForkConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_events import EventType
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import TRANSITIONS, EndReason, Progress, Run, RunStatus, Summary
from rl_lab.store import artifacts, events, queue, run_numbers, runs, transitions
from rl_lab.store.runs import RUN_SORTS, RunFilter
from rl_lab.store.sql.tables import run_parameters

S = RunStatus
CREATED_AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def a_run(run_id: str | None = None, **fields: Any) -> Run:
    about = {"algorithm": fields.pop("algorithm", "ppo"), "env_id": fields.pop("env_id", "CartPole-v1")}
    fields = {"name": "first try", "created_at": CREATED_AT, "updated_at": CREATED_AT, **fields}
    return Run(id=run_id or new_run_id(), **{"config": TrainConfig(**about), **fields})


def put(db: Any, *new: Run) -> None:
    db.write(lambda c: [runs.insert(c, run) for run in new])


def names(db: Any, run_filter: RunFilter | None = None, sort: str = "name") -> list[str]:
    return [run.name for run in db.read(lambda c: runs.find_page(c, run_filter, sort)).items]


def test_a_run_is_read_back_unchanged(db: Any) -> None:
    run = a_run(
        tags=["z", "a"],
        priority=3,
        progress=Progress(timestep=5, fraction=0.5, last_event_at=CREATED_AT),
        summary=Summary(best_reward=1.5, sparkline=[1.0, 2.0], anything="else"),
        reason=EndReason(cause="c", message="m", next_step="n"),
    )
    put(db, run)
    assert db.read(lambda c: runs.get(c, run.id)) == run.model_copy(
        update={"allowed": ["start"], "env_id": "CartPole-v1", "algorithm": "ppo"}
    )


def test_hostile_text_and_numbers_are_stored_safely(db: Any) -> None:
    run = a_run(name="a\x00b\ud800c", tags=["\x00", "'; DROP TABLE runs; --"])
    put(db, run)
    summary = Summary(best_reward=math.nan, last_reward=math.inf, mean_reward=-1.0, odd=2**70)
    db.write(lambda c: runs.update_progress(c, run.id, Progress(timestep=2**40), summary))
    db.write(
        lambda c: events.append(
            c, run.id, EventType("log\x00"), "\x00\udfff", data={"a\x00": [math.nan, 2**80]}
        )
    )
    stored = db.read(lambda c: runs.get(c, run.id))
    assert (stored.name, stored.tags[1]) == ("a\ufffdb?c", "'; DROP TABLE runs; --")
    assert (stored.progress.timestep, stored.summary.best_reward, stored.summary.mean_reward) == (
        2**40,
        None,
        -1.0,
    )
    assert db.read(lambda c: events.list_page(c, run.id))[0].message == "\ufffd?"
    assert db.read(lambda c: runs.find_page(c, RunFilter(q="\x00 drop"))).total == 1


def test_an_unknown_run_is_not_found_and_a_deleted_one_is_gone(db: Any) -> None:
    run = a_run()
    put(db, run)
    with pytest.raises(NotFound, match="no run"):
        db.read(lambda c: runs.get(c, "nothing"))
    db.write(lambda c: runs.patch(c, run.id, deleted_at=CREATED_AT))
    with pytest.raises(Gone, match="deleted"):
        db.read(lambda c: runs.get(c, run.id))
    assert names(db) == []
    assert [r.id for r in db.read(lambda c: runs.list_deleted(c, CREATED_AT + timedelta(seconds=1)))] == [
        run.id
    ]
    db.write(lambda c: runs.patch(c, run.id, deleted_at=None))
    assert names(db) == ["first try"]


def test_the_same_id_twice_is_refused_and_changes_nothing(db: Any) -> None:
    run = a_run()
    put(db, run)
    with pytest.raises(InvalidInput, match="already"):
        put(db, run.model_copy(update={"name": "other"}))
    assert names(db) == ["first try"]


def test_a_failed_write_changes_nothing(db: Any) -> None:
    def half(conn: Any) -> None:
        runs.insert(conn, a_run())
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        db.write(half)
    assert names(db) == []


def test_a_change_of_status_writes_a_transition_and_an_event(db: Any) -> None:
    run = a_run()
    put(db, run)
    queued = db.write(lambda c: runs.change_status(c, run.id, expected=S.created, to=S.queued, at=CREATED_AT))
    assert (queued.status, queued.version, queued.queued_at, queued.allowed) == (
        S.queued,
        1,
        CREATED_AT,
        ["stop"],
    )
    steps = db.read(lambda c: transitions.list_for_run(c, run.id))
    assert [(t.from_status, t.to_status) for t in steps] == [(None, S.created), (S.created, S.queued)]
    assert db.read(lambda c: transitions.entered_at(c, run.id)) == CREATED_AT
    (event,) = db.read(lambda c: events.list_page(c, run.id))
    assert (event.type, event.data["to"]) == ("run_queued", "queued")


def test_only_the_first_of_two_changes_succeeds(db: Any) -> None:
    run = a_run()
    put(db, run)
    move = {"expected": {S.created}, "to": S.queued, "version": 0}
    assert db.write(lambda c: runs.change_status(c, run.id, **move)) is not None
    assert db.write(lambda c: runs.change_status(c, run.id, **move)) is None
    assert len(db.read(lambda c: events.list_page(c, run.id))) == 1
    assert db.write(lambda c: runs.change_status(c, "missing", **move)) is None


def test_no_pair_of_states_outside_the_table_can_be_written(db: Any) -> None:
    for source in S:
        run = a_run(status=source)
        put(db, run)
        for target in S:
            if target not in TRANSITIONS[source]:
                with pytest.raises(ValueError, match="no transition from"):
                    db.write(
                        lambda c, r=run, s=source, t=target: runs.change_status(c, r.id, expected=s, to=t)
                    )
        assert db.read(lambda c, r=run: runs.get(c, r.id)).status == source


def test_times_are_set_at_each_change_of_state(db: Any) -> None:
    run = a_run()
    put(db, run)
    path = [S.queued, S.starting, S.running, S.failed, S.queued, S.starting, S.running]
    came_from, at = S.created, CREATED_AT
    reason = EndReason(cause="oom", message="Out of memory.")
    for attempt, to in enumerate(path):
        at += timedelta(seconds=1)
        why = reason if to is S.failed else None
        move = {"expected": came_from, "to": to, "at": at, "reason": why, "attempt": attempt}
        now = db.write(lambda c, m=move: runs.change_status(c, run.id, **m))
        assert (now.reason, now.ended_at) == (why, at if why else None)
        came_from = to
    assert now.started_at == CREATED_AT + timedelta(seconds=3)
    assert now.queued_at == CREATED_AT + timedelta(seconds=5)
    assert (now.attempt, now.version) == (6, 7)


def test_the_queue_is_ordered_by_priority_then_by_waiting_time(db: Any) -> None:
    later = CREATED_AT + timedelta(minutes=1)
    put(
        db,
        a_run(name="late", status=S.queued, queued_at=later),
        a_run(name="early", status=S.queued, queued_at=CREATED_AT),
        a_run(name="urgent", status=S.queued, queued_at=later, priority=1),
        a_run(name="gone", status=S.queued, queued_at=CREATED_AT, deleted_at=CREATED_AT),
        a_run(name="busy", status=S.running),
    )
    assert [r.name for r in db.read(lambda c: queue.list_waiting(c, limit=2))] == ["urgent", "early"]
    assert db.read(lambda c: queue.list_waiting(c, [RunKind.film])) == []
    assert [r.name for r in db.read(runs.list_live)] == ["busy"]


def test_filters_and_search_find_the_matching_runs(db: Any) -> None:
    put(
        db,
        a_run(name="Alpha 100%", env_id="LunarLander-v3", tags=["good", "x_y"]),
        a_run(name="beta", algorithm="dqn", status=S.running),
        a_run(name="Gamma", archived=True),
    )
    assert names(db, sort="-name") == ["beta", "Alpha 100%"]
    assert names(db, RunFilter(archived=None)) == ["Alpha 100%", "beta", "Gamma"]
    assert names(db, RunFilter(env_id="LunarLander-v3")) == ["Alpha 100%"]
    assert names(db, RunFilter(algorithm="dqn", status=(S.running, S.failed))) == ["beta"]
    assert names(db, RunFilter(tag="good")) == ["Alpha 100%"]
    assert names(db, RunFilter(q="LUNAR alpha")) == ["Alpha 100%"]
    assert names(db, RunFilter(q="0%")) == ["Alpha 100%"]
    assert names(db, RunFilter(q="x_y")) == ["Alpha 100%"]
    assert names(db, RunFilter(q="xzy")) == []
    assert names(db, RunFilter(kind="evaluate")) == []
    with pytest.raises(InvalidInput, match="longer"):
        names(db, RunFilter(q="x" * 201))


def _tuned(name: str, seed: int, lr: float, **fields: Any) -> Run:
    params = {"learning_rate": lr, "activation": "tanh" if seed % 2 else "relu", "normalize": seed == 3}
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", seed=seed, params=params, preset="fast")
    return a_run(name=name, config=config, **fields)


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("lr<0.01", ["a", "b"]),
        ("learning_rate>=0.01", ["c", "script"]),
        ("params.learning_rate=1e-3", ["a"]),
        ("lr!=0.001", ["b", "c", "script"]),
        ("seed:3", ["c"]),
        ("seed:1,2", ["a", "b"]),
        ("seed>1 lr<0.1", ["b"]),
        ("env:cartpole", ["a", "b", "c"]),
        ("env:Lunar", ["script"]),
        ("env=CartPole", []),
        ("status:failed", ["b"]),
        ("status!=failed", ["a", "c", "script"]),
        ("tag:x", ["a"]),
        ("best>100", ["c"]),
        ("steps>=10k", ["c"]),
        ("activation:tanh", ["a", "c"]),
        ("normalize:true", ["c"]),
        ("preset:fast", ["a", "b", "c"]),
        ("lr:0.001 a", ["a"]),
        ("seed:", ["a", "b", "c", "script"]),
        ("lr<0.01 nothing", []),
    ],
)
def test_conditions_of_a_search_text_compare_settings_and_numbers(db: Any, q: str, found: list[str]) -> None:
    args = {"lr": 0.5}
    script = TrainConfig(runner="script", algorithm="script", env_id="LunarLander-v3", seed=None, args=args)
    put(
        db,
        _tuned("a", 1, 0.001, tags=["x"]),
        _tuned("b", 2, 0.0003, status=S.failed),
        _tuned("c", 3, 0.1, summary=Summary(best_mean_reward=200.0), progress=Progress(timestep=20_000)),
        a_run(name="script", config=script),
    )
    assert names(db, RunFilter(q=q)) == found


def test_runs_are_sorted_by_a_parameter_and_those_without_it_come_last(db: Any) -> None:
    put(db, _tuned("a", 1, 0.001), _tuned("b", 2, 0.5), _tuned("c", 3, 0.01), a_run(name="none"))
    assert names(db, sort="params.learning_rate") == ["a", "c", "b", "none"]
    assert names(db, sort="-params.learning_rate") == ["b", "c", "a", "none"]
    assert names(db, sort="-seed") == ["c", "b", "a", "none"]
    first = db.read(lambda c: runs.find_page(c, sort="params.learning_rate", limit=2))
    rest = db.read(
        lambda c: runs.find_page(c, sort="params.learning_rate", limit=2, cursor=first.next_cursor)
    )
    assert [run.name for run in rest.items] == ["b", "none"]


def test_of_several_names_of_a_parameter_the_full_one_counts(db: Any) -> None:
    config = TrainConfig(
        algorithm="ppo", params={"learning_rate": 0.001}, args={"lr": 0.5, "learning_rate": 9}
    )
    put(db, a_run(name="both", config=config))
    assert names(db, RunFilter(q="lr<0.01")) == names(db, RunFilter(q="lr!=0.5")) == ["both"]
    assert names(db, RunFilter(q="lr>0.01")) == names(db, RunFilter(q="lr:9")) == []


def test_settings_that_a_script_reports_later_are_found(db: Any) -> None:
    run = a_run(name="script", config=TrainConfig(algorithm="script", seed=None, args={"lr": 0.5}))
    put(db, run)
    db.write(lambda c: runs.learn(c, run.id, {"seed": 7, "args": {"lr": 0.1, "depth": "deep"}}))
    assert names(db, RunFilter(q="seed:7 lr:0.1 depth:deep")) == ["script"]
    assert names(db, RunFilter(q="lr:0.5")) == []


def test_any_argument_of_a_script_is_stored_and_goes_with_its_run(db: Any) -> None:
    strange = {
        "a\x00": "x\x00",
        "a\ufffd": 2**80,
        "n" * 5000: 1,
        "long": "y" * 100_000,
        "nan": math.nan,
        "": [],
    }
    run = a_run(name="script", config=TrainConfig(algorithm="script", args=strange))
    put(db, run)
    assert names(db, RunFilter(q="nan:null")) == ["script"]
    db.write(lambda c: runs.purge(c, run.id))
    assert db.read(lambda c: c.execute(select(run_parameters)).all()) == []


def test_a_child_is_found_by_its_parents_environment(db: Any) -> None:
    parent = a_run(env_id="Taxi-v3")
    child = a_run(name="test", kind="evaluate", parent_id=parent.id, config=EvaluateConfig(run_id=parent.id))
    put(db, parent, child)
    assert names(db, RunFilter(kind="evaluate", env_id="Taxi-v3", parent_id=parent.id)) == ["test"]


def test_renaming_and_tagging_change_what_search_finds(db: Any) -> None:
    run = a_run(tags=["old"])
    put(db, run)
    changed = db.write(
        lambda c: runs.patch(c, run.id, name="Second", tags=["new", "new", "b"], archived=True)
    )
    assert (changed.name, changed.tags, changed.archived) == ("Second", ["new", "b"], True)
    both = {"archived": None}
    assert names(db, RunFilter(q="old", **both)) == names(db, RunFilter(tag="old", **both)) == []
    assert names(db, RunFilter(q="second new", **both)) == names(db, RunFilter(tag="b", **both)) == ["Second"]
    with pytest.raises(InvalidInput, match="cannot be changed"):
        db.write(lambda c: runs.patch(c, run.id, status="succeeded"))


@pytest.mark.parametrize("sort", [sign + name for name in RUN_SORTS for sign in ("", "-")])
def test_pages_have_no_gaps_or_duplicates_in_any_sort_order(db: Any, sort: str) -> None:
    rewards = [None, 1.0, 1.0, 2.5, None, -3.0, 1.0, math.nan, 7.0]
    for i, reward in enumerate(rewards):
        summary = Summary(best_reward=reward, last_reward=reward, mean_reward=reward)
        created_at = CREATED_AT + timedelta(seconds=i // 2)
        started = created_at if i % 3 else None
        put(
            db,
            a_run(f"run{i}", name=f"n{i // 2}", summary=summary, created_at=created_at, started_at=started),
        )
    whole = [r.id for r in db.read(lambda c: runs.find_page(c, sort=sort, limit=100)).items]
    for limit in (1, 2, 4):
        paged, cursor = [], None
        while True:
            page = db.read(lambda c, at=cursor, n=limit: runs.find_page(c, sort=sort, limit=n, cursor=at))
            assert page.total == len(rewards)
            paged += [r.id for r in page.items]
            if (cursor := page.next_cursor) is None:
                break
        assert paged == whole
    assert sorted(whole) == [f"run{i}" for i in range(len(rewards))]


def test_runs_without_a_reward_come_last_in_both_directions(db: Any) -> None:
    for name, reward in (("none", None), ("low", 1.0), ("high", 2.0)):
        put(db, a_run(name=name, summary=Summary(best_reward=reward)))
    assert names(db, sort="best_reward") == ["low", "high", "none"]
    assert names(db, sort="-best_reward") == ["high", "low", "none"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cursor=st.text(max_size=60)
    | st.binary(max_size=40).map(lambda b: __import__("base64").b64encode(b).decode())
)
def test_a_forged_cursor_is_refused_with_a_message(db: Any, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        db.read(lambda c: runs.find_page(c, cursor=cursor))


@pytest.mark.parametrize(
    "content", [["-created_at", "x", "a"], ["-created_at", 2**70, "a"], ["name", 1, "a"], [1]]
)
def test_a_malformed_cursor_is_refused(db: Any, content: list[Any]) -> None:
    import base64
    import json

    cursor = base64.urlsafe_b64encode(json.dumps(content).encode()).decode()
    with pytest.raises(InvalidInput, match="cursor"):
        db.read(lambda c: runs.find_page(c, cursor=cursor))


def test_an_unknown_sort_suggests_the_nearest(db: Any) -> None:
    with pytest.raises(InvalidInput, match="Did you mean best_reward"):
        names(db, sort="best_rewrd")


def test_purging_a_run_deletes_all_its_rows(db: Any) -> None:
    run = a_run(tags=["a"])
    put(db, run)
    db.write(lambda c: events.append(c, run.id, EventType("x"), "y"))
    db.write(lambda c: runs.purge(c, run.id))
    assert db.read(lambda c: events.list_page(c, run.id)) == []
    assert db.read(lambda c: artifacts.list_for_run(c, run.id)) == []
    with pytest.raises(NotFound):
        db.read(lambda c: runs.get(c, run.id, include_deleted=True))


def test_progress_keeps_the_numbers_that_evaluations_have_measured(db: Any) -> None:
    run = a_run()
    put(db, run)
    db.write(lambda c: run_numbers.put(c, run.id, {"soft": 0.5, "loss": 9.0}, {"soft": "nightly@v1"}))
    db.write(lambda c: runs.update_progress(c, run.id, Progress(timestep=7), Summary(metrics={"loss": 0.25})))
    kept = db.read(lambda c: runs.get(c, run.id)).summary
    assert (kept.numbers, kept.cited) == ({"soft": 0.5, "loss": 9.0}, {"soft": "nightly@v1"})
    assert (
        names(db, RunFilter(q="metrics.soft>0.4")) == names(db, RunFilter(q="metrics.loss<1")) == [run.name]
    )


def test_the_training_of_a_run_is_its_nearest_parent_that_trains(db: Any) -> None:
    training = a_run()
    evaluation = a_run(kind="evaluate", config=EvaluateConfig(run_id=training.id), parent_id=training.id)
    forked = ForkConfig(run_id=evaluation.id, episode=0, step=0)
    fork = a_run(kind="fork", config=forked, parent_id=evaluation.id)
    play = a_run(kind="play", config=PlayConfig(env_id="CartPole-v1"))
    put(db, training, evaluation, fork, play)
    find = lambda run: db.read(lambda c: runs.find_training(c, run.id))  # noqa: E731
    assert [find(run).id for run in (training, evaluation, fork)] == [training.id] * 3
    assert find(play) is None
    db.write(lambda c: runs.patch(c, training.id, deleted_at=CREATED_AT))
    assert find(fork) is None
    assert db.read(lambda c: runs.find_training(c, "000000000000")) is None
