"""What the scripts of a CleanRL checkout offer, and the command that starts one under the capture layer."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs import MAX_TIMESTEPS, TrainConfig
from rl_lab.core.runners import (
    AlgorithmSpec,
    Capabilities,
    OwnInterpreter,
    Preset,
    Requirement,
    RunnerSpec,
)
from rl_lab.runners.cleanrl.arguments import is_default, spell
from rl_lab.runners.cleanrl.checkout import SHARED, UPSTREAM, Checkout, named_root, open_checkout
from rl_lab.runners.cleanrl.params import CaptureParams, is_asked_for, params_of
from rl_lab.runners.cleanrl.scripts import Script
from rl_lab.runners.foreign import beside, refuse_policy
from rl_lab.runners.python_call import PythonCall
from rl_lab.runners.script import ScriptParams, captured
from rl_lab.worker.runner import Place

if TYPE_CHECKING:
    from rl_lab.worker.runner import Policy
    from rl_lab.worker.session import Session

PYTHON_VARIABLE = "RL_LAB_CLEANRL_PYTHON"
PACKAGES = (
    "torch==2.13.0",
    "gymnasium==0.29.1",
    "numpy==1.26.4; python_version < '3.13'",
    "tyro>=1.0",
    "tensorboard>=2.21",
)
"""The smallest set that runs the scripts as they were meant, checked on Python 3.11."""
HOW_TO_GET_ONE = (
    f"Get one with `git clone {UPSTREAM}`, then tell the lab where it is: `rl-lab runners --root PATH`, "
    "or start it with RL_LAB_CLEANRL=PATH."
)
HOW_TO_PREPARE = "`rl-lab runners --prepare cleanrl` makes it, where it is the lab's to make."
MODULES = ("torch", "gymnasium", "tyro", "tensorboard")
SCRIPT_PRESET = "script"


class CleanRlRunner:
    root_setting: ClassVar[str] = "cleanrl"
    python_setting: ClassVar[str] = "cleanrl_python"

    @property
    def spec(self) -> RunnerSpec:
        """As the checkout is now: scripts that were changed are read again."""
        root = named_root()
        try:
            checkout = open_checkout(Path(root)) if root else None
        except InvalidInput as error:
            return _spec(None, _missing(error.errors[0].message), root)
        return _spec(checkout, _missing("") if checkout is None else None, root)

    def check_root(self, root: Path) -> None:
        """InvalidInput when the folder is not a checkout."""
        open_checkout(root)

    def command(self, config: TrainConfig, place: Place) -> Command:
        _require_possible(config)
        checkout, script = _find_script(config.algorithm)
        lab = CaptureParams.model_validate(
            {k: v for k, v in config.params.items() if k in CaptureParams.model_fields}
        )
        params = ScriptParams(
            network=lab.network, wandb=lab.wandb, gymnasium_029=lab.gymnasium_029,
            env={"PYTHONPATH": str(checkout.root), "OMP_NUM_THREADS": str(lab.threads)},
        )  # fmt: skip
        call = PythonCall(_python(), [], script.path, None, words_of(script, config))
        return captured(call, params, place, reads=beside(checkout.root / SHARED, place.home))

    def train(self, session: Session) -> None:
        raise refuse_policy("script")

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        raise refuse_policy("script")


def own_python() -> str:
    """The interpreter the scripts run in; "" is the lab's own."""
    return os.environ.get(PYTHON_VARIABLE, "").strip()


def _python() -> str:
    python = own_python() or sys.executable
    if not os.access(python, os.X_OK):
        raise NotReady(f"CleanRL needs its own Python at {python}.", next_step=HOW_TO_PREPARE)
    return python


def _require_possible(config: TrainConfig) -> None:
    """What the lab's own learners can do, and a script that makes its environment and its loop itself cannot."""
    if config.env_kwargs:
        raise InvalidInput.of_field(
            "env_kwargs", "The script makes its environment itself, without arguments."
        )
    if config.until == "solved":
        raise InvalidInput.of_field(
            "until", "The script does not stop when it is solved; choose “timesteps”."
        )


def words_of(script: Script, config: TrainConfig) -> list[str]:
    """The script's arguments: the run's own fields always, the others only where they differ from the script's."""
    words = []
    for name, value in _own_fields(config).items():
        known = script.find(name)
        words += spell(known, value) if known is not None else []
    for argument in script.arguments:
        given = config.params.get(argument.name, argument.default)
        if is_asked_for(argument) and not is_default(argument, given):
            words += spell(argument, given)
    return words


def _own_fields(config: TrainConfig) -> dict[str, Any]:
    fields: dict[str, Any] = {"env_id": config.env_id} if config.env_id else {}
    fields |= {"seed": config.seed, "total_timesteps": config.total_timesteps}
    return fields if config.device == "auto" else {**fields, "cuda": config.device == "cuda"}


def _find_script(algorithm: str) -> tuple[Checkout, Script]:
    root = named_root()
    if not root:
        raise NotReady("No CleanRL checkout is known to this lab.", next_step=HOW_TO_GET_ONE)
    checkout = open_checkout(Path(root))
    for script in checkout.scripts:
        if script.id == algorithm:
            return checkout, script
    raise InvalidInput.of_field(
        "algorithm",
        f"{root} has no script “{algorithm}” any more.",
        [script.id for script in checkout.scripts],
    )


def _spec(checkout: Checkout | None, missing: Requirement | None, root: str) -> RunnerSpec:
    python = own_python()
    return RunnerSpec(
        id="cleanrl",
        name="CleanRL",
        description="Single-file learners of your CleanRL checkout, each as it is: one page, top to bottom.",
        capabilities=Capabilities(pause=True, checkpoint=True, record=True, gpu=True, foreign=True),
        requirements=(*([missing] if missing else []), *(_needed(module) for module in MODULES)),
        algorithms=tuple(_algorithm(script) for script in checkout.scripts) if checkout else (),
        checkpoint_suffix=".pt",
        interpreter=OwnInterpreter(path=python, packages=PACKAGES) if python else None,
        root=root or None,
        root_setting=CleanRlRunner.root_setting,
        notes=_notes(checkout),
    )


def _missing(words: str) -> Requirement:
    remedy = f"{words} {HOW_TO_GET_ONE}".strip()
    return Requirement(module="a checkout of CleanRL", remedy=remedy, is_met=False)


def _needed(module: str) -> Requirement:
    return Requirement(module=module, remedy=f"Install it with: pip install {module}")


def _notes(checkout: Checkout | None) -> tuple[str, ...]:
    passed_over = checkout.passed_over if checkout else ()
    if not passed_over:
        return ()
    more = f" (and {len(passed_over) - 3} more)" if len(passed_over) > 3 else ""
    count = "1 file is" if len(passed_over) == 1 else f"{len(passed_over)} files are"
    return (f"{count} not offered: {'; '.join(passed_over[:3])}{more}.",)


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
    """What the script would do by itself: once for the environment it names, once for any other."""
    env, steps = script.find("env_id"), script.find("total_timesteps")
    env_id = env.default if env and isinstance(env.default, str) else None
    total = steps.default if steps and isinstance(steps.default, int) else None
    if total is None or total < 1:
        return ()
    where = f" of {env_id}" if env_id else ""
    words = f"As the script runs by itself: {total:,} steps{where}."
    steps_or_most = min(total, MAX_TIMESTEPS)
    return tuple(
        Preset(
            id=SCRIPT_PRESET,
            title="As in the script",
            description=words,
            env_id=one,
            total_timesteps=steps_or_most,
        )
        for one in dict.fromkeys((env_id, None))
    )
