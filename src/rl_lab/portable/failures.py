"""Failures of workers and captured scripts: the record, and the package that contains a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PACKAGES = {
    "Box2D": "gymnasium[box2d]",
    "pygame": "gymnasium[classic-control]",
    "mujoco": "gymnasium[mujoco]",
    "stable_baselines3": "stable-baselines3",
    "sb3_contrib": "sb3-contrib",
    "ale_py": "ale-py",
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "tensorboardX": "tensorboardX",
    "moviepy": "moviepy",
    "imageio_ffmpeg": "imageio-ffmpeg",
    "dm_control": "dm-control",
    "pettingzoo": "pettingzoo",
    "supersuit": "supersuit",
    "flax": "flax",
    "attr": "attrs",
    "dotenv": "python-dotenv",
    "git": "gitpython",
    "hydra": "hydra-core",
    "IPython": "ipython",
    "highway_env": "highway-env",
    "rl_zoo3": "rl-zoo3",
    "dm_env": "dm-env",
    "huggingface_hub": "huggingface-hub",
    "pytorch_lightning": "pytorch-lightning",
    "tensorflow_probability": "tensorflow-probability",
    "shimmy": "shimmy",
}
"""Modules whose package has another name, or that are an extra of another package."""
NAMES = """
accelerate aim chex click distrax einops envpool flax gym gymnasium h5py imageio jax joblib lightning loguru
matplotlib mediapy minari minigrid mlflow mujoco networkx numba numpy omegaconf optax optuna pandas pettingzoo
plotly psutil pybullet pygame pyrallis pytest ray requests rich safetensors scipy seaborn supersuit tensorboard
tensordict tensorflow tianshou torch torchrl torchvision tqdm trackio transformers typer tyro wandb
"""
SAME_NAME = frozenset(NAMES.split())
"""Modules whose package is known to have the same name."""
CALMER = "Lower the learning rate, or clip gradients and rewards more tightly."


class Failure(NamedTuple):
    cause: str
    """missing-package, out-of-memory, diverged, crashed, interrupted, bad-config, and those of capture/failures.py"""
    message: str
    next_step: str


def missing_module(error: BaseException | None) -> str | None:
    """The missing top-level module that caused an error; Gymnasium wraps the ImportError in its own."""
    for link in chain(error):
        if isinstance(link, ImportError) and link.name:
            return link.name.partition(".")[0]
        if type(link).__name__ == "NamespaceNotFound" and "ALE" in str(link):
            return "ale_py"
    return None


def known_package(module: str) -> str | None:
    """What pip installs for a module; None where nobody checked it: a guessed name may belong to a stranger."""
    return PACKAGES.get(module) or (module if module in SAME_NAME else None)


def package_of(module: str) -> str:
    """The name under which an installed module is looked up; for an installation use `known_package`."""
    return PACKAGES.get(module, module.replace("_", "-"))


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes, nearest first."""
    seen = 0
    while error is not None and seen < 8:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1
