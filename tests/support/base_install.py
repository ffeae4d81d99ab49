"""A Python that has what `pip install rl-lab` brings and nothing else, linked from the one that runs the tests."""

from __future__ import annotations

import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from rl_lab.orchestrator.foreign.lab_python import pinned_versions

SOURCE = Path(__file__).resolve().parents[2] / "src"


def make_base_install(folder: Path) -> Path:
    """Its `python`, within a second: a virtual environment whose packages are symbolic links; pip is there too."""
    venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
    [packages] = folder.glob("lib/python3*/site-packages")
    linked = folder / "linked"
    linked.mkdir()
    for name in {*base_distributions(), "pip"}:
        _link(metadata.distribution(name), linked)
    (packages / "linked.pth").write_text(f"{linked}\n{SOURCE}\n")
    return folder / "bin" / "python"


def base_distributions() -> set[str]:
    """rl-lab and what it needs without extras, followed to the end."""
    found: set[str] = set()
    waiting = [("rl-lab", "")]
    while waiting:
        name, extra = waiting.pop()
        found.add(name)
        waiting += [pair for pair in _needs(name, extra) if pair[0] not in found or pair[1]]
    return found


def _needs(name: str, extra: str) -> Iterator[tuple[str, str]]:
    for line in metadata.requires(name) or ():
        need = Requirement(line)
        if need.marker is None or need.marker.evaluate({"extra": extra}):
            yield need.name, ""
            yield from ((need.name, one) for one in need.extras)


def _link(distribution: metadata.Distribution, linked: Path) -> None:
    for file in distribution.files or ():
        top = file.parts[0]
        if top not in ("..", "__pycache__") and not (linked / top).is_symlink():
            (linked / top).symlink_to(Path(str(distribution.locate_file(top))).resolve())


def write_toy_wheels(folder: Path) -> None:
    """Wheels of torch and Stable-Baselines3 in the tested versions, with one empty module each."""
    folder.mkdir(exist_ok=True)
    versions = pinned_versions()
    write_wheel(folder, "torch", versions["torch"])
    write_wheel(folder, "stable_baselines3", versions["stable-baselines3"], "torch", "gymnasium")


def write_wheel(folder: Path, name: str, version: str, *needs: str) -> Path:
    """A package with one empty module, as small as pip accepts it."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    required = "".join(f"Requires-Dist: {need}\n" for need in needs)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{required}"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path
