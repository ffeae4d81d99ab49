"""Any Python script, unmodified: started under the capture layer, which turns what it does into the lab's events."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar, Literal

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import OWN_FOLDER
from rl_lab.core.runners import AlgorithmSpec, RunnerSpec, param
from rl_lab.runners.foreign import (
    FILES,
    CapturedRunner,
    ForeignParams,
    RunPaths,
    checked_variables,
    code_in,
    foreign_spec,
    next_to,
    readable,
    work_folder,
    writable,
)
from rl_lab.runners.python_call import PythonCall, parse_call

START = Path(__file__).resolve().parents[1] / "capture" / "start.py"
"""The file that the user's Python runs first; it then runs the script as if it had been started directly."""


class ScriptParams(ForeignParams):
    python: str = param(
        "", "Python interpreter, instead of the one the command names.", group="Command", advanced=True
    )
    wandb: Literal["stand-in", "offline", "online"] = param(
        "stand-in",
        "W&B calls: answered by the lab without an account, or by the real package.",
        group="Capture",
    )
    training: list[str] = param(
        [],
        "Environments that are the training, by id or number; empty: what the learner steps.",
        group="Capture",
        advanced=True,
        max_length=50,
    )
    gymnasium_029: Literal["auto", "on", "off"] = param(
        "auto", "Behave like Gymnasium 0.29; auto: for scripts that were written for it.", group="Capture"
    )


class ScriptRunner(CapturedRunner):
    spec: ClassVar[RunnerSpec] = foreign_spec(
        "script",
        "Python script",
        "Any Python script, unmodified: episodes, metrics, configuration and files are captured.",
        AlgorithmSpec(
            id="python",
            name="Python script",
            description="The script decides what and how it learns.",
            action_kinds=("discrete", "continuous"),
            params=ScriptParams,
        ),
    )

    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        params = ScriptParams.model_validate(config.params)
        return captured(parse_call(params, params.python), params, paths)


def captured(
    call: PythonCall, params: ScriptParams, paths: RunPaths, reads: list[str] | None = None
) -> Command:
    """The call, started under the capture layer; for every runner whose learner is a Python script."""
    if params.wandb != "stand-in" and not params.network:
        # Offline too: the real package talks to its own helper process over a socket.
        raise InvalidInput.of_field(
            "params.network",
            f"W&B {params.wandb} needs sockets; allow the network (--network), or choose stand-in.",
        )
    nearby = next_to(call.script, paths.home) if call.script else code_in(params.folder, paths.home)
    own = paths.home / OWN_FOLDER
    known = [*nearby, *(reads or []), *readable(params, paths), *_wandb_reads(params)]
    return Command(
        argv=[call.python, *call.options, str(START), str(paths.job), "--", *call.target, *call.args],
        shown=[call.python, *call.options, *call.target, *call.args],
        cwd=str(work_folder(params, paths)),
        env={**_wandb_env(params, paths), **checked_variables(params)},
        script=str(call.script) if call.script else None,
        reads=list(dict.fromkeys([*known, str(own)] if own.is_dir() else known)),
        writes=writable(params, paths),
        network=params.network,
    )


def _wandb_env(params: ScriptParams, paths: RunPaths) -> dict[str, str]:
    if params.wandb == "stand-in":
        return {}
    folder = {"WANDB_DIR": str(paths.run_dir / FILES)}
    if params.wandb == "offline":
        return {**folder, "WANDB_MODE": "offline"}
    # The user's own account: its key is in the home folder or in these variables.
    known = {name: value for name, value in os.environ.items() if name.startswith("WANDB_")}
    return {**known, **folder, "HOME": str(Path.home())}


def _wandb_reads(params: ScriptParams) -> list[str]:
    if params.wandb != "online":
        return []
    return [str(p) for p in (Path.home() / ".netrc", Path.home() / ".config" / "wandb") if p.exists()]
