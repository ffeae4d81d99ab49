"""The extras of this package: the modules each one brings, what they are for, and how to install it.

The packages themselves are declared in pyproject.toml; a test compares the two.
"""

from __future__ import annotations

from typing import NamedTuple


class Extra(NamedTuple):
    modules: tuple[str, ...]
    purpose: str
    runner: str | None = None
    """The runner that needs it; the lab can then install it by itself."""


EXTRAS = {
    "sb3": Extra(("torch", "stable_baselines3"), "training with Stable-Baselines3", runner="sb3"),
    "cleanrl": Extra(("torch", "tyro", "tensorboard"), "training with CleanRL's scripts", runner="cleanrl"),
    "box2d": Extra(("Box2D",), "LunarLander, BipedalWalker and CarRacing"),
    "atari": Extra(("ale_py", "cv2"), "Atari games"),
    "scripts": Extra(("tensorboard", "tyro"), "TensorBoard, and scripts that use tyro"),
    "wandb": Extra(("wandb",), "scripts that log to W&B itself"),
    "onnx": Extra(("onnx", "onnxruntime"), "export of policies to ONNX"),
    "postgres": Extra(("psycopg",), "a PostgreSQL database"),
    "hub": Extra(("huggingface_hub",), "models on the Hugging Face Hub: rl-lab push and pull"),
    "offline": Extra(("torch",), "learning from datasets", runner="offline"),
    "corl": Extra(("torch", "pyrallis"), "training with CORL's scripts", runner="corl"),
    "datasets": Extra(("h5py", "pyarrow"), "datasets in other tools' formats: Minari, HDF5, Parquet"),
    "parquet": Extra(("pyarrow",), "Parquet files: exported tables, Neptune's export"),
}


def find_extra(module: str) -> str | None:
    """The smallest extra that brings this module."""
    found = [name for name, extra in EXTRAS.items() if module in extra.modules]
    return min(found, key=lambda name: len(EXTRAS[name].modules), default=None)


def pip_command(extra: str) -> str:
    return f"pip install 'rl-lab[{extra}]'"


def how_to_install(extra: str) -> str:
    pip = pip_command(extra)
    runner = EXTRAS[extra].runner
    return (
        f"`rl-lab runners --install {runner}` installs it, as does: {pip}"
        if runner
        else f"Install it with: {pip}"
    )
