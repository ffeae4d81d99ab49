"""Where Weights & Biases shows a run: the address it was logged to, or how to get one."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.runs import LIVE, Run
from rl_lab.core.tensorboards import UPLOAD_TEXTS, WandbLink, WandbUpload
from rl_lab.core.words.web_addresses import public_host
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.dashboards.tensorboard_links import base_of
from rl_lab.store import artifacts, runs
from rl_lab.store.files.folder_trees import walk_tree
from rl_lab.store.files.folders import RunFolder

OFFLINE = "offline-run-"
FOLDERS = ("files/wandb", "wandb")
"""Where W&B writes below a run's folder: next to the script, or in the folder itself."""
LOGGED_NOTHING = "The run was not logged to W&B."
SYNCED = "The run was logged offline and uploaded later; its address is not known here."
NOT_REACHED = "The run wanted to log to W&B, but W&B could not be reached."
NO_PUBLIC_PAGE = "The script named an address that is no https page of a public host, so there is no link."
OPEN_YOURSELF = "If you trust the script, look for the address in the run's log."
OFFLINE_ONLY = "The run was logged by W&B on this machine only."
RUN_ONLINE = (
    "Run a script with `rl-lab run --wandb online`, or upload an offline folder with `wandb sync FOLDER`."
)


class WandbLinks:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._db = context.db

    async def link(self, run_id: str) -> WandbLink:
        def read(conn: Connection) -> tuple[Run, list[Artifact]]:
            return runs.get(conn, run_id), artifacts.list_for_run(conn, run_id, kind="wandb")

        run, logged = await self._db.read(read)
        return await asyncio.to_thread(link_of, self._home, run, logged)

    async def list_offline(self, run: Run) -> None:
        """Lists the offline folders of a script as artifacts of its run, with the command that uploads them."""
        left = await asyncio.to_thread(offline_artifacts, self._home, run)
        if left:
            await self._db.write(lambda conn: [artifacts.upsert(conn, artifact) for artifact in left])


def link_of(home: Path, run: Run, found: Sequence[Artifact]) -> WandbLink:
    """The newest address, else the command that uploads what was logged offline; and how far the upload is."""
    logged = [artifact for artifact in found if artifact.kind == "wandb"]
    page = next((a for a in logged if a.data.get("url")), None)
    if page is not None:
        return _link(_online_upload(run, page), url=str(page.data["url"]))
    folders = [Path(*base_of(home, run, a)) for a in logged if Path(a.path).name.startswith(OFFLINE)]
    folders += [RunFolder(home, run.id).path / path for path in offline_folders(home, run.id)]
    if folders and all(is_synced(folder) for folder in folders):
        return _link("finished", reason=SYNCED, how=RUN_ONLINE)
    if folders:
        return _link("offline", reason=OFFLINE_ONLY, how=sync_command(folders[0]))
    if any(a.data.get("upload") == "failed" for a in logged):
        return _link("failed", reason=NOT_REACHED, how=RUN_ONLINE)
    if any(a.data.get("url_refused") for a in logged):
        return _link("unknown", reason=NO_PUBLIC_PAGE, how=OPEN_YOURSELF)
    return _link("none", reason=LOGGED_NOTHING, how=RUN_ONLINE)


def _link(upload: WandbUpload, *, url: str | None = None, reason: str = "", how: str = "") -> WandbLink:
    url_text = f"{public_host(url)}, according to the script" if url else ""
    text = UPLOAD_TEXTS[upload]
    return WandbLink(url=url, url_text=url_text, upload=upload, upload_text=text, reason=reason, how=how)


def _online_upload(run: Run, page: Artifact) -> WandbUpload:
    """What W&B's calls reported; a run that ended without a confirmation is unknown."""
    reported = page.data.get("upload")
    if reported == "finished":
        return "finished"
    if reported == "failed":
        return "failed"
    return "uploading" if run.status in LIVE else "unknown"


def is_synced(folder: Path) -> bool:
    """`wandb sync` leaves a file of this name next to the data that it uploaded."""
    try:
        return any(folder.glob("run-*.wandb.synced"))
    except OSError:
        return False


def offline_folders(home: Path, run_id: str) -> list[str]:
    """Offline folders that a script left, relative to the run's folder."""
    base = RunFolder(home, run_id).path
    found = []
    for above in FOLDERS:
        try:
            with os.scandir(base / above) as entries:
                names = [
                    e.name for e in entries if e.name.startswith(OFFLINE) and e.is_dir(follow_symlinks=False)
                ]
        except OSError:
            continue
        found += [f"{above}/{name}" for name in sorted(names)]
    return found


def offline_artifacts(home: Path, run: Run) -> list[Artifact]:
    """One per offline folder, with the command that uploads it."""
    base = RunFolder(home, run.id).path
    return [
        Artifact(
            id=artifacts.artifact_id(run.id, path),
            run_id=run.id,
            path=path,
            kind="wandb",
            title="W&B run, offline",
            size=_size(base / path),
            created_at=datetime.now(UTC),
            data={"sync": sync_command(base / path)},
        )
        for path in offline_folders(home, run.id)
    ]


def sync_command(folder: Path) -> str:
    return f"wandb sync {shlex.quote(str(folder))}"


def _size(folder: Path) -> int:
    total = 0
    for entry in walk_tree(folder):
        with suppress(OSError):
            total += 0 if entry.is_dir(follow_symlinks=False) else entry.stat(follow_symlinks=False).st_size
    return total
