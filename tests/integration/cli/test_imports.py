"""The server is light: no learner and no simulator is ever imported into it, and Optuna only by the first sweep."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from support.waiting import DEADLINE_S

FORBIDDEN = ("torch", "gymnasium", "stable_baselines3", "numba", "av", "pygame", "ale_py", "onnx", "optuna")
SCRIPT = """
import json, sys
from rl_lab.api.app import create_app
from rl_lab.api.server import LabServer
from rl_lab.runners.registry import all_specs
from rl_lab.settings import Settings
import rl_lab.cli.main
create_app(Settings()).openapi()
specs = all_specs()
for spec in specs:
    for algorithm in spec.algorithms:
        algorithm.params.model_json_schema()
print(json.dumps({"runners": [spec.id for spec in specs], "modules": sorted(sys.modules)}))
"""


def test_the_app_and_every_runner_spec_load_no_learner_and_no_simulator() -> None:
    environment = dict(os.environ, RL_LAB_FAKE_RUNNER="1")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"sb3", "fake"} <= set(found["runners"])
    assert [name for name in FORBIDDEN if name in found["modules"]] == []


def test_commands_load_no_server_and_nothing_that_takes_long() -> None:
    heavy = ("fastapi", "uvicorn", "sqlalchemy", "pydantic", "asyncio", "rich")
    assert loaded("rl_lab.cli.main, rl_lab.cli.connection, rl_lab.cli.client", heavy) == "[]"


@pytest.mark.parametrize("process", ["rendering", "reward_bench", "user_code.process"])
def test_processes_that_somebody_waits_for_start_without_pydantic(process: str) -> None:
    module = f"rl_lab.worker.{process}"
    assert loaded(module if "." in process else f"{module}.main", ("pydantic",)) == "[]"


def loaded(modules: str, names: Sequence[str]) -> str:
    """Which of these are loaded with the modules."""
    script = f"import sys, {modules}; print([name for name in {list(names)} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
