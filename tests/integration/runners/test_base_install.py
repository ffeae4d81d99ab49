"""`pip install rl-lab` without extras is a working lab: turbo trains, evaluates and films without torch."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from support.base_install import base_distributions, make_base_install
from support.server import command
from support.waiting import DEADLINE_S

IMPORTS = """
import importlib, json, pkgutil, rl_lab
skipped = ("rl_lab.runners.sb3.", "rl_lab.runners.offline.", "rl_lab.runners.imports.sb3_models", "rl_lab.capture.",
    "rl_lab.store.sql.migrations.")
failed = {}
for module in pkgutil.walk_packages(rl_lab.__path__, "rl_lab."):
    if not module.name.startswith(skipped) and not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            failed[module.name] = str(error)
print(json.dumps(failed))
"""


def test_the_base_list_brings_no_learning_library() -> None:
    assert not base_distributions() & {"torch", "stable-baselines3", "Box2D", "box2d", "ale-py"}


def test_every_module_of_the_lab_loads_without_extras(tmp_path: Path) -> None:
    python = make_base_install(tmp_path / "base")
    done = subprocess.run(
        [python, "-c", IMPORTS], capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


def test_turbo_trains_evaluates_and_films_without_torch(home: Path, tmp_path: Path) -> None:
    python = make_base_install(tmp_path / "base")
    trained = command(
        home,
        "train",
        "CartPole-v1",
        "--runner",
        "turbo",
        "-a",
        "ppo",
        "-n",
        "4000",
        "--evaluate",
        "2",
        "--json",
        python=python,
    )
    assert trained.returncode == 0, trained.stderr
    run = json.loads(trained.stdout)
    assert run["status"] == "succeeded" and run["evaluation"]["status"] == "succeeded"
    assert (Path(run["folder"]) / "model.safetensors").is_file()
    filmed = command(home, "film", run["id"], python=python)
    assert filmed.returncode == 0, filmed.stderr
    assert list(home.rglob("*.mp4"))
    exported = command(home, "export", run["id"], "--format", "sb3", python=python)
    assert exported.returncode != 0
    assert "rl-lab runners --install sb3" in exported.stderr
