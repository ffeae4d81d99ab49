"""A file made by a process that may create none for the lab: written to its temporary folder, then to an open file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class MadeFile:
    """`path` is where the file is made; `size` is known at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0


@contextmanager
def handed_over(output: int, suffix: str) -> Iterator[MadeFile]:
    """Copies the file that was made to the descriptor `output`, which the lab has opened."""
    with tempfile.TemporaryDirectory(prefix="rl-lab-") as folder:
        made = MadeFile(Path(folder) / f"made{suffix}")
        yield made
        with made.path.open("rb") as file, os.fdopen(output, "wb", closefd=False) as target:
            shutil.copyfileobj(file, target)
            made.size = file.tell()
            target.flush()
            os.fsync(output)  # here, where no event loop waits for it
