"""All pairs of state and move, and random walks: no run ever leaves the table of transitions."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import update
from support.labs import furnish, make_settings, toy, wait_for

from rl_lab.core.errors import MoveRefused
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import FINAL, MOVES, TRANSITIONS, EndReason, Move, Run, RunStatus, allowed_moves
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.store import runs, transitions
from rl_lab.store.sql.database import Database
from rl_lab.store.sql.tables import runs as run_table

PAIRS = [(state, move) for state in RunStatus for move in MOVES]


def test_every_pair_of_state_and_move_is_answered_as_the_table_says(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        # Nobody else moves the runs while the pairs are tried.
        await lab.execution.queue.close()
        try:
            for state, move in PAIRS:
                await _try(lab, state, move)
        finally:
            await lab.close()

    asyncio.run(story())


def test_a_run_that_has_just_left_the_queue_is_not_deleted_under_its_worker(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        await lab.execution.queue.close()
        try:
            run = await lab.runs.create(toy())
            stop = lab.runs._moves.stop

            async def start_first(run: Run) -> Run:
                """The queue starts the run right after the deletion has read it."""
                lab.runs._moves.stop = stop  # type: ignore[method-assign]
                await lab.execution.launcher.start(run)
                return await stop(run)

            lab.runs._moves.stop = start_first  # type: ignore[method-assign]
            with pytest.raises(MoveRefused):
                await lab.runs.delete(run.id)
            assert (await lab.queries.get_run(run.id)).deleted_at is None
            await lab.runs.move(run.id, "stop", force=True)
            await wait_for(lab, run.id, *FINAL)
            assert (await lab.runs.delete(run.id)).deleted_at is not None
        finally:
            await lab.close()

    asyncio.run(story())


async def _try(lab: Lab, state: RunStatus, move: Move) -> None:
    run = await lab.runs.create(toy(start=False))
    await lab.context.db.write(
        lambda conn: conn.execute(update(run_table).where(run_table.c.id == run.id).values(status=state))
    )
    target = MOVES[move].get(state)
    if target is None:
        with pytest.raises(MoveRefused) as refused:
            await lab.runs.move(run.id, move)
        assert refused.value.allowed == allowed_moves(state)
        assert (await lab.queries.get_run(run.id)).status is state
        return
    moved = await lab.runs.move(run.id, move)
    # A pause or its end is a wish until the worker says so.
    wish = (state, move) in {(RunStatus.running, "pause"), (RunStatus.paused, "resume")}
    assert moved.status is (state if wish else target)
    assert moved.paused_wanted == (move == "pause")


_CONFIG = TrainConfig(algorithm="toy", env_id="CartPole-v1", runner="fake")


class OneRun(RuleBasedStateMachine):
    """Two orchestrators, one of them with an old view, push a run about by compare-and-set."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._loop = asyncio.new_event_loop()
        self._db = Database(Path(self._folder.name))
        self._do(self._db.migrate())
        run = new_run(_CONFIG, name="one")
        self.run_id = run.id
        self._do(self._db.write(lambda conn: runs.insert(conn, run)))
        self.model, self.version = RunStatus.created, 0

    @rule(expected=st.sampled_from(RunStatus), to=st.sampled_from(RunStatus), is_stale=st.booleans())
    def change(self, expected: RunStatus, to: RunStatus, is_stale: bool) -> None:
        version = self.version - 1 if is_stale else self.version
        reason = EndReason(cause="test", message="Because.")
        if to not in TRANSITIONS[expected]:
            with pytest.raises(ValueError, match="no transition from"):
                self._change(expected, to, version, reason)
            return
        changed = self._change(expected, to, version, reason)
        if expected is self.model and not is_stale:
            assert changed is not None
            self.model, self.version = to, self.version + 1
        else:
            assert changed is None

    @invariant()
    def is_where_the_model_is(self) -> None:
        run = self._do(self._db.read(lambda conn: runs.get(conn, self.run_id)))
        assert run.status is self.model
        assert run.version == self.version
        assert run.allowed == allowed_moves(self.model)
        history = self._do(self._db.read(lambda conn: transitions.list_for_run(conn, self.run_id)))
        assert history[-1].to_status is self.model
        for step in history[1:]:
            assert step.from_status is not None
            assert step.to_status in TRANSITIONS[step.from_status]

    def teardown(self) -> None:
        self._do(self._db.close())
        self._loop.close()
        self._folder.cleanup()

    def _change(self, expected: RunStatus, to: RunStatus, version: int, reason: EndReason):  # type: ignore[no-untyped-def]
        return self._do(
            self._db.write(
                lambda conn: runs.change_status(
                    conn,
                    self.run_id,
                    expected=expected,
                    to=to,
                    version=version,
                    reason=reason,
                    at=datetime.now(UTC),
                )
            )
        )

    def _do(self, work):  # type: ignore[no-untyped-def]
        return self._loop.run_until_complete(work)


OneRun.TestCase.settings = hypothesis_settings(max_examples=15, stateful_step_count=40, deadline=None)
TestOneRun = OneRun.TestCase
