"""Pushes a package to the Hugging Face Hub: files first, then one commit: a repository never holds half a model.

Files that have arrived are not sent again: a push that was cut continues where it was.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.worker.models.hub_errors import no_token

MODEL_FILES = frozenset(
    {"model.zip", "model.safetensors", "model.onnx", "policy.npz", "normaliser.json", "replay.mp4"}
)
"""Of an earlier push to the same repository; with those of another runner it would hold two models."""
Report = Callable[[dict[str, Any]], None]
"""Sends progress to the lab: state, message, done_bytes, total_bytes, url, commit, note."""


def push(given: dict[str, Any], report: Report) -> None:
    """`zip` is a package, `repo` its place; `private` counts for a new repository, `message` names the commit."""
    from huggingface_hub import HfApi

    api = HfApi(token=_find_token())
    report({"message": f"Connecting to {api.endpoint}"})
    api.whoami()
    repo = str(given["repo"])
    earlier = _find_files(api, repo, bool(given["private"]))
    if earlier is None:
        api.create_repo(repo, private=bool(given["private"]), exist_ok=True)
    report({"url": f"{api.endpoint}/{repo}"})
    # In the folder of the push, which the lab deletes also when this process was killed.
    with tempfile.TemporaryDirectory(dir=Path(given["zip"]).parent) as folder:
        names = _unpack(Path(given["zip"]), Path(folder))
        additions = _upload(api, repo, Path(folder), names, report)
        removed = sorted((MODEL_FILES & (earlier or set())) - set(names))
        commit = _commit(api, repo, additions, removed, str(given["message"]))
    if earlier is not None:
        report({"note": _what_changed(repo, removed)})
    report({"commit": commit, "message": f"Pushed to {repo}."})


def check_token(given: dict[str, Any], report: Report) -> None:
    """Raises if this machine has none. It asks nobody: whether the Hub accepts it, a push finds out."""
    _find_token()


def _find_token() -> str:
    from huggingface_hub import get_token

    token = get_token()
    if token is None:
        raise no_token()
    return token


def _find_files(api: Any, repo: str, private: bool) -> set[str] | None:
    """The files of a repository that exists; None for a new one."""
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        info = api.model_info(repo)
    except RepositoryNotFoundError:
        return None
    if private and not info.private:
        raise NotReady(
            f"{repo} exists and is public; a push does not make it private, so nothing was sent.",
            next_step="Make it private in its settings on the Hub, or choose another name.",
        )
    return {one.rfilename for one in info.siblings or []}


def _what_changed(repo: str, removed: list[str]) -> str:
    words = f"{repo} existed already: this is a new commit, and earlier ones stay in its history."
    return f"{words} Files of the earlier model were removed: {', '.join(removed)}." if removed else words


def _unpack(package: Path, folder: Path) -> list[str]:
    """The lab's own package, so its names are plain."""
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
        return archive.namelist()


def _upload(api: Any, repo: str, folder: Path, names: list[str], report: Report) -> list[Any]:
    from huggingface_hub import CommitOperationAdd

    sizes = {name: (folder / name).stat().st_size for name in names}
    total, done = sum(sizes.values()), 0
    additions = []
    for name in sorted(names, key=lambda one: sizes[one]):
        report({"message": f"Sending {name}", "done_bytes": done, "total_bytes": total})
        addition = CommitOperationAdd(path_in_repo=name, path_or_fileobj=str(folder / name))
        api.preupload_lfs_files(repo, [addition])
        additions.append(addition)
        done += sizes[name]
    report({"message": "Writing the commit", "done_bytes": total, "total_bytes": total})
    return additions


def _commit(api: Any, repo: str, additions: list[Any], removed: list[str], message: str) -> str:
    from huggingface_hub import CommitOperationDelete

    operations = [*additions, *(CommitOperationDelete(path_in_repo=name) for name in removed)]
    return str(api.create_commit(repo, operations, commit_message=message).oid)
