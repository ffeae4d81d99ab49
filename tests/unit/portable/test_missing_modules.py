"""Where the missing modules of a script are, and which packages are named for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_lab.portable.missing_modules import Missing, advise, describe, look_for, python_path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Like CleanRL: scripts in one folder, a package that they import next to it."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "cleanrl").mkdir()
    (root / "cleanrl_utils").mkdir()
    (root / "cleanrl_utils" / "buffers.py").write_text("")
    return root


def found(module: str, folder: Path) -> Missing:
    [one] = look_for([module], [str(folder)])
    return one


def test_a_package_of_the_repository_is_found_and_nothing_is_installed(repository: Path) -> None:
    one = found("cleanrl_utils", repository / "cleanrl")
    assert one == Missing("cleanrl_utils", str(repository), None)
    step = advise([one], "/usr/bin/python3")
    assert f"--env PYTHONPATH={repository}" in step
    assert "pip" not in step


def test_a_module_in_a_sub_folder_of_the_repository_is_found(repository: Path) -> None:
    (repository / "src").mkdir()
    (repository / "src" / "agents.py").write_text("")
    assert found("agents", repository / "cleanrl").folder == str(repository / "src")


def test_a_folder_without_python_files_is_no_module(repository: Path) -> None:
    (repository / "wandb").mkdir()
    (repository / "wandb" / "run.log").write_text("")
    assert found("wandb", repository) == Missing("wandb", None, "wandb")


def test_folders_outside_the_repository_are_not_searched(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "stranger.py").write_text("")
    assert found("stranger", repository / "cleanrl") == Missing("stranger")
    (tmp_path / "alone").mkdir()
    assert found("stranger", tmp_path / "alone") == Missing("stranger"), "without a repository: no parents"


def test_a_package_is_named_only_if_it_is_known_or_listed(repository: Path) -> None:
    assert found("sklearn", repository).package == "scikit-learn"
    assert found("quantum_gym", repository).package is None
    (repository / "requirements.txt").write_text("numpy>=1\nquantum-gym==0.3 # pinned\n")
    assert found("quantum_gym", repository / "cleanrl").package == "quantum-gym"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = ["Quantum_Gym[all]>=1"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.10"\nQuantum_Gym = "*"\n'),
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['Quantum_Gym'])\n"),
    ],
)
def test_dependencies_of_the_repository_are_read(repository: Path, file: str, text: str) -> None:
    (repository / file).write_text(text)
    assert found("quantum_gym", repository).package == "Quantum_Gym"


def test_names_that_are_no_dependencies_are_not_taken_for_packages(repository: Path) -> None:
    text = '[tool.poetry]\nname = "quantum_gym"\npackages = [{include = "quantum_gym"}]\n'
    (repository / "pyproject.toml").write_text(text)
    assert found("quantum_gym", repository).package is None


def test_all_missing_modules_are_listed_with_what_to_do_about_each() -> None:
    missing = [
        Missing("agents", "/repo"),
        Missing("gym", None, "gym"),
        Missing("d4rl"),
        Missing("yaml", None, "pyyaml"),
    ]
    assert describe(missing) == (
        "The script's Python lacks 4 modules that the script imports: agents, gym, d4rl, yaml."
    )
    step = advise(missing, "/venv/bin/python", before="/mine")
    assert "agents is in /repo: set the variable with `--env PYTHONPATH=/repo:/mine`." in step
    assert "Install: `/venv/bin/python -m pip install gym pyyaml`." in step
    assert "Not installed in /venv/bin/python, and the lab does not know which package it is in: d4rl" in step
    assert python_path(missing[1:]) is None
