"""What is unfinished when a checkpoint is saved: the episodes of the environments, and the rollout they belong to.

The environments are brought back by simulating their unfinished episodes again. A rollout that was cut continues with
the steps that it lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from stable_baselines3.common.type_aliases import RolloutReturn, TrainFreq
from stable_baselines3.common.vec_env import VecFrameStack

from rl_lab.worker.recorded_env import RecordedEnv

COLUMNS = ("observations", "actions", "rewards", "episode_starts", "values", "log_probs")
"""Of a rollout buffer; its other columns are computed at the end of the rollout."""

State = dict[str, Any]


class StopTraining(Exception):
    """Ends `learn` between two steps, where everything is complete."""


def call_before_actions(model: Any, call: Callable[[], None]) -> None:
    """`call` is called whenever the learner is about to choose actions, so between two steps.

    The library's own callback comes too early: the step is counted, but not stored yet.
    """
    if hasattr(model, "rollout_buffer"):
        model.policy.register_forward_pre_hook(lambda *_: call())
        return
    sample = model._sample_action

    def sample_action(*args: Any, **options: Any) -> Any:
        call()
        return sample(*args, **options)

    model._sample_action = sample_action


def environment_state(vector: Any) -> State:
    state: State = {str(index): env.state() for index, env in enumerate(_recorded(vector))}
    stack = _frame_stack(vector)
    return {"envs": state, "frames": stack.stacked_obs.copy()} if stack else {"envs": state}


def bring_back(vector: Any, state: Mapping[str, Any]) -> bool:
    """False if an environment did not repeat its unfinished episode."""
    envs = list(_recorded(vector))
    if len(envs) != len(state["envs"]):
        return False
    repeated = [env.bring_back(state["envs"][str(index)]) for index, env in enumerate(envs)]
    stack = _frame_stack(vector)
    if stack is not None:
        stack.stacked_obs[...] = state["frames"]
    return all(repeated)


def rollout_state(model: Any, collected: int) -> State:
    """The steps of the current rollout so far."""
    buffer = getattr(model, "rollout_buffer", None)
    columns = {} if buffer is None else {name: _part(getattr(buffer, name), collected) for name in COLUMNS}
    return {"collected": collected, **({"columns": columns} if collected else {})}


def continue_rollout(model: Any, state: Mapping[str, Any]) -> None:
    """Lets the next rollout collect only the steps that the saved one lacks; call it before `learn`."""
    collected, collect = state.get("collected", 0), type(model).collect_rollouts
    if not collected:
        return

    def collect_rest(*args: Any, **options: Any) -> Any:
        del model.collect_rollouts
        if hasattr(model, "rollout_buffer"):
            options["n_rollout_steps"] -= collected
            return collect(model, *args, **options)
        options["train_freq"] = TrainFreq(
            options["train_freq"].frequency - collected, options["train_freq"].unit
        )
        rest = collect(model, *args, **options)
        # The number of gradient steps may follow from it.
        return RolloutReturn(
            rest.episode_timesteps + collected * model.n_envs, rest.n_episodes, rest.continue_training
        )

    model.collect_rollouts = collect_rest


def fill_rollout(model: Any, state: Mapping[str, Any]) -> None:
    """Puts the saved steps of a rollout back; call it once the library has cleared its buffer."""
    if "columns" not in state or not hasattr(model, "rollout_buffer"):
        return
    buffer, collected = model.rollout_buffer, state["collected"]
    for name, column in state["columns"].items():
        _put(getattr(buffer, name), column, collected)
    buffer.pos = collected


def _part(column: Any, count: int) -> Any:
    """The first rows; observations may be a dict of columns."""
    if isinstance(column, dict):
        return {key: part[:count].copy() for key, part in column.items()}
    return column[:count].copy()


def _put(column: Any, saved: Any, count: int) -> None:
    if isinstance(column, dict):
        for key, part in column.items():
            part[:count] = saved[key]
    else:
        column[:count] = saved


def _recorded(vector: Any) -> Iterator[RecordedEnv]:
    for env in vector.unwrapped.envs:
        while not isinstance(env, RecordedEnv):
            env = env.env
        yield env


def _frame_stack(vector: Any) -> Any:
    """The wrapper's memory of the last frames; None without one."""
    while vector is not None and not isinstance(vector, VecFrameStack):
        vector = getattr(vector, "venv", None)
    return None if vector is None else vector.stacked_obs
