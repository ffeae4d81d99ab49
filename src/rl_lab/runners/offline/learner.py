"""One offline training, from the job to the last checkpoint: updates the learner and reports to the session."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

from rl_lab.core.errors import InvalidInput
from rl_lab.portable.actions import action_packing
from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.bc import BehaviourCloning
from rl_lab.runners.offline.checkpoints import OfflineHeader, read_checkpoint, write_checkpoint
from rl_lab.runners.offline.cql import DiscreteCql
from rl_lab.runners.offline.cql_continuous import ContinuousCql
from rl_lab.runners.offline.environment import find_environment, score_evaluations
from rl_lab.runners.offline.iql import Iql
from rl_lab.runners.offline.layers import WIDE
from rl_lab.runners.offline.learning import OfflineLearner
from rl_lab.runners.offline.online import OnlinePhase, first_online_step
from rl_lab.runners.offline.precision import has_bfloat16
from rl_lab.runners.offline.spaces import LearnedSpaces
from rl_lab.runners.offline.spec import SPEC
from rl_lab.runners.offline.td3_bc import Td3Bc
from rl_lab.runners.offline.tensors import named_networks, to_arrays, to_tensors
from rl_lab.runners.offline.transitions import Transitions, load_transitions
from rl_lab.worker.datasets.own_rewards import score_dataset
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.environments.make import environment_version
from rl_lab.worker.failures import Diverged, LearningRateTooHigh
from rl_lab.worker.resume_reports import report_resume
from rl_lab.worker.session import Session

LEARNERS: dict[tuple[str, bool], type[Any]] = {
    ("bc", True): BehaviourCloning,
    ("bc", False): BehaviourCloning,
    ("iql", True): Iql,
    ("iql", False): Iql,
    ("cql", True): DiscreteCql,
    ("cql", False): ContinuousCql,
    ("td3_bc", False): Td3Bc,
}
"""By algorithm, and whether actions are discrete."""

ROUNDED = f"Layers of {WIDE} units and more are multiplied with bfloat16"
QUICK_ROUNDING = f"{ROUNDED}, which this processor has; precision=float32 is more exact and slower."
SLOW_ROUNDING = (
    f"{ROUNDED}, which this processor is not known to have: where it imitates it, precision=float32 trains faster. "
    "That is more exact, too."
)


def train(session: Session) -> None:
    torch.set_num_threads(1)
    training = OfflineTraining(session)
    try:
        training.run()
    except Diverged as error:
        raise LearningRateTooHigh(str(error), training.params.learning_rate) from error


class OfflineTraining:
    def __init__(self, session: Session) -> None:
        config = session.train_config
        self._session, self._algorithm = session, config.algorithm.lower()
        self.params = read_params(self._algorithm, config.params)
        folder, score = _require_dataset(session), partial(score_dataset, session)
        self._data = load_dataset(folder, self._algorithm, self.params, score)
        self._has_environment = find_environment(session, self._data.spaces)
        self._announce()
        self._learner = make_learner(self._algorithm, self._data.spaces, self.params, config.start_seed)
        self._log_precision()
        self._sampler = BatchSampler(
            self._data, self.params.batch_size, config.start_seed, self._learner.noise
        )
        self._updates = 0
        self._switch = first_online_step(session, self.params, self._has_environment)
        self._online: OnlinePhase | None = None
        if self._switch < session.step_limit:
            assert isinstance(self._learner, Iql)
            self._online = OnlinePhase(session, self._learner, self._data, config.start_seed)
        self._restore()
        if self._has_environment:
            score_evaluations(session, self._data.reference)

    def run(self) -> None:
        session = self._session
        try:
            is_stopped = self._learn(self._switch, self._update)
            if self._online is not None and not is_stopped:
                if self._updates == self._switch:
                    self._online.begin(self._switch)
                self._learn(session.step_limit, self._online.step)
            session.finish(self.save, self._updates)
        finally:
            if self._online is not None:
                self._online.close()

    def _update(self, number: int, wants_metrics: bool) -> dict[str, Any]:
        return self._learner.update(self._sampler.batch(number), wants_metrics)

    def _learn(self, until: int, step: Callable[[int, bool], dict[str, Any]]) -> bool:
        """Makes steps up to this number; returns whether the run was stopped before."""
        session = self._session
        reported, first = time.monotonic(), self._updates
        while self._updates < until:
            now = time.monotonic()
            is_due = now - reported >= session.metrics_interval_s or self._updates + 1 == until
            metrics = step(self._updates, is_due)
            self._updates += 1
            if is_due:
                self._report(metrics, (self._updates - first) / max(now - reported, 1e-9))
                reported, first = now, self._updates
            if session.boundary(self._updates, self.save):
                return True
        return False

    def _report(self, metrics: dict[str, Any], fps: float) -> None:
        values = {name: float(value) for name, value in metrics.items()}
        for name in ("q_mean", "q_max"):
            if name in values:  # in the environment's rewards
                values[name] /= self._data.reward_scale
        values |= {"learning_rate": self.params.learning_rate, "fps": fps}
        self._session.metrics(values, self._updates)

    def save(self, path: Path) -> None:
        config = self._session.train_config
        header = OfflineHeader(
            self._algorithm,
            self.params.model_dump(),
            self._data.spaces,
            config.env_id,
            config.env_kwargs,
        )
        state = {
            "learner": to_arrays(self._learner.state()),
            "scaling": to_arrays(self._data.scaling()),
            "updates": self._updates,
            "session": self._session.state(),
        }
        if self._online is not None and self._updates > self._switch:
            state["online"] = to_arrays(self._online.state())
        write_checkpoint(path, header, named_networks(self._learner, self._data), state)

    def _restore(self) -> None:
        with self._session.resume_file() as checkpoint:
            if checkpoint is None:
                return
            _, state = read_checkpoint(checkpoint)
        self._learner.restore(to_tensors(state["learner"]))
        self._updates = int(state["updates"])
        self._session.restore(state["session"])
        difference = ""
        if self._online is not None and "online" in state:
            difference = self._online.restore(state["online"])
        report_resume(self._session, difference)

    def _log_precision(self) -> None:
        if not any(stack.has_rounded_layers for stack in self._learner.stacks.values()):
            return
        log = partial(self._session.telemetry.log, code="precision")
        log("info", QUICK_ROUNDING) if has_bfloat16() else log("warning", SLOW_ROUNDING)

    def _announce(self) -> None:
        session, config = self._session, self._session.train_config
        version = environment_version(config.env_id) if self._has_environment else None
        session.announce(
            packing=action_packing(self._data.action_space),
            env_version=version,
            args=self.params.model_dump(),
        )


def _require_dataset(session: Session) -> Path:
    folder = session.job.dataset_dir
    if folder is None:
        raise InvalidInput.of_field(
            "dataset", "The offline learners learn from a dataset, and this run names none: --dataset NAME."
        )
    return folder


def read_params(algorithm: str, given: dict[str, Any]) -> Any:
    return SPEC.algorithm(algorithm).params.model_validate(given)


def load_dataset(
    folder: Path, algorithm: str, params: Any, score: Callable[[OpenDataset], Any] | None = None
) -> Transitions:
    return load_transitions(
        folder,
        algorithm,
        normalize_observations=params.normalize_observations,
        normalize_reward=getattr(params, "normalize_reward", False),
        gamma=getattr(params, "gamma", 0.99),
        best_share=params.best_share,
        score=score,
    )


def make_learner(algorithm: str, spaces: LearnedSpaces, params: Any, seed: int) -> OfflineLearner:
    generator = torch.Generator().manual_seed(seed)
    made: OfflineLearner = LEARNERS[algorithm, spaces.is_discrete](spaces, params, generator)
    return made
