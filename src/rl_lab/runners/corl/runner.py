"""The CORL runner: its spec, made from the scripts of the user's checkout, and the command that starts a script."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

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
from rl_lab.runners.corl.call import argv_of
from rl_lab.runners.corl.checkout import UPSTREAM, CorlCheckout, named_root, open_checkout
from rl_lab.runners.corl.learned_data import read_data
from rl_lab.runners.corl.model_space import require_space_for_models
from rl_lab.runners.corl.params import CorlParams, params_of
from rl_lab.runners.corl.scripts import CorlScript
from rl_lab.runners.foreign import CapturedRunner, RunPaths
from rl_lab.runners.python_call import PythonCall
from rl_lab.runners.script import ScriptParams, captured

PYTHON_VARIABLE = "RL_LAB_CORL_PYTHON"
PACKAGES = ("torch==2.13.0", "gymnasium>=1.0", "pyrallis>=0.3.1", "tqdm>=4.66")
"""The smallest set of packages that runs the scripts; tested on Python 3.11."""
HOW_TO_GET_ONE = (
    f"Get one with `git clone {UPSTREAM}`, then set its path with `rl-lab runners --root PATH` "
    "or start the lab with RL_LAB_CORL=PATH."
)
HOW_TO_PREPARE = (
    "`rl-lab runners --prepare corl` creates it if RL_LAB_CORL_PYTHON is “own”; otherwise correct that path."
)
MODULES = ("torch", "pyrallis", "tqdm", "gymnasium")
SCRIPT_PRESET = "script"


class CorlRunner(CapturedRunner):
    root_setting: ClassVar[str] = "corl"
    python_setting: ClassVar[str] = "corl_python"
    provides: ClassVar[tuple[str, ...]] = ("gym", "d4rl")

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
        script = _find_script(config.algorithm)
        data = read_data(config.dataset, paths.home)
        require_space_for_models(script, config, data, paths.home)
        lab = CorlParams.model_validate(
            {k: v for k, v in config.params.items() if k in CorlParams.model_fields}
        )
        params = ScriptParams(network=lab.network, wandb=lab.wandb, env={"OMP_NUM_THREADS": str(lab.threads)})
        call = PythonCall(_python(), [], script.path, None, argv_of(script, config, data))
        return captured(call, params, paths, reads=[str(data.folder)])


def own_python() -> str:
    """Path of the interpreter the scripts run in; "" means the Python of the lab."""
    return os.environ.get(PYTHON_VARIABLE, "").strip()


def _python() -> str:
    python = own_python() or sys.executable
    if not os.access(python, os.X_OK):
        raise NotReady(
            f"CORL's own Python at {python} is missing or not executable.", next_step=HOW_TO_PREPARE
        )
    return python


def _find_script(algorithm: str) -> CorlScript:
    root = named_root()
    if not root:
        raise NotReady("This lab does not know the path of a CORL checkout.", next_step=HOW_TO_GET_ONE)
    scripts = open_checkout(Path(root)).scripts
    for script in scripts:
        if script.id == algorithm:
            return script
    raise InvalidInput.of_field(
        "algorithm", f"{root} no longer contains a script “{algorithm}”.", [one.id for one in scripts]
    )


def _spec(checkout: CorlCheckout | None, missing: Requirement | None, root: str) -> RunnerSpec:
    python = own_python()
    return RunnerSpec(
        id="corl",
        name="CORL",
        description="The single-file offline learners of your CORL checkout, run unmodified on a dataset of the lab.",
        memory_mb=600,
        cores_param="threads",
        capabilities=Capabilities(
            pause=True, checkpoint=True, record=True, gpu=True, foreign=True, dataset=True, vectors_only=True
        ),
        requirements=(*([missing] if missing else []), *(_needed(module) for module in MODULES)),
        algorithms=tuple(_algorithm(script) for script in checkout.scripts) if checkout else (),
        checkpoint_suffix=".pt",
        worker_word="script",
        interpreter=OwnInterpreter(path=python, packages=PACKAGES) if python else None,
        root=root or None,
        root_setting=CorlRunner.root_setting,
        notes=_notes(checkout),
    )


def _missing(problem: str) -> Requirement:
    remedy = f"{problem} {HOW_TO_GET_ONE}".strip()
    return Requirement(module="a checkout of CORL", remedy=remedy, is_met=False)


def _needed(module: str) -> Requirement:
    if module in EXTRAS["corl"].modules:
        return Requirement.of_extra("corl", module)
    return Requirement(module=module, remedy=f"Install it with: pip install {module}")


def _notes(checkout: CorlCheckout | None) -> tuple[str, ...]:
    score = (
        "Normalised scores are relative to the dataset's own reference (its worst and best episode where it names no "
        "other), not to D4RL's."
    )
    skipped = checkout.skipped if checkout else ()
    return (*((f"Not offered: {'; '.join(skipped)}.",) if skipped else ()), score)


@lru_cache(maxsize=256)
def _algorithm(script: CorlScript) -> AlgorithmSpec:
    return AlgorithmSpec(
        id=script.id,
        name=script.name,
        description=script.description,
        action_kinds=("continuous",),
        params=params_of(script),
        presets=(_preset(script),),
        default_preset=SCRIPT_PRESET,
        steps_per_second=100.0,
    )


def _preset(script: CorlScript) -> Preset:
    total = min(script.total or 1, MAX_TIMESTEPS)
    return Preset(
        id=SCRIPT_PRESET,
        title="As in the script",
        description=f"The script's own defaults: {total:,} updates.",
        total_timesteps=total,
    )
