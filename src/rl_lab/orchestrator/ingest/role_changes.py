"""Sorts the episodes of a captured script again after the role of some of its environments has changed. Pure.

Numbers, steps, series and the run's figures become those that the run would have if the roles had been so from the
beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from rl_lab.core.errors import NotFound
from rl_lab.core.script_environments import EPISODE_SERIES, FIRST_EVALUATION, EnvironmentRole
from rl_lab.orchestrator.ingest.fold_result import PointLists
from rl_lab.orchestrator.ingest.run_state import RunState
from rl_lab.store.telemetry.batch import NewEpisode, Rearrangement


def rearrange(episodes: Sequence[NewEpisode], state: RunState) -> Rearrangement:
    """`episodes` in the order of arrival; the state is changed."""
    _begin_again(state)
    roles: dict[int, EnvironmentRole] = {one.number: one.role for one in state.environments}
    points = {name: PointLists() for names in EPISODE_SERIES.values() for name in names}
    steps: dict[int, int] = {}
    changed: dict[int, NewEpisode] = {}
    for episode in episodes:
        role = roles.get(episode.env_group or 0, "training")
        if episode.env_group is not None and episode.group_step is not None and role == "training":
            steps[episode.env_group] = episode.group_step
        timestep = sum(steps.values()) if episode.group_step is not None else episode.timestep
        new = episode._replace(episode=_count(state, role, episode), timestep=timestep)
        changed[episode.episode] = new
        _add_points(points, EPISODE_SERIES[role], new)
    total = sum(one.steps for one in state.environments if one.role == "training")
    state.timestep = max(total, sum(steps.values()))
    state.roles_changed = False
    return Rearrangement(changed, points, msgspec.to_builtins(state))


def apply_choice(state: RunState, roles: Mapping[int, EnvironmentRole]) -> None:
    """Take a user's choice for some environments; NotFound for a number that the script does not have."""
    for number, role in roles.items():
        environment = state.find_environment(number)
        if environment is None:
            known = ", ".join(str(one.number) for one in state.environments) or "none"
            raise NotFound(
                f"This run has no environment {number}.",
                next_step=f"Choose one of its environments: {known}.",
            )
        environment.choose(role)


def _begin_again(state: RunState) -> None:
    """Forget all figures that are made from episodes."""
    state.episodes = state.evaluations = 0
    state.rewards, state.lengths, state.sparkline, state.sparkline_stride = [], [], [], 1
    state.best_mean = state.best_reward = state.last_reward = state.last_length = None
    state.fps_times, state.fps_steps = [], []


def _count(state: RunState, role: str, episode: NewEpisode) -> int:
    if role == "evaluation":
        state.evaluations += 1
        return FIRST_EVALUATION + state.evaluations - 1
    state.episodes += 1
    state.end_episode(episode.reward, episode.length)
    state.extend_sparkline()
    return state.episodes - 1


def _add_points(points: dict[str, PointLists], names: tuple[str, str], episode: NewEpisode) -> None:
    for name, value in zip(names, (episode.reward, float(episode.length)), strict=True):
        if value is not None:
            points[name].steps.append(episode.timestep or 0)
            points[name].times.append(episode.at)
            points[name].values.append(value)
