"""The CleanRL runner: its spec, made from the scripts of the user's checkout, and the command that starts a script."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.extras import EXTRAS
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import (
    AlgorithmSpec,
    Capabilities,
    OwnInterpreter,
    Preset,
    Requirement,
    RunnerSpec,
)
from rl_lab.runners.cleanrl.checkout import SHARED, UPSTREAM, Checkout, named_root, open_checkout
from rl_lab.runners.cleanrl.params import CaptureParams, is_form_field, params_of
from rl_lab.runners.cleanrl.scripts import Script
from rl_lab.runners.foreign import CapturedRunner, RunPaths, next_to
from rl_lab.runners.python_call import PythonCall
from rl_lab.runners.script import ScriptParams, captured
from rl_lab.runners.script_text.arguments import is_default, spell

PYTHON_VARIABLE = "RL_LAB_CLEANRL_PYTHON"
PACKAGES = (
    "torch==2.13.0",
    "gymnasium==0.29.1",
    "numpy==1.26.4; python_version < '3.13'",
    "tyro>=1.0",
    "tensorboard>=2.21",
)
"""The smallest set of packages that runs the scripts as intended; tested on Python 3.11."""
HOW_TO_GET_ONE = (
    f"Get one with `git clone {UPSTREAM}`, then set its path with `rl-lab runners --root PATH` "
    "or start the lab with RL_LAB_CLEANRL=PATH."
)
HOW_TO_PREPARE = (
    "`rl-lab runners --prepare cleanrl` creates it if RL_LAB_CLEANRL_PYTHON is “own”; "
    "otherwise correct that path."
)
MODULES = ("torch", "gymnasium", "tyro", "tensorboard")
SCRIPT_PRESET = "script"


class CleanRlRunner(CapturedRunner):
    root_setting: ClassVar[str] = "cleanrl"
    python_setting: ClassVar[str] = "cleanrl_python"

    @property
    def spec(self) -> RunnerSpec:
        """The spec for the current state of the checkout; changed scripts are read again."""
        root = named_root()
        try:
            checkout = open_checkout(Path(root)) if root else None
        except InvalidInput as error:
            return _spec(None, _missing(error.errors[0].message), root)
        return _spec(checkout, _missing("") if checkout is None else None, root)

    def check_root(self, root: Path) -> None:
        """Raises InvalidInput if the folder is not a checkout."""
        open_checkout(root)

    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        _require_possible(config)
        checkout, script = _find_script(config.algorithm)
        lab = CaptureParams.model_validate(
            {k: v for k, v in config.params.items() if k in CaptureParams.model_fields}
        )
        params = ScriptParams(
            network=lab.network,
            wandb=lab.wandb,
            gymnasium_029=lab.gymnasium_029,
            env={"PYTHONPATH": str(checkout.root), "OMP_NUM_THREADS": str(lab.threads)},
        )
        call = PythonCall(_python(), [], script.path, None, argv_of(script, config))
        return captured(call, params, paths, reads=next_to(checkout.root / SHARED, paths.home))


def own_python() -> str:
    """Path of the interpreter the scripts run in; "" means the Python of the lab."""
    return os.environ.get(PYTHON_VARIABLE, "").strip()


def _python() -> str:
    python = own_python() or sys.executable
    if not os.access(python, os.X_OK):
        raise NotReady(
            f"CleanRL's own Python at {python} is missing or not executable.", next_step=HOW_TO_PREPARE
        )
    return python


def _require_possible(config: TrainConfig) -> None:
    """Raises InvalidInput for options that a script with its own environment and training loop does not support."""
    if config.env_kwargs:
        raise InvalidInput.of_field(
            "env_kwargs",
            "The script creates its own environment and takes no environment arguments; leave it empty.",
        )


def argv_of(script: Script, config: TrainConfig) -> list[str]:
    """The script's arguments: the run's own fields always, the others only if they differ from the script's default."""
    argv = []
    for name, value in _own_fields(config).items():
        known = script.find(name)
        argv += spell(known, value) if known is not None else []
    for argument in script.arguments:
        given = config.params.get(argument.name, argument.default)
        if is_form_field(argument) and not is_default(argument, given):
            argv += spell(argument, given)
    return argv


