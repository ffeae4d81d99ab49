"""What pip installs: the base list is light, and the extras the code names are those of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rl_lab.core.extras import EXTRAS, find_extra, how_to_install
from rl_lab.portable.failures import package_of
from rl_lab.runners.registry import all_specs

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COLLECTIONS = {"all", "test", "dev"}


def names(lines: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;!~ ]", line)[0].lower() for line in lines}


def test_the_base_install_has_no_learning_library() -> None:
    assert not names(PROJECT["dependencies"]) & {
        "torch",
        "stable-baselines3",
        "ale-py",
        "tensorboard",
        "wandb",
        "onnx",
    }


def test_the_extras_of_the_code_are_those_of_the_project() -> None:
    declared = PROJECT["optional-dependencies"]
    assert set(EXTRAS) == set(declared) - COLLECTIONS
    for name, extra in EXTRAS.items():
        brought = names(declared[name]) | (
            names(declared["scripts"]) if "rl-lab[scripts]" in declared[name] else set()
        )
        packages = names([package_of(module) for module in extra.modules])
        assert packages <= brought, name


def test_every_extra_a_runner_needs_is_one_it_can_install() -> None:
    for spec in all_specs():
        for requirement in spec.requirements:
            if requirement.extra is not None:
                assert EXTRAS[requirement.extra].runner == spec.id
                assert f"--install {spec.id}" in requirement.remedy


@pytest.mark.parametrize(
    ("module", "extra"),
    [("torch", "offline"), ("tensorboard", "scripts"), ("Box2D", "box2d"), ("cv2", "atari"), ("numpy", None)],
)
def test_a_module_leads_to_the_smallest_extra_that_brings_it(module: str, extra: str | None) -> None:
    assert find_extra(module) == extra


def test_an_extra_of_a_runner_is_installed_by_the_lab_and_any_other_by_pip() -> None:
    assert "`rl-lab runners --install sb3`" in how_to_install("sb3") and "'rl-lab[sb3]'" in how_to_install(
        "sb3"
    )
    assert how_to_install("box2d") == "Install it with: pip install 'rl-lab[box2d]'"
