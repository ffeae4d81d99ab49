"""Any Python will do: one that has nothing but its standard library runs scripts under capture all the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.captured import Captured, captured
from support.waiting import DEADLINE_S


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=DEADLINE_S
    )
    return str(folder / "bin" / "python")


def test_a_bare_interpreter_runs_a_script_and_is_heard(script: Captured, bare_python: str) -> None:
    finished = script.run(
        """
        import argparse, sys
        parser = argparse.ArgumentParser()
        parser.add_argument("--seed", type=int)
        args = parser.parse_args()
        import wandb
        for step in range(3):
            wandb.log({"loss": 1.0 / (step + 1)}, step=step)
        for name in ("msgspec", "pydantic", "numpy"):
            try:
                __import__(name)
            except ModuleNotFoundError:
                print(name, "is absent")
        print(any("site-packages" in p and "venv" not in p for p in sys.path))
        """,
        "--seed=3",
        python=bare_python,
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    assert script.attempt.log().count("is absent") == 3
    assert "False" in script.attempt.log()
    config = script.attempt.events("config")[-1]
    assert (config["seed"], set(config["versions"])) == (3, {"python"})
    assert [event["step"] for event in script.attempt.events("metric")] == [0, 1, 2]


def test_what_is_missing_is_installed_into_that_interpreter(script: Captured, bare_python: str) -> None:
    finished = script.run("import gymnasium", python=bare_python)
    assert finished["cause"] == "missing-package"
    assert f"{bare_python} -m pip install gymnasium" in finished["next_step"]


def test_a_script_may_have_a_module_of_the_labs_name_beside_it(script: Captured, bare_python: str) -> None:
    script.write("x = 1", "lines.py")
    script.write("x = 2", "session.py")
    finished = script.run("import lines, session; print('sum', lines.x + session.x)", python=bare_python)
    assert finished["outcome"] == "succeeded"
    assert "sum 3" in script.attempt.log()


def test_processes_it_spawns_find_what_stands_in_for_absent_packages(
    script: Captured, bare_python: str
) -> None:
    finished = script.run(
        """
        import multiprocessing as mp
        import wandb
        def child(n):
            wandb.log({"loss": n})
            return n + 1
        if __name__ == "__main__":
            with mp.get_context("spawn").Pool(1) as pool:
                print(pool.map(child, [1, 2]))
        """,
        python=bare_python,
    )
    assert finished["outcome"] == "succeeded"
    assert "[2, 3]" in script.attempt.log()
    assert script.attempt.events("metric") == []
