"""The modules `gym` and `d4rl` that a script imports in a run that names a dataset, installed or not."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from math import isfinite
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.d4rl_standin import old_gym
from rl_lab.capture.d4rl_standin.dataset_env import make

if TYPE_CHECKING:
    from rl_lab.capture.d4rl_standin.dataset_run import DatasetRun, PlayedEvaluation
    from rl_lab.capture.session import CaptureSession

NAMES = ("gym", "d4rl")
"""Top-level modules that are given; `runners/corl` names the same ones."""
GYM_VERSION = "0.23.1"
NORMALISED_SCORE = "normalised_score"
"""The lab's name for it; see `core/protocol/metrics.py`."""
SOURCE = "the lab, from the episodes of the script's evaluations"


class DatasetFinder:
    """Finds gym, d4rl and their submodules, before installed packages are searched for."""

    def __init__(self, session: CaptureSession, run: DatasetRun) -> None:
        self._session = session
        self._run = run

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        top = name.partition(".")[0]
        if top not in NAMES:
            return None
        if name not in PARTS:
            return None if top == name else _refuse(name)
        self._session.stood_in.add(top)
        return ModuleSpec(name, _PartLoader(self._session, self._run), is_package=True)  # type: ignore[arg-type]


class _PartLoader:
    def __init__(self, session: CaptureSession, run: DatasetRun) -> None:
        self._session = session
        self._run = run

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = GivenModule(spec.name)
        vars(module).update(PARTS[spec.name](self._run))
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "gym":
            # Scripts use gym.wrappers and gym.spaces without importing them.
            for part in ("wrappers", "spaces", "logger"):
                __import__(f"gym.{part}")
        if module.__name__ == "d4rl":
            self._session.log_once("score_reference", self._run.score_range.sentence(), level="info")


class GivenModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"The lab's stand-in for {self.__name__} has no “{name}”; it has what CORL's scripts for datasets use."
        )


def _refuse(name: str) -> ModuleSpec | None:
    raise ModuleNotFoundError(
        f"The lab's stand-in for {name.partition('.')[0]} has no module {name}; it has what CORL's scripts for "
        "datasets use.",
        name=name,
    )


def _gym(run: DatasetRun) -> dict[str, Any]:
    return {
        "__version__": GYM_VERSION,
        "Env": old_gym.OldGymEnv,
        "Wrapper": old_gym.OldGymWrapper,
        "ObservationWrapper": old_gym.OldGymObservationWrapper,
        "RewardWrapper": old_gym.OldGymRewardWrapper,
        "ActionWrapper": old_gym.OldGymActionWrapper,
        "make": functools.partial(make, run),
    }


def _wrappers(_run: DatasetRun) -> dict[str, Any]:
    return dict(old_gym.WRAPPERS)


def _spaces(_run: DatasetRun) -> dict[str, Any]:
    import gymnasium

    return {name: getattr(gymnasium.spaces, name) for name in gymnasium.spaces.__all__}


def _logger(_run: DatasetRun) -> dict[str, Any]:
    return {"set_level": lambda _level: None, "ERROR": 40, "WARN": 30, "INFO": 20, "DEBUG": 10}


def _d4rl(run: DatasetRun) -> dict[str, Any]:
    return {
        "qlearning_dataset": _qlearning_dataset(run),
        "sequence_dataset": lambda env, dataset=None, **_more: run.columns.episodes(),
        "get_normalized_score": lambda _env_name, score: run.score_range.normalise(score),
        "set_dataset_path": lambda _path: None,
    }


def _qlearning_dataset(run: DatasetRun) -> Callable[..., dict[str, Any]]:
    def qlearning_dataset(
        env: Any, dataset: Any = None, terminate_on_end: bool = False, **_more: Any
    ) -> dict[str, Any]:
        found = run.columns.transitions()
        if terminate_on_end:
            found["terminals"] = found["terminals"] | run.columns.trajectories()["timeouts"]
        return found

    return qlearning_dataset


PARTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "gym": _gym,
    "gym.wrappers": _wrappers,
    "gym.spaces": _spaces,
    "gym.logger": _logger,
    "d4rl": _d4rl,
}
"""Module → what it has."""


def install_stand_ins(session: CaptureSession, run: DatasetRun) -> None:
    sys.meta_path.insert(0, DatasetFinder(session, run))
    run.report = lambda played: report_evaluation(session, played)
    session.on_end.append(run.end_evaluation)


def report_evaluation(session: CaptureSession, played: PlayedEvaluation) -> None:
    """As the lab's own learners report theirs; it belongs to no checkpoint."""
    session.telemetry.send(
        "evaluation", timestep=played.update, episodes=played.episodes, return_mean=played.return_mean
    )
    if isfinite(played.score):
        values = {NORMALISED_SCORE: played.score}
        session.telemetry.metrics(values, played.update, {NORMALISED_SCORE: SOURCE})
