"""Downloads the files of a Hub repository that an import can use, within limits, into a folder of the lab.

They come through huggingface_hub's cache: it continues a download that is cut, and fetches nothing twice.
"""

from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.models.packages import CONFIG, PACKAGE_FORMAT
from rl_lab.core.models.transfers import MAX_PULL_BYTES, MAX_PULL_FILES, PULLED_SUFFIXES
from rl_lab.core.words.amounts import bytes_text
from rl_lab.worker.models.hub_push import Report

MODEL_SUFFIXES = PULLED_SUFFIXES - {".json", ".md", ".pkl"}
MAX_TEXT_BYTES = 64 << 20
"""Of files that only describe a model."""
SLACK_BYTES = 1 << 20
"""The cache of huggingface_hub writes small files of its own."""


def pull(given: dict[str, Any], report: Report) -> None:
    """`repo`, `revision` and `file` say what; the files are copied into `folder`."""
    from huggingface_hub import HfApi, hf_hub_download

    repo, target = str(given["repo"]), Path(given["folder"])
    api = HfApi()
    report({"message": f"Connecting to {api.endpoint}", "url": f"{api.endpoint}/{repo}"})
    info = api.model_info(repo, revision=given.get("revision"), files_metadata=True)
    listed = [(one.rfilename, one.size or 0) for one in info.siblings or []]
    wanted = choose_files(listed, repo, given.get("file"))
    if given.get("file") is None and CONFIG in wanted:
        model = packaged_model(Path(hf_hub_download(repo, CONFIG, revision=info.sha)))
        wanted = choose_files(listed, repo, model) if model in wanted else wanted
    total, done = sum(wanted.values()), 0
    with _largest_file(max(wanted.values()) + SLACK_BYTES):
        for name, size in wanted.items():
            report({"message": f"Receiving {name}", "done_bytes": done, "total_bytes": total})
            cached = hf_hub_download(repo, name, revision=info.sha)
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(cached, place)
            done += size
    report({"message": "Downloaded", "done_bytes": total, "total_bytes": total, "commit": info.sha})


@contextmanager
def _largest_file(limit: int) -> Iterator[None]:
    """A server may send more than it declared; then the write fails, before the disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def packaged_model(config: Path) -> str | None:
    """Which file of a package of this lab is the model: others in it hold the same policy in another form."""
    try:
        found = json.loads(config.read_bytes())
        return str(found["model"]) if found["format"] == PACKAGE_FORMAT else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def choose_files(listed: Iterable[tuple[str, int]], repo: str, file: str | None) -> dict[str, int]:
    """The sizes of the files to download, by name; raises for a repository that cannot be imported."""
    sizes = dict(listed)
    for name in sizes:
        _require_plain(name, repo)
    wanted = {
        name: size for name, size in sizes.items() if PurePosixPath(name).suffix.lower() in PULLED_SUFFIXES
    }
    models = [name for name in wanted if PurePosixPath(name).suffix.lower() in MODEL_SUFFIXES]
    if file is not None:
        if file not in models:
            raise NotFound(f"{repo} has no model file {file}.", next_step=_what_there_is(models))
        wanted = {name: size for name, size in wanted.items() if name == file or name not in models}
    if not models:
        raise NotFound(
            f"{repo} holds no model that can be imported.",
            next_step=f"Files of models end in {', '.join(sorted(MODEL_SUFFIXES))}.",
        )
    wanted = {name: size for name, size in wanted.items() if name in models or size <= MAX_TEXT_BYTES}
    _require_limits(wanted, repo)
    return wanted


def _require_plain(name: str, repo: str) -> None:
    parts = PurePosixPath(name).parts
    is_plain = name.isprintable() and "\\" not in name and not name.startswith("/") and len(parts) <= 8
    if not is_plain or ".." in parts or not parts:
        raise InvalidInput(
            f"{repo} lists a file named {name[:100]!r}, which leads outside its folder; nothing was downloaded.",
            next_step="Do not trust this repository.",
        )


def _require_limits(wanted: dict[str, int], repo: str) -> None:
    if len(wanted) > MAX_PULL_FILES:
        raise InvalidInput(
            f"{repo} has {len(wanted)} files that an import would read; at most {MAX_PULL_FILES} are downloaded.",
            next_step="Name the model with --file.",
        )
    total = sum(wanted.values())
    if total > MAX_PULL_BYTES:
        largest = max(wanted, key=lambda name: wanted[name])
        raise InvalidInput(
            f"{repo} has {bytes_text(total)} to download ({largest} alone {bytes_text(wanted[largest])}); "
            f"at most {bytes_text(MAX_PULL_BYTES)} are.",
            next_step="Name a smaller model with --file.",
        )


def _what_there_is(models: list[str]) -> str:
    return f"It has {', '.join(models[:10])}." if models else "It has no model at all."
