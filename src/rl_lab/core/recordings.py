"""The Recording of an episode: the beginning and the actions that it is simulated from again.

Without pydantic: the processes that simulate start while somebody waits for a picture.
"""

from __future__ import annotations

from typing import Any

import msgspec


class RemotePlace(msgspec.Struct, kw_only=True):
    """A script's Python with its folder, where an environment that the lab does not have can be created."""

    python: str
    folder: str
    """The folder with the script's own modules."""
    modules: list[str] = []
    """Modules that register the environment when they are imported."""
    launch: dict[str, Any]
    """How the script was started, as in its launch.json; the rights to write are taken out."""


class Recording(msgspec.Struct, kw_only=True):
    """Everything needed to replay an episode: the shape a recording has in memory.

    On the wire it is an `EpisodeEvent` or `StepsEvent` with a `Trace` (`core/protocol/events.py`), in telemetry.db a
    `StoredRecording` (`store/telemetry/stored_recordings.py`). Fields of the same name mean the same in all three.
    """

    run_id: str
    episode: int
    env_id: str
    env_kwargs: dict[str, Any] = {}
    env_version: str | None = None
    wrappers: list[str] = []
    action: dict[str, Any] = {}
    seed: int | None = None
    generator: bytes = b""
    """Instead of a seed: the state of the environment's generator at the reset (`portable/generators.py`)."""
    count: int
    actions: bytes
    rewards: bytes = b""
    values: bytes = b""
    chosen: bytes = b""
    checksums: bytes = b""
    """2 bytes after every 50th step: a re-simulation that leaves the recording has others."""
    extra: dict[str, bytes] = {}
    """More float16 columns of fixed width per step, e.g. all "probabilities" or "q_values" in evaluations."""
    complete: bool = True
    """False while the episode is still being played."""
    returned: float | None = None
    terminated: bool | None = None
    truncated: bool | None = None
    timestep: int | None = None
    place: RemotePlace | None = None
    """Filled in for drawing, never stored: set when only the Python of the run's script has the environment."""

    @property
    def beginning(self) -> tuple[int | None, bytes]:
        """How it was reset; with the first actions it tells an episode that has no number yet."""
        return self.seed, self.generator

    def is_stretch_of(self, other: Recording) -> bool:
        """Whether one of the two is the beginning of the other: the same episode, seen at two moments."""
        shorter, longer = sorted((self.actions, other.actions), key=len)
        return self.beginning == other.beginning and longer.startswith(shorter)


def shared_fields(target: type[msgspec.Struct], *sources: object) -> dict[str, Any]:
    """The fields of `target` that one of the sources has too; the first source that has a field decides."""
    found: dict[str, Any] = {}
    for name in target.__struct_fields__:
        for source in sources:
            if hasattr(source, name):
                found[name] = getattr(source, name)
                break
    return found
