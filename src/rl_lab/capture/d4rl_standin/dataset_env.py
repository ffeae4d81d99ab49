"""DatasetEnv: the environment that a dataset was recorded in, with D4RL's methods for its data and its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rl_lab.capture.d4rl_standin.columns import DatasetColumns
from rl_lab.capture.d4rl_standin.old_gym import OldGymMade
from rl_lab.capture.failures import DatasetUnusable

if TYPE_CHECKING:
    from rl_lab.capture.d4rl_standin.dataset_run import DatasetRun


class DatasetEnv(OldGymMade):
    """`gym.make(name of the dataset)`."""

    def __init__(self, env: Any, run: DatasetRun) -> None:
        super().__init__(env)
        self._run = run
        self._returned = 0.0

    def reset(self, *, seed: Any = None, **more: Any) -> Any:
        self._returned = 0.0
        return super().reset(seed=seed, **more)

    def step(self, action: Any) -> tuple[Any, Any, bool, dict[str, Any]]:
        result = super().step(action)
        self._returned += float(result[1])
        if result[2]:
            self._run.add_episode(self._returned)
            self._returned = 0.0
        return result

    def get_dataset(self, *_given: Any, **_more: Any) -> dict[str, Any]:
        return self._run.columns.trajectories()

    def get_normalized_score(self, score: Any) -> Any:
        return self._run.score_range.normalise(score)

    @property
    def ref_min_score(self) -> float:
        return self._run.score_range.low

    @property
    def ref_max_score(self) -> float:
        return self._run.score_range.high


def make(run: DatasetRun, wanted: str, **more: Any) -> OldGymMade:
    """`gym.make`: the dataset's environment for the dataset's name, otherwise the environment of that name."""
    import gymnasium

    more.setdefault("disable_env_checker", True)
    if wanted != run.name:
        return OldGymMade(gymnasium.make(wanted, **more))
    columns = run.columns
    try:
        return DatasetEnv(gymnasium.make(columns.env_id, **{**columns.env_kwargs, **more}), run)
    except (gymnasium.error.Error, ImportError, TypeError) as error:
        raise DatasetUnusable(
            f"The environment {columns.env_id or '(not named)'} of the dataset “{run.name}” cannot be made: {error}",
            f"The script plays its evaluations in it. {_remedy(columns)}",
        ) from error


def _remedy(columns: DatasetColumns) -> str:
    if not columns.env_id:
        return "Import the dataset again and name its environment."
    return "Install the package that brings it into the Python of the script; `rl-lab envs` names it."
