"""A program confined by a real guardian, with the files and the neighbour that it must not reach, for tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rl_lab
from rl_lab.guardian.files import Confinement, as_json
from rl_lab.orchestrator.confinement_probe import probe
from support.waiting import DEADLINE_S

PACKAGE = Path(rl_lab.__file__).parent
NOBODY = 65534
_BYTE_CODE = shutil.ignore_patterns("__pycache__")
SYSTEM_PYTHON = "/usr/bin/python3"


class Confined:
    """A lab's home with a token and two runs, and a user's folders next to it.

    Programs run as the first run. `lab` is the user that the guardian runs as, `user` the one that the program becomes;
    only a guardian that is root can change it. Everything is in a folder that every user may enter.
    """

    def __init__(self, folder: Path, lab: int, user: int) -> None:
        self.folder = folder
        self.lab = lab
        self.user = user
        self.code = folder / "code"
        self.home, self.own = folder / "home", folder / "user"
        self.run_dir = self.home / "runs" / "mine"
        self.files = self.run_dir / "files"
        self.project = self.own / "project"
        self.attempts = 0
        self._copy_guardian()
        for name in OUTSIDE:
            self._write(folder / name, f"contents of {name}")
        for name in ("files", "scratch", "checkpoints"):
            (self.run_dir / name).mkdir()
        (self.home / "token").chmod(0o600)
        shutil.copytree(Path(__file__).with_name("cells"), self.project / "cells", ignore=_BYTE_CODE)
        (self.own / "link").symlink_to("notes")
        (self.own / "empty").mkdir()
        if lab != os.geteuid():
            for path in (folder, *folder.rglob("*")):
                os.chown(path, lab, lab, follow_symlinks=False)
        if user != lab:
            for name in ("files", "scratch", "checkpoints"):
                os.chown(self.run_dir / name, user, user)

    @property
    def next_attempt(self) -> Path:
        return self.run_dir / "attempts" / str(self.attempts + 1)

    def run(self, argv: list[str], **changes: Any) -> dict[str, Any]:
        """The exit record of a program that ran to its end; its output is in `output` and `log`."""
        attempt = self.next_attempt
        self.attempts += 1
        attempt.mkdir(parents=True)
        launch = {"argv": argv, "cwd": str(self.files), "confine": as_json(self.confinement(**changes))}
        (attempt / "launch.json").write_text(json.dumps(launch))
        if self.lab != os.geteuid():
            for path in (attempt.parent, attempt, attempt / "launch.json"):
                os.chown(path, self.lab, self.lab)
        # As a shell or an editor would leave one open; the program must not have it.
        inherited = os.open(self.home / "token", os.O_RDONLY)
        subprocess.run(
            [self.python, "-m", "rl_lab.guardian", str(attempt)],
            pass_fds=[inherited],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(self.code)},
            stdin=subprocess.DEVNULL,
            timeout=DEADLINE_S,
            check=False,
            start_new_session=True,
            **_as(self.lab),
        )
        os.close(inherited)
        self.output = "".join(path.read_text() for path in sorted((attempt / "journal").glob("*.jsonl")))
        self.log = (attempt / "log.txt").read_text()
        record: dict[str, Any] = json.loads((attempt / "exit.json").read_bytes())
        return record

    def answers(self, code: str, **changes: Any) -> dict[str, Any]:
        """What a Python program reported, by name: None when an attempt succeeded, else its error number."""
        record = self.run([self.python, "-u", "-c", PRELUDE + code, str(self.folder)], **changes)
        assert record["exit_code"] == 0, (record, self.log)
        return dict(json.loads(line) for line in self.output.splitlines())

    def confinement(self, **changes: Any) -> Confinement:
        found = probe()
        return Confinement(
            level="confined",
            landlock=found.landlock,
            seccomp=found.seccomp,
            own_shared_memory=self.has_own_memory,
            reads=[str(self.project), sys.prefix, sys.base_prefix],
            writes=[str(self.files), str(self.run_dir / "scratch")],
            processes=512,
            uid=-1 if self.user == self.lab else self.user,
            gid=-1 if self.user == self.lab else self.user,
        )._replace(**changes)

    @property
    def python(self) -> str:
        """The test's own, or the system's where another user cannot reach it."""
        return sys.executable if self.user == os.geteuid() else SYSTEM_PYTHON

    def as_user(self) -> dict[str, Any]:
        """How `subprocess` starts something as the program's user."""
        return _as(self.user)

    @property
    def has_own_memory(self) -> bool:
        return has_own_memory(self.lab, self.python, self.code)

    def _copy_guardian(self) -> None:
        package = self.code / "rl_lab"
        (package / "core").mkdir(parents=True)
        shutil.copytree(PACKAGE / "guardian", package / "guardian", ignore=_BYTE_CODE)
        for name in ("__init__.py", "core/bounds.py", "core/own_environments.py"):
            shutil.copy(PACKAGE / name, package / name)
        (package / "core" / "__init__.py").touch()

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


_own_memory: dict[int, bool] = {}


def has_own_memory(user: int, python: str, code: Path) -> bool:
    """Whether this user's programs can have a /dev/shm of their own; another answer than root's is possible."""
    if user not in _own_memory:
        argv = [python, "-I", "-S", "-c", ASK, str(code)]
        asked = subprocess.run(argv, capture_output=True, check=True, timeout=DEADLINE_S, **_as(user))
        _own_memory[user] = json.loads(asked.stdout)["own_shared_memory"]
    return _own_memory[user]


ASK = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rl_lab.guardian.confinement.probe import main; main()"
)


def _as(user: int) -> dict[str, Any]:
    return {} if user == os.geteuid() else {"user": user, "group": user, "extra_groups": []}


OUTSIDE = (
    "home/token",
    "home/lab.db",
    "home/runs/other/config.json",
    "home/runs/mine/telemetry.db",
    "user/.ssh/id_ed25519",
    "user/.bashrc",
    "user/notes",
    "user/project/train.py",
    "user/project/__pycache__/train.pyc",
    "user/project/venv/site.py",
)
PRELUDE = """
import json, os, sys
outside = sys.argv[1] + "/user/notes"
def attempt(name, act):
    try:
        act()
    except OSError as error:
        print(json.dumps([name, error.errno]))
    except BaseException as error:
        print(json.dumps([name, repr(error)]))
    else:
        print(json.dumps([name, None]))
"""


KINDS: dict[str, tuple[int, int]] = {"user": (os.geteuid(), os.geteuid())}
"""Who the guardian is and who the program: everything that the test's own user can try."""
if os.geteuid() == 0:
    KINDS = {"user": (NOBODY, NOBODY), "user of a root lab": (0, NOBODY), "root": (0, 0)}


@contextmanager
def confined(kind: str = "user") -> Iterator[Confined]:
    folder = Path(tempfile.mkdtemp(prefix="rl-lab-confined-")).resolve()
    folder.chmod(0o755)
    try:
        yield Confined(folder, *KINDS[kind])
    finally:
        shutil.rmtree(folder)
