"""One offline learner, one dataset, one seed, in its own process: prints the mean return of its last checkpoint."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.offline_data import play
from rl_lab.core.runners import complete_params, find_preset
from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.checkpoints import OfflineHeader, write_checkpoint
from rl_lab.runners.offline.learner import load_dataset, make_learner, read_params
from rl_lab.runners.offline.playing import load_policy
from rl_lab.runners.offline.spec import SPEC
from rl_lab.runners.offline.tensors import named_networks
from rl_lab.worker.environments.make import make_environment

EPISODES = 50


def main() -> None:
    given = json.loads(sys.argv[1])
    print(json.dumps({"return": learned_return(given)}))


def learned_return(given: dict[str, Any]) -> float:
    import torch

    torch.set_num_threads(1)
    path, algorithm, seed = Path(given["path"]), given["algorithm"], given["seed"]
    spec = SPEC.algorithm(algorithm)
    preset = find_preset(spec, "fast", "")
    params = read_params(algorithm, complete_params(spec, preset, given.get("params", {})))
    data = load_dataset(path, algorithm, params)
    learner = make_learner(algorithm, data.spaces, params, seed)
    sampler = BatchSampler(data, params.batch_size, seed, learner.noise)
    for update in range(given.get("updates", preset.total_timesteps)):
        learner.update(sampler.batch(update), False)
    env_id = json.loads((path / "dataset.json").read_text())["env_id"]
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "model.safetensors"
        header = OfflineHeader(algorithm, params.model_dump(), data.spaces, env_id, {})
        write_checkpoint(checkpoint, header, named_networks(learner, data), {})
        policy = load_policy(checkpoint)
    env = make_environment(env_id)
    returns = [play(env, lambda seen: policy.act(seen, True).action, 50_000 + n)[1] for n in range(EPISODES)]
    return float(np.mean(returns))


if __name__ == "__main__":
    main()
