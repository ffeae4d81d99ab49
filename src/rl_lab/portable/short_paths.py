"""Unix sockets in deep folders: the address of a socket has room for about a hundred bytes only.

A longer path is reached through an open descriptor of its folder. Where the system has none to name, as on macOS, it is
reached through a short link in a temporary folder, which is removed as soon as the socket is bound or connected. A
confined process has a temporary folder of its own, which may be as deep.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

MOST_BYTES = 100
"""107 on Linux, 103 on macOS."""
DESCRIPTORS = "/proc/self/fd"


@contextmanager
def short_path(path: str) -> Iterator[str]:
    """A path to the same place that fits the address of a socket."""
    if len(os.fsencode(path)) <= MOST_BYTES:
        yield path
        return
    folder, name = os.path.split(path)
    with _opened(folder) if os.path.isdir(DESCRIPTORS) else _linked(folder) as short:
        yield os.path.join(short, name)


@contextmanager
def _opened(folder: str) -> Iterator[str]:
    held = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)  # needs no permission to list it
    try:
        yield f"{DESCRIPTORS}/{held}"
    finally:
        os.close(held)


@contextmanager
def _linked(folder: str) -> Iterator[str]:
    place = tempfile.mkdtemp(prefix="rl")
    try:
        link = os.path.join(place, "l")
        os.symlink(folder, link)
        yield link
    finally:
        shutil.rmtree(place, ignore_errors=True)
