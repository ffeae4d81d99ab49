"""A program that forks and exits, over and over, so that no list of processes has it for long; and who counts it.

`python hopping.py FOLDER ENDS PROGRAM…` runs the program under that many guardians, one after the other, and prints how
many times a process was left when the guardian had ended. Orphans become its children, so the kernel counts them.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rl_lab.guardian.processes import become_subreaper

FORK_OR_EXIT, NEW_SESSION, EXIT = (
    "b839000000 0f05 85c0 75{skip:02x}",
    "b870000000 0f05",
    "31ff b83c000000 0f05",
)
"""x86_64: fork, jump to the end in the parent; setsid; exit."""
BASE = 0x400000
IN_PYTHON = "import os\nwhile True:\n  if os.fork(): os._exit(0)\n  {between}"


def hopper(folder: Path, *, new_sessions: bool) -> list[str]:
    """The command; without a page of Python's memory to copy it hops in a few dozen microseconds."""
    if platform.machine() != "x86_64":
        return [sys.executable, "-S", "-c", IN_PYTHON.format(between="os.setsid()" if new_sessions else "")]
    between = bytes.fromhex(NEW_SESSION) if new_sessions else b""
    code = bytes.fromhex(FORK_OR_EXIT.format(skip=len(between) + 2)) + between
    code += b"\xeb" + struct.pack("b", -len(code) - 2) + bytes.fromhex(EXIT)
    size = 120 + len(code)
    header = b"\x7fELF\2\1\1" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    header += struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, size, size, 0x1000)
    path = folder / "hopper"
    path.write_bytes(header + code)
    path.chmod(0o755)
    return [str(path)]


def count_survivals(folder: Path, ends: int, argv: list[str]) -> int:
    become_subreaper()
    left = 0
    for number in range(ends):
        attempt = folder / str(number)
        attempt.mkdir()
        (attempt / "launch.json").write_text(json.dumps({"argv": argv, "env": {}}))
        guardian = subprocess.Popen([sys.executable, "-m", "rl_lab.guardian", str(attempt)])
        guardian.wait()
        record = json.loads((attempt / "exit.json").read_text())
        assert record["exit_code"] == 0, record
        left += end_all()
    return left


def end_all() -> bool:
    """Kills what became our child; whether there was anything."""
    mine = os.getpid()
    was_any = False
    while True:
        for pid in Path(f"/proc/{mine}/task/{mine}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                was_any = True
        except ChildProcessError:
            return was_any
        was_any = True


if __name__ == "__main__":
    print(count_survivals(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
