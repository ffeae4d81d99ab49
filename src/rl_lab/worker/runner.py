"""What an adapter to a learning library looks like; `runners/` holds the adapters.

A runner imports its library inside functions only, so that its spec can be read without it.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from rl_lab.core.commands import Command
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runners import RunnerSpec

if TYPE_CHECKING:
    from rl_lab.worker.session import Session


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy does in one state, and what it thought of it where it can say."""

    action: Any
    value: float | None = None
    probabilities: list[float] | None = None
    q_values: list[float] | None = None


class Policy(Protocol):
    """A loaded checkpoint that can play."""

    def act(self, observation: Any, deterministic: bool) -> Decision:
        """Decide for one observation (not a batch)."""
        ...


class Runner(Protocol):
    """Learns through a Session, and loads what it saved."""

    @property
    def spec(self) -> RunnerSpec:
        """What it offers, readable without its library."""
        ...

    def train(self, session: Session) -> None:
        """Learn until `session.boundary` says stop or the timesteps are used; end with `session.finish`."""
        ...

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy: ...


class Place(NamedTuple):
    """Where a foreign program is to work."""

    home: Path
    run_dir: Path
    """`files/` in it is the program's own folder: its working directory, and what it may write to."""
    job: Path
    """job.json of the attempt; not there yet while a command is only shown."""


@runtime_checkable
class ForeignRunner(Protocol):
    """A runner whose learner is a program of its own: it names a command instead of learning itself.

    The guardian executes it. Its `train` and `load_policy` raise NotReady in words.
    """

    def command(self, config: TrainConfig, place: Place) -> Command:
        """InvalidInput when the script is missing or is not what this runner can start."""
        ...


@runtime_checkable
class RootedRunner(Protocol):
    """A runner whose algorithms are the scripts of a folder the user has, perhaps in a Python of their own."""

    root_setting: ClassVar[str]
    """Name of the setting that says where the folder is; its variable is what the runner looks at."""
    python_setting: ClassVar[str]
    """Name of the setting that says which Python; likewise."""

    def check_root(self, root: Path) -> None:
        """InvalidInput, in words, when the folder is not what this runner needs."""
        ...


def runner_of(import_string: str) -> Runner:
    """The runner behind "module:Class"; strings, because the adapters lie above this layer."""
    module, _, name = import_string.partition(":")
    runner: Runner = getattr(importlib.import_module(module), name)()
    return runner
