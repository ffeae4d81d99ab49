"""A CheckoutRunner: a runner whose algorithms are the scripts of a folder of the user, which may need their own Python.

The lab sets the folder and the Python in environment variables with the names of the runner's settings.
"""

from __future__ import annotations

import os
import sys
from abc import abstractmethod
from pathlib import Path
from typing import ClassVar, Generic

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.extras import EXTRAS
from rl_lab.core.runners import AlgorithmSpec, Capabilities, OwnInterpreter, Requirement, RunnerSpec
from rl_lab.runners.checkouts.checkout import Checkout, CheckoutLayout, S
from rl_lab.runners.foreign import CapturedRunner

SCRIPT_PRESET = "script"
"""The preset with the script's own defaults."""


class CheckoutRunner(CapturedRunner, Generic[S]):
    root_setting: ClassVar[str]
    """Name of the setting with the folder; also the runner's id, and its extra."""
    python_setting: ClassVar[str]
    """Name of the setting with the Python interpreter."""
    upstream: ClassVar[str]
    """Where to get a checkout."""
    description: ClassVar[str]
    memory_mb: ClassVar[int]
    capabilities: ClassVar[Capabilities]
    modules: ClassVar[tuple[str, ...]]
    """Modules that the scripts import."""
    packages: ClassVar[tuple[str, ...]]
    """The smallest set of packages that runs the scripts as intended, for a Python of their own."""
    worker_word: ClassVar[str] = "script"
    layout: CheckoutLayout[S]

    @abstractmethod
    def algorithm(self, script: S) -> AlgorithmSpec: ...

    @abstractmethod
    def notes(self, skipped: tuple[str, ...]) -> tuple[str, ...]:
        """The notes of the spec; `skipped` are the files that are not offered."""

    @property
    def spec(self) -> RunnerSpec:
        """The spec for the current state of the checkout; changed scripts are read again."""
        root, python = _variable(self.root_setting), _variable(self.python_setting)
        checkout, problem = self._look(root)
        return RunnerSpec(
            id=self.root_setting,
            name=self.layout.library,
            description=self.description,
            memory_mb=self.memory_mb,
            cores_param="threads",
            capabilities=self.capabilities,
            requirements=(
                *(() if checkout else (self._missing(problem),)),
                *(self._needed(module) for module in self.modules),
            ),
            algorithms=tuple(self.algorithm(script) for script in checkout.scripts) if checkout else (),
            checkpoint_suffix=".pt",
            worker_word=self.worker_word,
            interpreter=OwnInterpreter(path=python, packages=self.packages) if python else None,
            root=root or None,
            root_setting=self.root_setting,
            notes=self.notes(checkout.skipped if checkout else ()),
        )

    def check_root(self, root: Path) -> None:
        """Raises InvalidInput if the folder is not a checkout."""
        self.layout.open(root)

    def find_script(self, algorithm: str) -> tuple[Checkout[S], S]:
        """The script of an algorithm in the checkout as it is now."""
        root = _variable(self.root_setting)
        if not root:
            raise NotReady(
                f"This lab does not know the path of a {self.layout.library} checkout.",
                next_step=self._how_to_get_one(),
            )
        checkout = self.layout.open(Path(root))
        script = checkout.find(algorithm)
        if script is None:
            known = [one.id for one in checkout.scripts]
            raise InvalidInput.of_field(
                "algorithm", f"{root} no longer contains a script “{algorithm}”.", known
            )
        return checkout, script

    def python(self) -> str:
        """The interpreter that the scripts run in: their own, or the Python of the lab."""
        python = _variable(self.python_setting) or sys.executable
        if os.access(python, os.X_OK):
            return python
        raise NotReady(
            f"{self.layout.library}'s own Python at {python} is missing or not executable.",
            next_step=f"`rl-lab runners --prepare {self.root_setting}` creates it if "
            f"{_variable_name(self.python_setting)} is “own”; otherwise correct that path.",
        )

    def _look(self, root: str) -> tuple[Checkout[S] | None, str]:
        """The checkout, or None with the reason if there is one."""
        if not root:
            return None, ""
        try:
            return self.layout.open(Path(root)), ""
        except InvalidInput as error:
            return None, error.errors[0].message

    def _missing(self, problem: str) -> Requirement:
        remedy = f"{problem} {self._how_to_get_one()}".strip()
        return Requirement(module=f"a checkout of {self.layout.library}", remedy=remedy, is_met=False)

    def _needed(self, module: str) -> Requirement:
        if module in EXTRAS[self.root_setting].modules:
            return Requirement.of_extra(self.root_setting, module)
        return Requirement(module=module, remedy=f"Install it with: pip install {module}")

    def _how_to_get_one(self) -> str:
        return (
            f"Get one with `git clone {self.upstream}`, then set its path with `rl-lab runners --root PATH` "
            f"or start the lab with {_variable_name(self.root_setting)}=PATH."
        )


def _variable_name(setting: str) -> str:
    return f"RL_LAB_{setting.upper()}"


def _variable(setting: str) -> str:
    """The value of the setting; "" if not set."""
    return os.environ.get(_variable_name(setting), "").strip()
