"""Files of an adopted run, opened where they were found: with the care taken for run folders, never written."""

from __future__ import annotations

import os

from rl_lab.core.errors import Forbidden, Gone
from rl_lab.store.files.safe_open import LINK_ERRORS, open_plain, split_path


def open_in_source(folder: str, path: str) -> int:
    """A descriptor to read the regular file at `path` beneath the source; the caller closes it.

    Forbidden for a path that leads elsewhere or to something that is no plain file, NotFound for a missing file,
    Gone when the whole source is missing.
    """
    parts = split_path(path)
    try:
        above = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise Forbidden(f"{folder} is a link now; links are not followed.") from None
        raise Gone(
            f"The folder this run was adopted from is not there any more: {folder}.",
            next_step="Put it back; what the lab has read of it stays.",
        ) from None
    try:
        return open_plain(above, parts, f"The source of this run has no file “{path}” any more.")
    finally:
        os.close(above)
