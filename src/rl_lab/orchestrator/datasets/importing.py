"""What an import will read, and what its worker may use: only that file, and no network unless it downloads."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rl_lab.core.datasets.names import split_minari_id
from rl_lab.core.datasets.operations import ImportDataset
from rl_lab.core.errors import InvalidInput, NotFound, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.datasets.plans import Plan
from rl_lab.orchestrator.datasets.uploads import data_path, find_upload
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import artifacts, runs
from rl_lab.store.datasets.versions import total_bytes
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder

DOWNLOADS = "downloads"
"""Of the home folder: what has arrived of a dataset that is being downloaded."""
KEPT_S = 7 * 86_400.0
"""A download that nobody has continued for this long is removed."""
MOST_FILES = 1000
"""Of a folder whose size is counted."""


async def plan_import(sources: Sources, operation: ImportDataset) -> Plan:
    if operation.buffer_of is not None:
        return await _plan_buffer(sources, operation.buffer_of)
    if operation.minari is not None:
        return await _plan_download(sources, operation, operation.minari)
    if operation.upload is not None:
        upload = find_upload(sources.home, operation.upload)
        if not upload.is_complete:
            raise NotReady(
                f"{upload.received:,} of {upload.size:,} bytes of “{upload.name}” have arrived.",
                next_step="Send the rest of the file first.",
            )
        path = data_path(sources.home, operation.upload)
        return await _plan_path(sources, path, upload.name)
    path = Path(operation.path or "")
    return await _plan_path(sources, path, path.name)


async def _plan_path(sources: Sources, path: Path, label: str) -> Plan:
    real, size = await asyncio.to_thread(_look, path)
    allowed = await _allowed(sources)
    return Plan(
        inputs={"path": str(real), "label": label, "allowed_bytes": allowed},
        bytes=size,
        more={"reads": [str(real)], "is_foreign": True, "largest_file": allowed},
    )


async def _plan_download(sources: Sources, operation: ImportDataset, dataset_id: str) -> Plan:
    split_minari_id(dataset_id)
    allowed, variables = await _allowed(sources), _network_variables()
    size = operation.download_bytes
    if size is None:
        size = await _ask_size(sources, {"minari": dataset_id, "variables": variables})
    folder = sources.home / DOWNLOADS / hashlib.sha256(dataset_id.encode()).hexdigest()[:16]
    await asyncio.to_thread(_make_download_folder, folder)
    arrived = await asyncio.to_thread(lambda: _total(list(folder.glob("**/*"))))
    return Plan(
        inputs={"path": str(folder), "label": dataset_id, "allowed_bytes": allowed, "variables": variables},
        # A job is planned again when it starts: then the server is not asked again.
        operation=operation.model_copy(update={"download_bytes": size}),
        bytes=size + max(0, size - arrived),
        notes=(_download_note(size, arrived),),
        more={"writes": [str(folder)], "is_foreign": True, "network": True, "largest_file": allowed},
    )


async def _ask_size(sources: Sources, question: dict[str, Any]) -> int:
    """As the server lists it, asked by a process that is confined like the download."""
    rights = await sources.looking.rights()
    return int(await call_worker("ask_download_size", question, confine=rights._replace(network=True)))


def _download_note(size: int, arrived: int) -> str:
    known = f", of which {bytes_text(arrived)} have arrived" if arrived else ""
    return (
        f"{bytes_text(size)} are downloaded{known}. The dataset takes about as much again; the downloaded files are "
        "removed in the end."
    )


async def _plan_buffer(sources: Sources, run_id: str) -> Plan:
    """Read by the lab's own worker: its checkpoints wrote these files."""
    run = await sources.read(lambda conn: runs.get(conn, run_id))
    config = run.config
    if not isinstance(config, TrainConfig):
        raise InvalidInput.of_field(
            "buffer_of", f"“{run.name}” is not a training, so it has no replay buffer."
        )
    await sources.context.folders.open(run_id)
    found = await sources.read(lambda conn: artifacts.list_of_kinds(conn, run_id, ["checkpoint"]))
    newest = sorted(found, key=lambda one: (one.timestep or 0, one.created_at))
    folder = RunFolder(sources.home, run_id).path
    buffer = _find_buffer(folder, newest, config)
    if buffer is None:
        lacks = next((one.data["lacks"] for one in reversed(newest) if one.data.get("lacks")), "")
        raise NotFound(
            f"“{run.name}” has no stored replay buffer{f': {lacks}' if lacks else ''}.",
            next_step="Choose a run of DQN, SAC or TD3 that has a checkpoint.",
        )
    about = {"env_id": config.env_id, "env_kwargs": config.env_kwargs, "run_id": run_id}
    return Plan(
        inputs={"buffer": {**buffer, **about}, "label": run.name, "allowed_bytes": await _allowed(sources)},
        env_id=config.env_id,
        env_kwargs=config.env_kwargs,
        bytes=await asyncio.to_thread(_total, [Path(one) for one in _paths(buffer)]),
        more={"looks_at": [run_id], "reads": [str(folder)]},
    )


