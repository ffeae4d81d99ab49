"""The interface of a runner, the adapter to a learning library; the adapters are in `runners/`.

A runner imports its library inside functions only, so that its spec can be read without it.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rl_lab.core.jobs.training import TrainConfig
    from rl_lab.core.runners import RunnerSpec
    from rl_lab.worker.session import Session


@dataclass(frozen=True, slots=True)
class Decision:
    """The action a policy chose in one state, and its estimates where it has any."""

    action: Any
    value: float | None = None
    probabilities: list[float] | None = None
    q_values: list[float] | None = None


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """The files of a model that a runner wrote into a package, and code that acts with them."""

    model: str
    """The checkpoint itself, under its name in the package."""
    files: dict[str, str]
    """What each file is, by name."""
    example: str
    """A program without rl-lab that plays one episode and prints its return."""
    library: str
    """As the Hugging Face Hub names it."""
    packages: tuple[str, ...]
    """Import names of the packages that the example needs."""
    notes: tuple[str, ...] = ()
    """What is missing, and why."""


class Policy(Protocol):
    """A loaded checkpoint that can play."""

    def act(self, observation: Any, deterministic: bool) -> Decision:
        """Decide for one observation (not a batch)."""
        ...


class Runner(Protocol):
    """Learns through a Session, and loads what it saved."""

    @property
    def spec(self) -> RunnerSpec:
        """What it offers; can be read without its library."""
        ...

    def train(self, session: Session) -> None:
        """Learn until `session.boundary` returns True or the timesteps are used; end with `session.finish`."""
        ...

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy: ...


class Packager(Protocol):
    """A runner whose models can be packaged."""

    def package(self, checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
        """Writes the checkpoint, and what else the example needs, into the folder."""
        ...


def runner_of(import_string: str) -> Runner:
    """The runner named by "module:Class": a string, because the adapters are in a layer above this one."""
    module, _, name = import_string.partition(":")
    runner: Runner = getattr(importlib.import_module(module), name)()
    return runner
