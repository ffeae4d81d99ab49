"""Opens files of an adopted run in its source folder, as safely as in run folders; never writes."""

from __future__ import annotations

import os

from rl_lab.core.adoption import Source
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Forbidden, Gone
from rl_lab.store.files.safe_open import LINK_ERRORS, open_plain, split_path


def place_of(source: Source, artifact: Artifact) -> tuple[str, str]:
    """The folder that holds a file of an adopted run, and the file's path in it."""
    joined = artifact.data.get("joined")
    if joined in [one.folder for one in source.joined]:
        return str(joined), str(artifact.data["name"])
    return source.folder, artifact.path


def open_in_source(folder: str, path: str) -> int:
    """A descriptor for reading the regular file at `path` inside the source folder; the caller closes it.

    Raises Forbidden for a path outside the folder or for something that is not a regular file, NotFound for a missing
    file, Gone if the whole source folder is missing.
    """
    parts = split_path(path)
    try:
        above = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise Forbidden(f"{folder} is now a link; links are not followed.") from None
        raise Gone(
            f"The folder that this run was adopted from no longer exists: {folder}.",
            next_step="Restore it; the data that the lab has already read is kept.",
        ) from None
    try:
        return open_plain(
            above, parts, f"The source folder of this run no longer contains the file “{path}”."
        )
    finally:
        os.close(above)
