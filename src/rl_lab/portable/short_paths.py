"""Unix sockets in deep folders: the address of a socket has room for about a hundred bytes only.

A longer path is reached through a short link in a temporary folder, which nobody else may read and which is removed as
soon as the socket is bound or connected.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

MOST_BYTES = 100
"""107 on Linux, 103 on macOS."""


@contextmanager
def short_path(path: str) -> Iterator[str]:
    """A path to the same place that fits the address of a socket."""
    if len(os.fsencode(path)) <= MOST_BYTES:
        yield path
        return
    folder = tempfile.mkdtemp(prefix="rl")
    try:
        link = os.path.join(folder, "l")
        os.symlink(os.path.dirname(path), link)
        yield os.path.join(link, os.path.basename(path))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
