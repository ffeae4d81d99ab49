"""The snapshot of a run: installed packages, Python, system, processor, GPU, and a numeric fingerprint.

Read without heavy imports, in a few milliseconds: versions of packages come from the names of their folders, the GPU
from files of its driver, numpy and torch only where the program has loaded them. Standard library only.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from typing import Any

from rl_lab.portable.fingerprint import fingerprint
from rl_lab.portable.listed_packages import normalised
from rl_lab.portable.machine import cpu_model

FORMAT = 1
FLAGS = re.compile(r"(avx|fma|f16c|sse|amx|asimd|sve|neon|bf16)\w*")
"""Instructions of the processor that mathematical libraries choose their code by."""
ENVIRONMENTS = (
    "gymnasium",
    "box2d",
    "box2d-py",
    "pygame",
    "pygame-ce",
    "ale-py",
    "mujoco",
    "minigrid",
    "highway-env",
    "pettingzoo",
)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
DETERMINISM = ("PYTHONHASHSEED", "CUBLAS_WORKSPACE_CONFIG")
DISTRIBUTION = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)(-py[\d.]+)?\.(dist|egg)-info")
DRIVER = "/proc/driver/nvidia"


def take_snapshot() -> dict[str, Any]:
    packages = installed_packages(sys.path)
    return {
        "format": FORMAT,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "compiler": platform.python_compiler(),
            "build": " ".join(platform.python_build()),
        },
        "system": {
            "platform": sys.platform,
            "kernel": platform.release(),
            "libc": " ".join(platform.libc_ver()).strip(),
            "machine": platform.machine(),
        },
        "cpu": {"model": cpu_model(), "cores": os.cpu_count(), "flags": cpu_flags()},
        "gpu": describe_gpu(),
        "blas": describe_blas(),
        "variables": {name: os.environ[name] for name in (*THREADS, *DETERMINISM) if name in os.environ},
        "environments": {name: packages[name] for name in ENVIRONMENTS if name in packages},
        "packages": packages,
        "fingerprint": fingerprint(),
    }


def installed_packages(folders: list[str]) -> dict[str, str]:
    """Version by normalised name; of a package that is installed twice, the one that Python imports."""
    found: dict[str, str] = {}
    for folder in folders:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in names:
            match = DISTRIBUTION.fullmatch(entry)
            if match:
                found.setdefault(normalised(match["name"]), match["version"])
    return dict(sorted(found.items()))


def cpu_flags() -> list[str]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    return sorted(f for f in line.partition(":")[2].split() if FLAGS.fullmatch(f))
    except OSError:
        pass
    return []


def describe_gpu() -> dict[str, Any]:
    """Driver and models, from the files of the driver; what torch uses of them, if it is loaded. Empty: no GPU."""
    found: dict[str, Any] = {}
    match = re.search(r"Kernel Module[^\d]*([\d.]+)", _read(f"{DRIVER}/version"))
    if match:
        found["driver"] = match[1]
        found["devices"] = [_model(name) for name in _entries(f"{DRIVER}/gpus")]
    torch = sys.modules.get("torch")
    cuda = getattr(getattr(torch, "version", None), "cuda", None)
    if cuda:
        found["cuda"] = str(cuda)
    return found


def describe_blas() -> dict[str, Any]:
    """The library of numpy's matrix products, if numpy is loaded."""
    numpy = sys.modules.get("numpy")
    try:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]  # type: ignore[union-attr]
        return {"name": str(blas["name"]), "version": str(blas["version"])}
    except Exception:  # numpy is not loaded, or too old to answer
        return {}


def _model(name: str) -> str:
    match = re.search(r"Model:\s*(.+)", _read(f"{DRIVER}/gpus/{name}/information"))
    return match[1].strip() if match else name


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except OSError:
        return ""