def _own_fields(config: TrainConfig) -> dict[str, Any]:
    fields: dict[str, Any] = {"env_id": config.env_id} if config.env_id else {}
    fields |= {"seed": config.seed, "total_timesteps": config.total_timesteps}
    return fields if config.device == "auto" else {**fields, "cuda": config.device == "cuda"}


def _find_script(algorithm: str) -> tuple[Checkout, Script]:
    root = named_root()
    if not root:
        raise NotReady("This lab does not know the path of a CleanRL checkout.", next_step=HOW_TO_GET_ONE)
    checkout = open_checkout(Path(root))
    for script in checkout.scripts:
        if script.id == algorithm:
            return checkout, script
    raise InvalidInput.of_field(
        "algorithm",
        f"{root} no longer contains a script “{algorithm}”.",
        [script.id for script in checkout.scripts],
    )


def _spec(checkout: Checkout | None, missing: Requirement | None, root: str) -> RunnerSpec:
    python = own_python()
    return RunnerSpec(
        id="cleanrl",
        name="CleanRL",
        description="The single-file training scripts of your CleanRL checkout, run unmodified.",
        memory_mb=450,
        cores_param="threads",
        capabilities=Capabilities(
            pause=True, checkpoint=True, record=True, gpu=True, foreign=True, own_classes=True
        ),
        requirements=(*([missing] if missing else []), *(_needed(module) for module in MODULES)),
        algorithms=tuple(_algorithm(script) for script in checkout.scripts) if checkout else (),
        checkpoint_suffix=".pt",
        interpreter=OwnInterpreter(path=python, packages=PACKAGES) if python else None,
        root=root or None,
        root_setting=CleanRlRunner.root_setting,
        notes=_notes(checkout),
    )


def _missing(problem: str) -> Requirement:
    remedy = f"{problem} {HOW_TO_GET_ONE}".strip()
    return Requirement(module="a checkout of CleanRL", remedy=remedy, is_met=False)


def _needed(module: str) -> Requirement:
    if module in EXTRAS["cleanrl"].modules:
        return Requirement.of_extra("cleanrl", module)
    return Requirement(module=module, remedy=f"Install it with: pip install {module}")


def _notes(checkout: Checkout | None) -> tuple[str, ...]:
    skipped = checkout.skipped if checkout else ()
    if not skipped:
        return ()
    more = f" (and {len(skipped) - 3} more)" if len(skipped) > 3 else ""
    count = "1 file is" if len(skipped) == 1 else f"{len(skipped)} files are"
    return (f"{count} not offered: {'; '.join(skipped[:3])}{more}.",)


@lru_cache(maxsize=1024)
def _algorithm(script: Script) -> AlgorithmSpec:
    presets = _presets(script)
    return AlgorithmSpec(
        id=script.id,
        name=script.name,
        description=script.description,
        action_kinds=script.action_kinds,
        params=params_of(script),
        presets=presets,
        default_preset=SCRIPT_PRESET if presets else None,
    )


def _presets(script: Script) -> tuple[Preset, ...]:
    """The script's own defaults: once for the environment it names, once for all others."""
    env, steps = script.find("env_id"), script.find("total_timesteps")
    env_id = env.default if env and isinstance(env.default, str) else None
    total = steps.default if steps and isinstance(steps.default, int) else None
    if total is None or total < 1:
        return ()
    where = f" on {env_id}" if env_id else ""
    description = f"The script's own defaults: {total:,} steps{where}."
    steps_or_most = min(total, MAX_TIMESTEPS)
    return tuple(
        Preset(
            id=SCRIPT_PRESET,
            title="As in the script",
            description=description,
            env_id=one,
            total_timesteps=steps_or_most,
        )
        for one in dict.fromkeys((env_id, None))
    )
