"""The lab's own Python: when a package counts as installed, and which versions pip may choose."""

from __future__ import annotations

import importlib
import sys
import sysconfig
from pathlib import Path

import pytest

from rl_lab.orchestrator.foreign.lab_python import (
    has_module,
    is_installed,
    merged_constraints,
    packages_of,
    pinned_versions,
)


@pytest.fixture
def site_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    known = sysconfig.get_paths()
    monkeypatch.setattr(sysconfig, "get_paths", lambda *_: {**known, "purelib": str(tmp_path)})
    return tmp_path


def test_a_package_pip_is_still_unpacking_is_not_installed(site_packages: Path) -> None:
    (site_packages / "halfpackage").mkdir()
    importlib.invalidate_caches()
    assert has_module("halfpackage") and not is_installed("halfpackage")
    (site_packages / "halfpackage" / "__init__.py").touch()
    info = site_packages / "halfpackage-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: halfpackage\nVersion: 1.0\n")
    importlib.invalidate_caches()
    assert not is_installed("halfpackage")
    (info / "RECORD").write_text("halfpackage/__init__.py,,\n")
    assert is_installed("halfpackage")


def test_a_module_outside_of_site_packages_needs_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checkoutpackage.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    assert is_installed("checkoutpackage")
    assert not is_installed("nosuchpackage")
    assert "checkoutpackage" not in sys.modules


def test_what_is_installed_keeps_its_version_and_the_rest_is_as_tested(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Numpy:
        name, version = "NumPy", "9.9"

    monkeypatch.setattr("importlib.metadata.distributions", lambda: [Numpy])
    pins = merged_constraints().splitlines()
    assert "numpy==9.9" in pins
    tested = pinned_versions()
    assert f"torch=={tested['torch']}" in pins
    assert len(pins) == len(tested) > 40


def test_packages_come_from_the_metadata_of_the_lab_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "numpy>=2",
        "torch>=2.13; extra == 'sb3'",
        'onnx>=1; extra == "onnx"',
        "old>=1; python_version < '3.12' and extra == 'sb3'",
    ]
    monkeypatch.setattr("importlib.metadata.requires", lambda _name: lines)
    assert packages_of("sb3") == ["torch>=2.13", "old>=1; python_version < '3.12'"]
