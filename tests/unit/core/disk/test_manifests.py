"""A manifest says what a run made, by what one does with it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.manifests import build_manifest
from rl_lab.core.disk.retention import Kept, Retention


def made(path: str, kind: str, **more: Any) -> Artifact:
    return Artifact(
        id=path, run_id="run", path=path, kind=kind, created_at=datetime.now(UTC), size=10, **more
    )


def test_every_file_is_listed_once_where_one_looks_for_it() -> None:
    found = [
        made("eval/a.mp4", "video"),
        made("clips/b.mp4", "clip"),
        made("films/c.mp4", "film"),
        made("files/runs/x", "tensorboard"),
        made("model.zip", "model"),
        made("checkpoints/1.zip", "checkpoint", pinned=True),
        made("config.json", "config"),
        made("wandb", "wandb", data={"url": "https://wandb.ai/me/project/runs/1"}),
    ]
    manifest = build_manifest("run", "A run", found, Retention(), {})
    assert [e.path for e in manifest.videos] == ["eval/a.mp4", "clips/b.mp4", "films/c.mp4"]
    assert [e.path for e in manifest.tensorboard] == ["files/runs/x"]
    assert [e.path for e in manifest.models] == ["model.zip"]
    assert [(e.path, e.pinned) for e in manifest.checkpoints] == [("checkpoints/1.zip", True)]
    assert [e.path for e in manifest.files] == ["config.json"]
    assert manifest.wandb_url == "https://wandb.ai/me/project/runs/1"
    assert (manifest.count, manifest.bytes) == (8, 80)


def test_what_was_pruned_is_counted_as_made() -> None:
    found = [made("eval/4.mp4", "video"), made("eval/5.mp4", "video")]
    manifest = build_manifest("run", "A run", found, Retention(videos=2), {"videos": 3})
    assert manifest.kept["videos"] == Kept(kept=2, limit=2, made=5)
    assert manifest.kept["checkpoints"] == Kept(kept=0, limit=10, made=0)
