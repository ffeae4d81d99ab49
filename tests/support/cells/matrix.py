"""All cells; run inside a confined program, it prints what each of them met as JSON."""

from __future__ import annotations

import json
import os
import sys
from types import SimpleNamespace
from typing import Any

from .cell import Cell, write_mode
from .files import attributes, reading, writing
from .kernel import kernel, sockets
from .own import open_ones, own
from .processes import other_processes_files, processes, scheduling, shared


def cells(at: Any) -> list[Cell]:
    """`at` has paths, process numbers and the numbers of system calls."""
    groups = (
        reading,
        other_processes_files,
        writing,
        sockets,
        processes,
        kernel,
        scheduling,
        shared,
        attributes,
        own,
        open_ones,
    )
    return [cell for group in groups for cell in group(at)]


def outcome(cell: Cell) -> int | str | None:
    """None: it succeeded."""
    try:
        cell.act()
    except OSError as error:
        return error.errno
    except BaseException as error:
        return repr(error)
    return None


def main() -> None:
    # Before anything is opened here.
    descriptors = {fd for fd in range(256) if os.path.exists(f"/proc/self/fd/{fd}")}
    write_mode("own", 0o600)
    at = SimpleNamespace(**json.loads(sys.argv[1]), descriptors=descriptors, guardian=os.getppid())
    for cell in cells(at):
        print(json.dumps([cell.group, cell.name, outcome(cell)]), flush=True)
