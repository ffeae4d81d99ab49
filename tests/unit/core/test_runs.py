"""The table of moves, and what a person is told when a move is not in it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from rl_lab.core.errors import MoveRefused
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import FINAL, MOVES, TRANSITIONS, Run, RunStatus, allowed_moves, require_move


def test_every_move_a_user_can_make_is_a_transition_of_the_table() -> None:
    for table in MOVES.values():
        for source, target in table.items():
            assert target in TRANSITIONS[source]


def test_every_state_has_a_row_and_every_live_state_can_be_lost() -> None:
    assert set(TRANSITIONS) == set(RunStatus)
    for status in (RunStatus.starting, RunStatus.running, RunStatus.paused, RunStatus.stopping):
        assert RunStatus.lost in TRANSITIONS[status]


def test_only_a_later_end_takes_a_success_back_into_the_queue() -> None:
    assert TRANSITIONS[RunStatus.succeeded] == frozenset({RunStatus.queued})
    assert all(RunStatus.succeeded not in table for table in MOVES.values())
    assert allowed_moves(RunStatus.succeeded) == []
    assert RunStatus.succeeded in FINAL


@pytest.mark.parametrize("status", list(RunStatus))
@pytest.mark.parametrize("move", list(MOVES))
def test_a_forbidden_move_names_the_allowed_ones(move: str, status: RunStatus) -> None:
    if status in MOVES[move]:  # type: ignore[index]
        assert require_move(move, status) == MOVES[move][status]  # type: ignore[arg-type,index]
        return
    with pytest.raises(MoveRefused) as refused:
        require_move(move, status)  # type: ignore[arg-type]
    assert refused.value.allowed == allowed_moves(status)
    assert status in refused.value.detail


@pytest.mark.parametrize("status", list(RunStatus))
def test_an_ended_foreign_program_is_not_offered_to_be_taken_up_again(status: RunStatus) -> None:
    expected = [] if status in FINAL else allowed_moves(status)
    assert allowed_moves(status, is_foreign=True) == expected


def test_a_refusal_names_no_move_that_would_be_refused_too() -> None:
    with pytest.raises(MoveRefused) as refused:
        require_move("stop", RunStatus.failed, is_foreign=True)
    assert refused.value.allowed == []
    assert "resume" not in refused.value.detail


def test_run_ids_are_distinct_and_safe_in_a_path() -> None:
    ids = {new_run_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(i) == 12 and i.isalnum() and i.islower() for i in ids if not i.isdigit())


def test_the_progress_of_a_job_names_what_it_counts() -> None:
    now = datetime.now(UTC)
    config = {"kind": "duel", "contestants": [{"run_id": "1h5w2k0p7q3x"}, {"run_id": "1h5w2k0p7q3y"}]}
    made = Run.model_validate(
        {"id": "x", "kind": "duel", "name": "x", "config": config, "created_at": now, "updated_at": now}
    )
    assert made.progress.unit == "seed"
    again = Run.model_validate_json(made.model_dump_json())
    assert again.progress.unit == "seed"


@pytest.mark.parametrize(
    ("env_id", "env_kwargs", "is_checked"),
    [
        ("CartPole-v1", {}, True),
        ("CartPole-v1", {"wrappers": [{"id": "frame_stack"}]}, True),
        ("CartPole-v1", {"wrappers": [{"id": "custom", "code": "hold@v1"}]}, False),
        ("own:grid-v1", {}, False),
    ],
)
def test_a_run_says_when_its_returns_are_what_code_of_the_user_reports(
    env_id: str, env_kwargs: dict[str, Any], is_checked: bool
) -> None:
    now = datetime.now(UTC)
    config = TrainConfig(algorithm="ppo", env_id=env_id, env_kwargs=env_kwargs)
    run = Run(id="x", name="x", config=config, env_id=env_id, created_at=now, updated_at=now)
    assert (run.returns_note == "") is is_checked
    evaluation = EvaluateConfig(run_id="x", env_kwargs=env_kwargs)
    job = Run(
        id="y",
        kind=RunKind.evaluate,
        name="y",
        config=evaluation,
        env_id=env_id,
        created_at=now,
        updated_at=now,
    )
    assert job.returns_note == run.returns_note
