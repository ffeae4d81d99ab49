"""Started as a plain file by any Python: `python start.py JOB.json -- script.py args…` or `… -- -m module args…`.

Sends `hello` before anything else is loaded, makes the lab's modules importable without changing sys.path, then
calls `running`.
"""

import os
import sys
import time

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main() -> int:
    protocol_fd, command_fd = claim_stdio()
    send_hello(protocol_fd)
    register_package()
    from rl_lab.capture.running import run

    return run(sys.argv[1:], protocol_fd, command_fd)


def claim_stdio() -> "tuple[int, int]":
    """Keep stdout and stdin for the lab: the script's output goes to the log, its stdin is empty."""
    protocol_fd, command_fd = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return protocol_fd, command_fd


def send_hello(protocol_fd: int) -> None:
    """Without the json module, which is not loaded yet."""
    line = '{"type":"status","v":1,"seq":0,"t":%.6f,"state":"hello","message":"Process %d has started."}\n'
    os.write(protocol_fd, (line % (time.time(), os.getpid())).encode())


def register_package() -> None:
    """`import rl_lab.…` finds the lab's files even if the interpreter has another rl_lab; nothing else changes."""
    package = type(sys)("rl_lab")
    package.__path__ = [PACKAGE]
    sys.modules["rl_lab"] = package


if __name__ == "__main__":
    sys.exit(main())
