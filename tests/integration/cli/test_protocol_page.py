"""The programs of docs/protocol.md, each run through `rl-lab check-worker`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.server import command
from support.waiting import DEADLINE_S

PAGE = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"


def example(language: str, beginning: str) -> str:
    (found,) = [
        text
        for text in re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.M | re.S)
        if text.startswith(beginning)
    ]
    return str(found)


def shell_program(folder: Path) -> list[str]:
    path = folder / "flips.sh"
    path.write_text(example("sh", "#!/bin/sh"))
    path.chmod(0o755)
    return [str(path)]


def python_program(folder: Path) -> list[str]:
    path = folder / "walk.py"
    path.write_text(example("python", "from rl_lab.telemetry"))
    return [sys.executable, str(path)]


def c_program(folder: Path) -> list[str]:
    """Compiled for real; where there is no compiler at all the page cannot be kept true, and this says so."""
    compiler = next((found for name in ("cc", "gcc", "clang", "tcc") if (found := shutil.which(name))), None)
    assert compiler is not None, "a C compiler is needed to check the page's C program"
    (folder / "fall.c").write_text(example("c", "#include"))
    subprocess.run([compiler, "-o", folder / "fall", folder / "fall.c"], check=True, timeout=DEADLINE_S)
    return [str(folder / "fall")]


def check(home: Path, program: list[str], *options: str) -> tuple[int, dict[str, Any]]:
    done = command(home, "check-worker", "--json", *options, "--", *program)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("make", [shell_program, python_program, c_program])
def test_each_program_of_the_page_conforms(make: Any, home: Path, tmp_path: Path) -> None:
    code, said = check(home, make(tmp_path))
    assert (code, said["conformant"], said["exit_code"]) == (0, True, 0), said
    assert said["remarks"] == []
    assert said["events"]["finished"] == 1 and said["lines"] > 20


def test_a_program_that_listens_is_seen_to_stop(home: Path, tmp_path: Path) -> None:
    patient = tmp_path / "patient.py"
    patient.write_text(
        "import time\nfrom rl_lab.telemetry import emit, stop_requested\nemit('status', state='hello')\n"
        "emit('config', env_id='X-v0')\nprint('this goes to the log')\nstep = 0\n"
        "while not stop_requested():\n    step += 1\n"
        "    emit('metric', name='loss', value=float('nan'), step=step)\n    time.sleep(0.01)\n"
        "emit('finished', outcome='stopped')\n"
    )
    code, said = check(home, [sys.executable, str(patient)], "--lines", "5")
    assert (code, said["stop"], said["remarks"]) == (0, "heeded", [])


def test_a_wrong_program_is_told_line_by_line(home: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.sh"
    wrong.write_text('#!/bin/sh\necho Starting…\necho \'{"type":"episode","steps":"ten"}\'\nexit 3\n')
    wrong.chmod(0o755)
    done = command(home, "check-worker", "--", str(wrong))
    assert done.returncode == 1
    assert "line 1: fault: Not JSON: Starting…" in done.stdout
    assert "line 2: fault: `steps` is wrong: expected `int`, got `str`." in done.stdout
    assert "without a `finished` event" in done.stdout and "Not conformant" in done.stdout
    assert "Not confined" in done.stderr


def test_a_program_that_is_not_there_is_wrong_use(home: Path) -> None:
    done = command(home, "check-worker", "--", "/no/such/program")
    assert done.returncode == 2 and "cannot be started" in done.stderr
