"""What a run needs of the machine, what is free, and the sentence about what is missing.

A need is declared by the runner, and learned from the last runs of the same runner, algorithm and environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rl_lab.core.runners import RunnerSpec
from rl_lab.core.words.amounts import bytes_text, plural


class Needs(NamedTuple):
    cores: int = 1
    memory: int = 0
    """Bytes; 0 when nothing is known."""
    gpu: bool = False


class Use(NamedTuple):
    """What one ended run has used."""

    memory: int
    """Most bytes of all its processes together."""
    cores: float
    """Processor time per time."""


class Capacity(NamedTuple):
    """The whole machine, or what is free of it."""

    cores: int
    memory: int
    gpus: int = 0
    """Runs that may use a GPU at the same time; 0: there is none, and no run counts."""


def needs_of(spec: RunnerSpec | None, settings: Mapping[str, Any], used: Sequence[Use]) -> Needs:
    """Of a training with these settings (its configuration); `used` by the last runs like it."""
    memory = max([use.memory for use in used], default=spec.memory_mb << 20 if spec else 0)
    if spec is None:
        return Needs(cores=0, memory=memory)
    return Needs(cores=_cores(spec, settings, used), memory=memory, gpu=_uses_gpu(spec, settings))


def _cores(spec: RunnerSpec, settings: Mapping[str, Any], used: Sequence[Use]) -> int:
    declared = settings.get("params", {}).get(spec.cores_param) if spec.cores_param else None
    if isinstance(declared, int) and declared > 0:
        return declared
    if not spec.capabilities.foreign:
        return 1  # the lab's own learners share the cores that are there
    return max(1, round(max([use.cores for use in used], default=1.0)))


def _uses_gpu(spec: RunnerSpec, settings: Mapping[str, Any]) -> bool:
    if not spec.capabilities.gpu:
        return False
    device = settings.get("device", "auto")
    return device == "cuda" or (device == "auto" and settings.get("algorithm") not in spec.cpu_algorithms)


def free_of(total: Capacity, free_memory: int, running: Iterable[Needs]) -> Capacity:
    """What the running ones leave; memory is measured, so it is given."""
    taken = list(running)
    return Capacity(
        cores=total.cores - sum(needs.cores for needs in taken),
        memory=free_memory,
        gpus=total.gpus - sum(needs.gpu for needs in taken),
    )


def take(free: Capacity, needs: Needs) -> Capacity:
    return Capacity(free.cores - needs.cores, free.memory - needs.memory, free.gpus - needs.gpu)


def lacks_gpu(needs: Needs, total: Capacity, free: Capacity) -> bool:
    return needs.gpu and total.gpus > 0 and free.gpus <= 0


def describe_shortage(needs: Needs, total: Capacity, free: Capacity) -> str | None:
    """What is missing, as a sentence; None when the run fits."""
    if needs.memory > max(0, free.memory):
        free_text = bytes_text(max(0, free.memory))
        return f"Needs {bytes_text(needs.memory)} of memory; {free_text} are free."
    if needs.cores > max(0, free.cores):
        return f"Needs {plural(needs.cores, 'core')}; {max(0, free.cores)} of {total.cores} are free."
    if lacks_gpu(needs, total, free):
        what = "the GPU" if total.gpus == 1 else f"one of {total.gpus} GPUs"
        return f"Needs {what}, which {'another run uses' if total.gpus == 1 else 'other runs use'}."
    return None
