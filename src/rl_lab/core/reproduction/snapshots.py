"""A Snapshot: the software and hardware a run was made with, and what differs between two of them.

`portable/snapshot.py` takes it in the process of the run; here it is read, hashed and compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_PACKAGES = 5
"""How many packages a sentence about a difference names."""
NUMERIC = (
    "numpy",
    "torch",
    "gymnasium",
    "stable-baselines3",
    "box2d",
    "box2d-py",
    "pygame",
    "ale-py",
    "mujoco",
)
"""Packages that decide about numbers: named first."""
PARTS = {"math": "the C library", "numpy": "numpy", "matrix": "matrix products (BLAS)"}


class Snapshot(BaseModel):
    """Software and hardware of one process; what a program sent besides is kept as it is."""

    model_config = ConfigDict(extra="allow", frozen=True)

    format: int = 1
    python: dict[str, Any] = Field(default={}, description="Version, implementation, compiler and build.")
    system: dict[str, Any] = Field(default={}, description="Platform, kernel, C library, machine.")
    cpu: dict[str, Any] = Field(default={}, description="Model, cores, and instructions that libraries use.")
    gpu: dict[str, Any] = Field(default={}, description="Driver, devices and CUDA; empty without a GPU.")
    blas: dict[str, Any] = Field(default={}, description="The library of numpy's matrix products.")
    variables: dict[str, Any] = Field(
        default={}, description="Environment variables that decide about numbers."
    )
    environments: dict[str, Any] = Field(default={}, description="Versions of simulators.")
    packages: dict[str, Any] = Field(default={}, description="All installed packages with their versions.")
    fingerprint: dict[str, Any] = Field(
        default={}, description="Hashes of elementary functions and matrix products of fixed inputs."
    )

    @property
    def sha256(self) -> str:
        return hash_of(self.model_dump(mode="json"))


def read_snapshot(data: bytes | Mapping[str, Any]) -> Snapshot | None:
    """From JSON that a worker or any program has sent; None when it is no snapshot."""
    try:
        return (
            Snapshot.model_validate_json(data) if isinstance(data, bytes) else Snapshot.model_validate(data)
        )
    except ValidationError:
        return None


def hash_of(content: Any) -> str:
    """SHA-256 of JSON, written in one way only: sorted names, no spaces."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def differences(recorded: Snapshot, here: Snapshot) -> list[str]:
    """What differs and may change numbers, most telling first; one phrase each."""
    return [
        *_fingerprint(recorded, here),
        *_packages(recorded, here),
        *_field("Python", recorded.python, here.python, "version"),
        *_field("the C library", recorded.system, here.system, "libc"),
        *_field("the BLAS library", recorded.blas, here.blas, "version"),
        *_field("the processor", recorded.cpu, here.cpu, "model"),
        *_field("the GPU driver", recorded.gpu, here.gpu, "driver"),
        *_field("CUDA", recorded.gpu, here.gpu, "cuda"),
    ]


def _fingerprint(recorded: Snapshot, here: Snapshot) -> list[str]:
    both = [name for name in PARTS if name in recorded.fingerprint and name in here.fingerprint]
    other = [PARTS[name] for name in both if recorded.fingerprint[name] != here.fingerprint[name]]
    return [f"numbers are rounded differently here (fingerprint of {', '.join(other)})"] if other else []


def _packages(recorded: Snapshot, here: Snapshot) -> list[str]:
    """Packages with another version; one that only one side has is named if it decides about numbers."""
    names = [n for n in {**recorded.packages, **here.packages} if _differs(n, recorded, here)]
    names.sort(key=lambda name: (name not in NUMERIC, name))
    phrases = [
        f"{name} {recorded.packages.get(name, 'not installed')} → {here.packages.get(name, 'not installed')}"
        for name in names[:MAX_PACKAGES]
    ]
    left = len(names) - MAX_PACKAGES
    return [*phrases, f"{left} more packages"] if left > 0 else phrases


def _differs(name: str, recorded: Snapshot, here: Snapshot) -> bool:
    before, now = recorded.packages.get(name), here.packages.get(name)
    is_on_both = before is not None and now is not None
    return before != now and (is_on_both or name in NUMERIC)


def _field(title: str, recorded: Mapping[str, Any], here: Mapping[str, Any], name: str) -> list[str]:
    before, now = recorded.get(name), here.get(name)
    return [f"{title}: {before} → {now}"] if before and now and before != now else []
