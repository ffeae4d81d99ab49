"""The lab's own Python: whether it has a module, and installing an extra of this package into it."""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import importlib.util
import re
import shlex
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

import rl_lab
from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import RunnerSpec
from rl_lab.orchestrator.foreign.installations import (
    PIP_INSTALL,
    InstallationFailed,
    Installations,
    LogLine,
    run_command,
)
from rl_lab.portable.failures import package_of

PACKAGE = "rl-lab"
EXTRA_MARKER = re.compile(r"""\s*(?:and\s+)?extra\s*==\s*['"]([\w-]+)['"]""")


def has_module(module: str) -> bool:
    """Whether the lab's own Python has it; it is looked for, not imported."""
    return _find(module) is not None


def is_installed(module: str) -> bool:
    """Like `has_module`, but False while pip is still unpacking the package, or if pip was killed meanwhile."""
    origin = _find(module)
    if origin is None or Path(sysconfig.get_paths()["purelib"]) not in Path(origin).parents:
        return origin is not None
    try:
        # pip writes this file last.
        return importlib.metadata.distribution(package_of(module)).read_text("RECORD") is not None
    except importlib.metadata.PackageNotFoundError:
        return False


def _find(module: str) -> str | None:
    """Where the module is: its file, or its folder when that has no `__init__.py`."""
    try:
        spec = importlib.util.find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    return spec.origin or next(iter(spec.submodule_search_locations or ()), "")


class LabPython:
    def __init__(self, installations: Installations, on_installed: Callable[[], None]) -> None:
        self._installations = installations
        self._on_installed = on_installed
        self._lock = asyncio.Lock()

    def install(self, spec: RunnerSpec) -> None:
        """Starts to install the extras the runner needs; later workers use them, the lab need not be restarted."""
        extras = _require_extras(spec)
        self._installations.begin(spec.id, lambda log: self._install(extras, log))

    async def _install(self, extras: set[str], log: LogLine) -> None:
        packages = sorted(package for extra in extras for package in packages_of(extra))
        async with self._lock:  # two runners, one folder of packages
            try:
                with tempfile.TemporaryDirectory(prefix="rl-lab-install-") as folder:
                    constraints = Path(folder) / "constraints.txt"
                    await asyncio.to_thread(lambda: constraints.write_text(merged_constraints()))
                    await run_command([sys.executable, *PIP_INSTALL, "-c", str(constraints), *packages], log)
            except InstallationFailed as error:
                line = shlex.join([sys.executable, "-m", "pip", "install", *packages])
                raise InstallationFailed(
                    f"{error} Solve this and try again, or install by hand: {line}"
                ) from None
            finally:
                importlib.invalidate_caches()
        self._on_installed()


def _require_extras(spec: RunnerSpec) -> set[str]:
    if spec.interpreter is not None:
        raise InvalidInput.of_field(
            "runner",
            f"{spec.name} runs in a Python of its own: `rl-lab runners --prepare {spec.id}` makes it.",
        )
    extras = {r.extra for r in spec.requirements if r.extra is not None}
    if not extras:
        raise InvalidInput.of_field("runner", f"{spec.name} needs no packages that the lab could install.")
    return extras


def packages_of(extra: str) -> list[str]:
    """What pyproject.toml lists for an extra, read from the installed package: `torch>=2.13`."""
    found = []
    for line in _requires():
        package, _, marker = line.partition(";")
        if extra in EXTRA_MARKER.findall(marker):
            rest = EXTRA_MARKER.sub("", marker).strip()
            found.append(f"{package.strip()}; {rest}" if rest else package.strip())
    if not found:
        raise InstallationFailed(f"The installed {PACKAGE} has no extra “{extra}”. Install {PACKAGE} again.")
    return found


def _requires() -> list[str]:
    try:
        return importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []  # run from a checkout that was never installed


def merged_constraints() -> str:
    """The tested versions, but packages the running lab may have loaded keep the version that is installed."""
    installed = {
        _normal(found.name): found.version for found in importlib.metadata.distributions() if found.name
    }
    return "".join(f"{name}=={installed.get(name, version)}\n" for name, version in pinned_versions().items())


def pinned_versions() -> dict[str, str]:
    lines = (line.split("#")[0].strip() for line in constraints_file().read_text().splitlines())
    pairs = (line.partition("==") for line in lines if line)
    return {_normal(name): version for name, _, version in pairs}


def constraints_file() -> Path:
    """The tested versions: in the package when it was installed from a wheel, else at the top of the checkout."""
    package = Path(rl_lab.__file__).parent
    packed = package / "constraints.txt"
    return packed if packed.is_file() else package.parents[1] / "constraints.txt"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
