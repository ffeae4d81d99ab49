"""Other people's packages: what the lab installs is what was tested, file by file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.base_install import write_wheel

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "requirements"
ENTRY = re.compile(r"^([\w.-]+)==([\w.]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


def test_b24_every_pinned_package_has_hashes() -> None:
    """torch is apart: scripts/setup.sh installs it by its version, and the lock says why."""
    run, dev = (LOCKS / "run.txt").read_text(), (LOCKS / "dev.txt").read_text()
    locked = {name: version for name, version, _ in ENTRY.findall(run + dev)}
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert locked == {name: version for name, version in pins.items() if name != "torch"}
    assert "torch is not here" in run and "-r run.txt" in dev.splitlines()
    assert "torch" in pins


@pytest.mark.parametrize("name", ["run", "dev", "node"])
def test_b24_a_lock_has_nothing_but_hashed_packages(name: str) -> None:
    rest = ENTRY.sub("", (LOCKS / f"{name}.txt").read_text())
    assert [line for line in rest.splitlines() if line and not line.startswith("#")] in ([], ["-r run.txt"])


def test_b24_whatever_installs_packages_compares_hashes() -> None:
    """The two exceptions install no index file: torch's build of this machine, and the lab itself."""
    setup = (ROOT / "scripts" / "setup.sh").read_text()
    calls = re.findall(r"^ *(?:RL_LAB_WEB=skip )?install (-.*)$", setup, re.MULTILINE)
    assert calls == [
        '--require-hashes --no-deps -r "$lock"',
        "-c constraints.txt \"$(grep -o '^torch==[^ ]*' constraints.txt)\"",
        "--no-deps --no-build-isolation -e .",
    ]
    others = [ROOT / "Makefile", ROOT / "hatch_build.py", *(ROOT / "scripts").glob("*.sh")]
    installs = [
        line for file in others for line in file.read_text().splitlines() if re.search(r"pip\W+install", line)
    ]
    assert [
        line for line in installs if "--require-hashes" not in line and 'pip install -q "$@"' not in line
    ] == []
    assert '"ci", "--ignore-scripts"' in (ROOT / "hatch_build.py").read_text()


def test_b24_a_changed_package_stops_the_setup(tmp_path: Path) -> None:
    """The real script with a doctored lock: a wheel whose hash is another one than the recorded one."""
    for name in ("scripts/setup.sh", "pyproject.toml", "constraints.txt", "hatch_build.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "requirements").mkdir()
    lock = tmp_path / "requirements" / "run.txt"
    lock.write_text(f"toy==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
    (tmp_path / "wheels").mkdir()
    write_wheel(tmp_path / "wheels", "toy", "1.0")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    target = tmp_path / "installed"
    variables = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path / "wheels"),
        "PIP_TARGET": str(target),
    }
    done = subprocess.run(
        [tmp_path / "scripts" / "setup.sh", "run"], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "setup: a package is not the tested file: its hash is not in requirements/run.txt." in done.stderr
    assert "toy==1.0" in done.stderr and "Next: " in done.stderr
    assert not target.exists() and not (tmp_path / ".venv" / ".installed-run").exists()
