"""The snapshot of software and hardware, and the numeric fingerprint."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy
import pytest

from rl_lab.portable.fingerprint import fingerprint
from rl_lab.portable.snapshot import installed_packages, take_snapshot


def test_a_snapshot_names_packages_python_processor_and_simulators() -> None:
    found = take_snapshot()
    assert found["packages"]["numpy"] == numpy.__version__
    assert found["environments"]["gymnasium"] == found["packages"]["gymnasium"]
    assert found["python"]["version"] == sys.version.split()[0]
    assert found["cpu"]["model"]
    assert set(found["fingerprint"]) == {"math", "numpy", "matrix"}


def test_the_fingerprint_is_stable_on_one_machine() -> None:
    assert fingerprint() == fingerprint()


def test_another_rounding_is_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    bare = math.tanh
    monkeypatch.setattr(math, "tanh", lambda x: math.nextafter(bare(x), 2.0))
    now = fingerprint()
    assert now["math"] != before["math"]
    assert now["matrix"] == before["matrix"]


def test_without_numpy_only_the_c_library_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy")
    assert set(fingerprint()) == {"math"}


def test_versions_are_read_from_folder_names(tmp_path: Path) -> None:
    names = [
        "Box2D-2.3.10.dist-info",
        "ale_py-0.12.1.dist-info",
        "old-1.0-py3.10.egg-info",
        "numpy",
        "x.dist-info",
    ]
    for name in names:
        (tmp_path / name).mkdir()
    assert installed_packages([str(tmp_path), "/does/not/exist"]) == {
        "ale-py": "0.12.1",
        "box2d": "2.3.10",
        "old": "1.0",
    }
