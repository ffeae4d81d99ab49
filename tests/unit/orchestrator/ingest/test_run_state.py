"""The numbers of a run: means, speed, time, sparkline, and what a new attempt resets."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.protocol.ticks import Tick
from rl_lab.orchestrator.ingest.run_state import JUMP_S, MAX_T, SPARKLINE_POINTS, RunState, as_time

T0 = 1_700_000_000.0


def played(*rewards: float | None) -> RunState:
    state = RunState()
    for reward in rewards:
        state.episodes += 1
        state.end_episode(reward, 10)
        state.extend_sparkline()
    return state


def test_the_best_mean_needs_a_full_window() -> None:
    assert played(*[1.0] * (REWARD_WINDOW - 1)).best_mean is None
    assert played(*[1.0] * REWARD_WINDOW, 0.0).best_mean == 1.0


@pytest.mark.parametrize("reward", [None, math.nan, math.inf])
def test_an_episode_without_a_finite_reward_counts_only_its_length(reward: float | None) -> None:
    state = played(4.0, reward)
    assert (state.mean_reward, state.last_reward, state.mean_length) == (4.0, 4.0, 10.0)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=400))
def test_the_sparkline_never_has_more_points_than_fit(rewards: list[float]) -> None:
    state = played(*rewards)
    assert 1 <= len(state.sparkline) <= SPARKLINE_POINTS
    assert len(state.rewards) == min(len(rewards), REWARD_WINDOW)


def test_a_job_that_counts_something_else_begins_again() -> None:
    state = RunState(total_timesteps=9_000)
    state.reach(9_000, T0, "byte")
    state.total_timesteps = 40
    state.reach(10, T0 + 1, "step")
    state.reach(10, T0 + 2)  # the unit stays
    state.reach(10, T0 + 2, "parsecs")
    progress = state.progress()
    assert (progress.timestep, progress.fraction, progress.unit) == (10, 0.25, "step")


def test_a_gap_longer_than_a_jump_is_not_time_spent() -> None:
    state = RunState()
    for t in (T0, T0 + 5, T0 + 5 + JUMP_S, T0 + 6 + JUMP_S, T0):
        state.pass_time(t)
    assert state.elapsed_s == 6.0


def test_a_pause_and_the_start_are_no_training_time() -> None:
    state = RunState(is_starting=True)
    state.pass_time(T0)
    state.pass_time(T0 + 9)  # libraries are loaded
    state.is_starting = False
    state.pass_time(T0 + 12)
    state.is_paused = True
    state.pass_time(T0 + 60)
    state.is_paused = False
    state.pass_time(T0 + 61)
    assert state.elapsed_s == 4.0


def test_a_run_with_a_time_limit_is_as_far_as_its_time() -> None:
    state = RunState(max_seconds=40, elapsed_s=10.0)
    assert (state.progress().fraction, state.progress().eta_s) == (0.25, 30.0)


def test_speed_and_time_left_come_from_the_last_seconds() -> None:
    state = RunState(total_timesteps=1000)
    for second in range(5):
        state.reach(second * 100, T0 + second)
    assert (state.progress().fps, state.progress().eta_s) == (100.0, 6.0)
    state.is_paused = True
    assert state.progress().eta_s is None


def test_a_timestep_never_goes_back() -> None:
    state = RunState()
    state.reach(50, None)
    state.reach(20, None)
    assert state.timestep == 50


def test_a_new_attempt_keeps_the_numbers_of_the_run() -> None:
    state = played(1.0, 2.0)
    state.said_hello = state.is_paused = True
    state.finished = FinishedEvent()
    state.lines = state.broken_lines = state.files_told = 7
    state.begin_attempt(2, timestep0=500)
    assert (state.attempt, state.timestep, state.episodes, state.mean_reward) == (2, 500, 2, 1.5)
    assert (state.lines, state.broken_lines, state.files_told) == (0, 0, 0)
    assert (state.said_hello, state.is_paused, state.finished) == (False, False, None)


def test_a_tick_has_every_field_but_its_id() -> None:
    assert {*played(1.0).tick(T0), "id"} == set(Tick.model_fields)


def test_the_stored_state_comes_back_as_it_was() -> None:
    state = played(1.0, 2.0)
    state.finished = FinishedEvent(outcome="failed", summary={"a": 1})
    assert msgspec.convert(msgspec.to_builtins(state), RunState) == state


@pytest.mark.parametrize("t", [None, -1.0, MAX_T, math.nan])
def test_an_impossible_time_is_none(t: float | None) -> None:
    assert as_time(t) is None
