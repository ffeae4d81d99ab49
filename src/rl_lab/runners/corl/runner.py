"""The CORL runner: the scripts of the user's checkout as algorithms, and the command that starts a script."""

from __future__ import annotations

from functools import lru_cache

from rl_lab.core.commands import Command
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Preset
from rl_lab.runners.checkouts.runner import SCRIPT_PRESET, CheckoutRunner
from rl_lab.runners.corl.call import argv_of
from rl_lab.runners.corl.checkout import CorlLayout
from rl_lab.runners.corl.learned_data import read_data, require_environment
from rl_lab.runners.corl.model_space import require_space_for_models
from rl_lab.runners.corl.params import CorlParams, params_of
from rl_lab.runners.corl.scripts import CorlScript
from rl_lab.runners.foreign import RunPaths
from rl_lab.runners.python_call import PythonCall
from rl_lab.runners.script import ScriptParams, captured

NORMALISED_SCORES = (
    "Normalised scores are relative to the dataset's own reference (its worst and best episode where it names no "
    "other), not to D4RL's."
)


class CorlRunner(CheckoutRunner[CorlScript]):
    root_setting = "corl"
    python_setting = "corl_python"
    provides = ("gym", "d4rl")
    upstream = "https://github.com/tinkoff-ai/CORL"
    description = (
        "The single-file offline learners of your CORL checkout, run unmodified on a dataset of the lab."
    )
    memory_mb = 600
    capabilities = Capabilities(
        pause=True, checkpoint=True, record=True, gpu=True, foreign=True, dataset=True, vectors_only=True
    )
    modules = ("torch", "pyrallis", "tqdm", "gymnasium")
    packages = (  # tested on Python 3.11
        "torch==2.13.0",
        "gymnasium>=1.0",
        "pyrallis>=0.3.1",
        "tqdm>=4.66",
    )
    layout = CorlLayout()

    def algorithm(self, script: CorlScript) -> AlgorithmSpec:
        return _algorithm(script)

    def notes(self, skipped: tuple[str, ...]) -> tuple[str, ...]:
        return (*((f"Not offered: {'; '.join(skipped)}.",) if skipped else ()), NORMALISED_SCORES)

    def command(self, config: TrainConfig, paths: RunPaths) -> Command:
        _, script = self.find_script(config.algorithm)
        data = read_data(config.dataset, paths.home)
        require_environment(data, config.env_kwargs)
        require_space_for_models(script, config, data, paths.home)
        lab = CorlParams.model_validate(
            {k: v for k, v in config.params.items() if k in CorlParams.model_fields}
        )
        params = ScriptParams(network=lab.network, wandb=lab.wandb, env={"OMP_NUM_THREADS": str(lab.threads)})
        call = PythonCall(self.python(), [], script.path, None, argv_of(script, config, data))
        return captured(call, params, paths, reads=[str(data.folder)])


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
