"""Library versions and hardware of a run, read without heavy imports."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

LIBRARIES = ("rl-lab", "numpy", "gymnasium", "torch", "stable-baselines3", "numba", "ale-py")


def library_versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for name in LIBRARIES:
        version = find_version(name)
        if version is not None:
            versions[name] = version
    return versions


def find_version(distribution: str) -> str | None:
    from importlib import metadata  # slow to import, and not needed for the hardware

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def describe_hardware() -> dict[str, Any]:
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "platform": sys.platform,
        "machine": platform.machine(),
    }


def cpu_model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def probe_accelerators() -> dict[str, Any]:
    """torch's version and the CUDA devices it can use; imports torch, so only in a worker call."""
    try:
        import torch
    except ImportError as error:
        return {"torch": None, "cuda": False, "devices": [], "problem": str(error)}
    devices = []
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            properties = torch.cuda.get_device_properties(index)
            devices.append({"name": properties.name, "memory_bytes": int(properties.total_memory)})
    return {"torch": str(torch.__version__), "cuda": bool(devices), "devices": devices, "problem": None}


def call_probe(_given: dict[str, Any]) -> dict[str, Any]:
    """Worker call `probe`."""
    return {**probe_accelerators(), **describe_hardware(), "versions": library_versions()}
