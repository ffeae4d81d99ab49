"""Any Python script, unmodified: started under a capture layer that turns what it does into the lab's events."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar, Literal

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, RunnerSpec, param
from rl_lab.runners.foreign import (
    FILES,
    ForeignParams,
    beside,
    checked_env,
    readable,
    refuse_policy,
    work_folder,
    writable,
)
from rl_lab.runners.python_call import PythonCall, parse_call
from rl_lab.worker.runner import Place, Policy
from rl_lab.worker.session import Session

START = Path(__file__).resolve().parents[1] / "capture" / "start.py"
"""What the user's Python runs first; it then runs the script as if it had been started itself."""


class ScriptParams(ForeignParams):
    python: str = param(
        "", "Python interpreter, instead of the one the command names.", group="Command", advanced=True
    )
    wandb: Literal["stand-in", "offline", "online"] = param(
        "stand-in", "W&B calls: answered by the lab without an account, or by the real package.", group="Capture"
    )  # fmt: skip
    gymnasium_029: Literal["auto", "on", "off"] = param(
        "auto", "Behave like Gymnasium 0.29; auto: for scripts that were written for it.", group="Capture"
    )


class ScriptRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="script",
        name="Python script",
        description="Any Python script as it is: episodes, metrics, configuration and files are captured.",
        capabilities=Capabilities(
            pause=True, checkpoint=True, record=True, foreign=True, own_environment=True
        ),
        algorithms=(
            AlgorithmSpec(
                id="python",
                name="Python script",
                description="The script decides what and how it learns.",
                action_kinds=("discrete", "continuous"),
                params=ScriptParams,
            ),
        ),
        checkpoint_suffix=".pt",
        worker_word="script",
    )

    def command(self, config: TrainConfig, place: Place) -> Command:
        params = ScriptParams.model_validate(config.params)
        return captured(parse_call(params, params.python), params, place)

    def train(self, session: Session) -> None:
        raise refuse_policy("script")

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        raise refuse_policy("script")


def captured(call: PythonCall, params: ScriptParams, place: Place, reads: list[str] | None = None) -> Command:
    """The call with the capture layer before it; for every runner whose learner is a Python script."""
    if params.wandb != "stand-in" and not params.network:
        # Offline too: the real package speaks to a process of its own over a socket.
        raise InvalidInput.of_field(
            "params.network",
            f"W&B {params.wandb} needs sockets; allow the network (--network), or choose the stand-in.",
        )
    around = beside(call.script, place.home) if call.script else [params.folder] if params.folder else []
    return Command(
        argv=[call.python, *call.options, str(START), str(place.job), "--", *call.target, *call.args],
        shown=[call.python, *call.options, *call.target, *call.args],
        cwd=str(work_folder(params, place)),
        env={**_wandb_env(params, place), **checked_env(params)},
        script=str(call.script) if call.script else None,
        reads=list(dict.fromkeys([*around, *(reads or []), *readable(params, place), *_wandb_reads(params)])),
        writes=writable(params, place),
        network=params.network,
    )


def _wandb_env(params: ScriptParams, place: Place) -> dict[str, str]:
    if params.wandb == "stand-in":
        return {}
    folder = {"WANDB_DIR": str(place.run_dir / FILES)}
    if params.wandb == "offline":
        return {**folder, "WANDB_MODE": "offline"}
    # The user's own account: its key is in the home folder or in these variables.
    known = {name: value for name, value in os.environ.items() if name.startswith("WANDB_")}
    return {**known, **folder, "HOME": str(Path.home())}


def _wandb_reads(params: ScriptParams) -> list[str]:
    if params.wandb != "online":
        return []
    return [str(p) for p in (Path.home() / ".netrc", Path.home() / ".config" / "wandb") if p.exists()]
