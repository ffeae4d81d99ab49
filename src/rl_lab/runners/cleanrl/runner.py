"""The CleanRL runner: the scripts of the user's checkout as algorithms, and the command that starts a script."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Preset
from rl_lab.runners.checkouts.runner import SCRIPT_PRESET, CheckoutRunner
from rl_lab.runners.cleanrl.checkout import SHARED, CleanRlLayout
from rl_lab.runners.cleanrl.params import CaptureParams, is_form_field, params_of
from rl_lab.runners.cleanrl.scripts import Script
from rl_lab.runners.foreign import RunPaths, next_to
from rl_lab.runners.python_call import PythonCall
from rl_lab.runners.script import ScriptParams, captured
from rl_lab.runners.script_text.arguments import is_default, spell


class CleanRlRunner(CheckoutRunner[Script]):
    root_setting = "cleanrl"
    python_setting = "cleanrl_python"
    upstream = "https://github.com/vwxyzjn/cleanrl"
    description = "The single-file training scripts of your CleanRL checkout, run unmodified."
    memory_mb = 450
    capabilities = Capabilities(
        pause=True, checkpoint=True, record=True, gpu=True, foreign=True, own_classes=True
    )
    modules = ("torch", "gymnasium", "tyro", "tensorboard")
    packages = (  # tested on Python 3.11
        "torch==2.13.0",
        "gymnasium==0.29.1",
        "numpy==1.26.4; python_version < '3.13'",
        "tyro>=1.0",
        "tensorboard>=2.21",
    )
    worker_word = "worker"
    layout = CleanRlLayout()

    def algorithm(self, script: Script) -> AlgorithmSpec:
        return _algorithm(script)

    def notes(self, skipped: tuple[str, ...]) -> tuple[str, ...]:
        if not skipped:
            return ()
        more = f" (and {len(skipped) - 3} more)" if len(skipped) > 3 else ""
        count = "1 file is" if len(skipped) == 1 else f"{len(skipped)} files are"
        return (f"{count} not offered: {'; '.join(skipped[:3])}{more}.",)

    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        _require_possible(config)
        checkout, script = self.find_script(config.algorithm)
        lab = CaptureParams.model_validate(
            {k: v for k, v in config.params.items() if k in CaptureParams.model_fields}
        )
        params = ScriptParams(
            network=lab.network,
            wandb=lab.wandb,
            gymnasium_029=lab.gymnasium_029,
            env={"PYTHONPATH": str(checkout.root), "OMP_NUM_THREADS": str(lab.threads)},
        )
        call = PythonCall(self.python(), [], script.path, None, argv_of(script, config))
        return captured(call, params, paths, reads=next_to(checkout.root / SHARED, paths.home))


def _require_possible(config: TrainConfig) -> None:
    """Raises InvalidInput for options that a script with its own environment and training loop does not support."""
    if config.env_kwargs:
        raise InvalidInput.of_field(
            "env_kwargs",
            "The script creates its own environment and takes no arguments or wrappers for it: leave them out.",
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