def _find_buffer(folder: Path, checkpoints: list[Any], config: TrainConfig) -> dict[str, Any] | None:
    """That of the newest checkpoint which has one."""
    for checkpoint in reversed(checkpoints):
        parts = [part for part in checkpoint.data.get("parts", []) if "/replay/" in part["path"]]
        if parts:
            return {
                "segments": [{"path": str(folder / p["path"]), "sha256": p.get("sha256", "")} for p in parts]
            }
        if config.runner == "turbo" and config.algorithm == "dqn":
            scale = config.params.get("reward_scale")
            return {"checkpoint": str(folder / checkpoint.path), "reward_scale": scale}
    return None


def _paths(buffer: dict[str, Any]) -> list[str]:
    return [one["path"] for one in buffer.get("segments", [])] or [buffer["checkpoint"]]


def _look(path: Path) -> tuple[Path, int]:
    """The file or folder itself, and its size; the server reads nothing of it."""
    if not path.is_absolute():
        raise InvalidInput.of_field("path", "Write the whole path of a file on the lab's machine, from / on.")
    try:
        real = path.resolve(strict=True)
        found = real.stat()
    except (OSError, RuntimeError, ValueError):
        raise NotFound(
            f"There is no file or folder {path} on the lab's machine.",
            next_step="Check the path, or upload the file.",
        ) from None
    if stat.S_ISREG(found.st_mode):
        readable = os.access(real, os.R_OK)
    elif stat.S_ISDIR(found.st_mode):
        readable = os.access(real, os.R_OK | os.X_OK)
    else:
        raise InvalidInput.of_field("path", f"{path} is neither a file nor a folder.")
    if not readable:
        raise NotReady(f"The lab may not read {path}.", next_step="Change its permissions, or copy it.")
    files = [real] if stat.S_ISREG(found.st_mode) else list(itertools.islice(real.glob("**/*"), MOST_FILES))
    return real, _total(files)


def _total(files: list[Path]) -> int:
    """Without those that are gone meanwhile."""
    total = 0
    for one in files:
        with suppress(FileNotFoundError):
            total += one.stat().st_size if one.is_file() else 0
    return total


async def _allowed(sources: Sources) -> int:
    """What may be written: the worker knows only then how large the dataset will be."""
    room = shutil.disk_usage(sources.home).free - sources.settings.min_free_bytes
    knobs = Knobs(sources.context)
    await knobs.open()
    if knobs.value.lab_bytes:
        room = min(room, knobs.value.lab_bytes - await sources.read(total_bytes))
    return max(0, room)


def _network_variables() -> dict[str, str]:
    """Workers get few of the server's variables; a value with a password in it is not written to a file."""
    names = ("HF_ENDPOINT", "MINARI_REMOTE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
    found = {name: os.environ[name] for one in names for name in (one, one.lower()) if name in os.environ}
    return {name: value for name, value in found.items() if "@" not in value}


def _make_download_folder(folder: Path) -> None:
    """Also removes downloads that nobody has continued."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for other in folder.parent.iterdir():
        if other != folder and time.time() - other.stat().st_mtime > KEPT_S:
            remove_tree(other)
