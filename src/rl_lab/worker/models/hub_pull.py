"""Downloads the files of a Hub repository that an import can use, within limits, into a folder of the lab.

They come through huggingface_hub's cache: it continues a download that is cut, and fetches no whole file twice.
"""

from __future__ import annotations

import json
import resource
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, cast

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.models.packages import CONFIG, PACKAGE_FORMAT
from rl_lab.core.models.transfers import MAX_PULL_BYTES, MAX_PULL_FILES, MODEL_SUFFIXES, PULLED_SUFFIXES
from rl_lab.core.words.amounts import bytes_text
from rl_lab.worker.models.hub_push import Report

MAX_TEXT_BYTES = 64 << 20
"""Of files that only describe a model."""
REPORT_EVERY_S = 0.3
SLACK_BYTES = 1 << 20
"""The cache of huggingface_hub writes small files of its own."""


def pull(given: dict[str, Any], report: Report) -> None:
    """`repo`, `revision` and `file` say what; the files are copied into `folder`."""
    from huggingface_hub import constants, hf_hub_download

    repo, target = str(given["repo"]), Path(given["folder"])
    report({"message": f"Connecting to {constants.ENDPOINT}", "url": f"{constants.ENDPOINT}/{repo}"})
    token, info = _find_repo(repo, given.get("revision"))
    if token is False:
        report(
            {
                "note": f"The Hub did not accept this machine's token; {repo} is public and was read without it."
            }
        )
    listed = [(one.rfilename, one.size or 0) for one in info.siblings or []]
    wanted = choose_files(listed, repo, given.get("file"))
    if given.get("file") is None and CONFIG in wanted:
        model = packaged_model(Path(hf_hub_download(repo, CONFIG, revision=info.sha, token=token)))
        wanted = choose_files(listed, repo, model) if model in wanted else wanted
    total, done = sum(wanted.values()), 0
    with _largest_file(max(wanted.values()) + SLACK_BYTES):
        for name, size in wanted.items():
            report({"message": f"Receiving {name}", "done_bytes": done, "total_bytes": total})
            bar = partial(ReportedBytes, report, done)
            cached = hf_hub_download(repo, name, revision=info.sha, token=token, tqdm_class=cast(Any, bar))
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(cached, place)
            done += size
    report({"message": "Downloaded", "done_bytes": total, "total_bytes": total, "commit": info.sha})


def _find_repo(repo: str, revision: str | None) -> tuple[bool | None, Any]:
    """What to send as token, and the list of files.

    The Hub refuses a token that has expired for public repositories too; they need none (False).
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

    try:
        return None, HfApi().model_info(repo, revision=revision, files_metadata=True)
    except HfHubHTTPError as refusal:
        if refusal.response.status_code != 401 or isinstance(refusal, RepositoryNotFoundError):
            raise
        try:
            return False, HfApi(token=False).model_info(repo, revision=revision, files_metadata=True)
        except RepositoryNotFoundError:
            raise refusal from None


class ReportedBytes:
    """What huggingface_hub calls a progress bar: reports the bytes of one file, a few times a second at most."""

    def __init__(self, report: Report, before: int, *, initial: int = 0, **_options: Any) -> None:
        self._report, self._done, self._reported_at = report, before + initial, time.monotonic()

    def __enter__(self) -> ReportedBytes:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def update(self, size: float | None = 1) -> None:
        """Negative when the server begins the file again."""
        self._done += int(size or 0)
        if time.monotonic() - self._reported_at > REPORT_EVERY_S:
            self._reported_at = time.monotonic()
            self._report({"done_bytes": self._done})


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
