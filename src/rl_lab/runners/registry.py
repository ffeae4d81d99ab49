"""The table of runners. It holds import strings, so that listing runners imports no library."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

from rl_lab.core.errors import InvalidInput, nearest
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.worker.runner import Runner, runner_of

if TYPE_CHECKING:
    from rl_lab.worker.session import Session

RUNNERS: dict[str, str] = {
    "sb3": "rl_lab.runners.sb3:Sb3Runner",
    "turbo": "rl_lab.runners.turbo:TurboRunner",
    "offline": "rl_lab.runners.offline:OfflineRunner",
    "script": "rl_lab.runners.script:ScriptRunner",
    "cleanrl": "rl_lab.runners.cleanrl:CleanRlRunner",
    "corl": "rl_lab.runners.corl:CorlRunner",
    "program": "rl_lab.runners.program:ProgramRunner",
    "fake": "rl_lab.runners.fake:FakeRunner",
    "onnx": "rl_lab.runners.evaluate_only:OnnxRunner",
    "torchscript": "rl_lab.runners.evaluate_only:TorchScriptRunner",
}
PLAYING_ONLY = frozenset({"onnx", "torchscript"})
"""Runners of imported policies; they train nothing, so no list offers them."""
HIDDEN = {"fake": "RL_LAB_FAKE_RUNNER"}
"""Runners that are listed only if this variable is 1."""


def listed_runners() -> list[str]:
    offered = [id_ for id_ in RUNNERS if id_ not in PLAYING_ONLY]
    return [id_ for id_ in offered if id_ not in HIDDEN or os.environ.get(HIDDEN[id_]) == "1"]


def load_runner(runner_id: str) -> Runner:
    """Loads a runner, including hidden ones."""
    _require_known(runner_id, RUNNERS)
    return runner_of(RUNNERS[runner_id])


def find_spec(runner_id: str) -> RunnerSpec:
    """The spec of a listed runner; raises for a hidden one."""
    _require_known(runner_id, listed_runners())
    return load_runner(runner_id).spec


def _require_known(runner_id: str, known: Collection[str]) -> None:
    if runner_id in known:
        return
    if runner_id in PLAYING_ONLY:
        message = "A policy of this kind can be evaluated, but not trained."
        raise InvalidInput.of_field("runner", f"{message} ({runner_id})", sorted(listed_runners()))
    close = nearest(runner_id, listed_runners())
    hint = f" Did you mean {close[0]}?" if close else ""
    raise InvalidInput.of_field(
        "runner", f"There is no runner “{runner_id}”.{hint}", sorted(listed_runners())
    )


def spec_of(config: JobConfig) -> RunnerSpec | None:
    """The spec of a training's runner; None for other jobs, and for a runner that no longer exists."""
    if not isinstance(config, TrainConfig) or config.runner not in RUNNERS:
        return None
    return load_runner(config.runner).spec


def makes_environment(config: JobConfig) -> bool:
    """Whether the program of a run creates its own environment, so that the program decides which one it is."""
    spec = spec_of(config)
    return spec is not None and spec.capabilities.own_environment


def all_specs() -> list[RunnerSpec]:
    """The specs of all listed runners; imports no learning library."""
    return [load_runner(id_).spec for id_ in listed_runners()]


def parameter_names() -> frozenset[str]:
    """The names of all hyper-parameters that listed runners have."""
    algorithms = (algorithm for spec in all_specs() for algorithm in spec.algorithms)
    return frozenset(name for algorithm in algorithms for name in algorithm.params.model_fields)


def train(session: Session) -> None:
    """Runs a job of kind train."""
    runner = load_runner(session.train_config.runner)
    session.checkpoint_suffix = runner.spec.checkpoint_suffix
    session.evaluate_alongside(RUNNERS[session.train_config.runner])
    runner.train(session)
