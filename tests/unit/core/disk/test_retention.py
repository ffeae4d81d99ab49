"""What goes and what stays: oldest first, never the pinned, the best or the latest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import GROUPS, Retention, expendable, must_stay, surplus

MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)


def made(number: int, kind: str, **more: Any) -> Artifact:
    fields = {"path": f"{kind}s/{number}", "created_at": MIDNIGHT + timedelta(seconds=number), **more}
    return Artifact(id=f"{kind}-{number}", run_id="run", kind=kind, **fields)


def videos(count: int, **more: Any) -> list[Artifact]:
    return [made(number, "video", **more) for number in range(count)]


def checkpoint(step: int, role: str = "interval", **more: Any) -> Artifact:
    return made(step, "checkpoint", timestep=step, role=role, **more)


def ids(artifacts: list[Artifact]) -> list[str]:
    return [a.id for a in artifacts]


def test_the_oldest_videos_go_first() -> None:
    assert ids(surplus(videos(5), Retention(videos=3))) == ["video-0", "video-1"]


def test_nothing_goes_while_the_number_is_not_reached() -> None:
    assert surplus(videos(3), Retention(videos=3)) == []


def test_a_pinned_video_stays_whatever_its_age() -> None:
    found = [made(0, "video", pinned=True), *videos(5)[1:]]
    assert ids(surplus(found, Retention(videos=1))) == ["video-1", "video-2", "video-3"]


def test_the_film_of_the_training_itself_is_kept_beside_the_others() -> None:
    own = made(0, "video", path="video.mp4")
    assert ids(surplus([own, *videos(4)[1:]], Retention(videos=2))) == ["video-1"]


def test_interval_checkpoints_are_counted_without_best_and_final() -> None:
    found = [checkpoint(step) for step in (10, 20, 30, 40)]
    found += [checkpoint(15, "best"), checkpoint(50, "final")]
    assert ids(surplus(found, Retention(checkpoints=2))) == ["checkpoint-10", "checkpoint-20"]


def test_an_older_best_and_an_older_final_make_room_for_the_new_one() -> None:
    found = [checkpoint(5, "best"), checkpoint(9, "stop"), checkpoint(15, "best"), checkpoint(20, "final")]
    assert ids(surplus(found, Retention())) == ["checkpoint-5", "checkpoint-9"]


def test_checkpoints_are_as_old_as_the_training_behind_them() -> None:
    late = checkpoint(10, created_at=MIDNIGHT + timedelta(days=1))
    assert ids(surplus([late, checkpoint(20), checkpoint(30)], Retention(checkpoints=2))) == ["checkpoint-10"]


def test_other_files_are_never_surplus() -> None:
    found = [made(number, kind) for kind in ("clip", "film", "model", "config") for number in range(9)]
    assert surplus(found, Retention(videos=1, checkpoints=1, tensorboard=1)) == []
    assert expendable(found) == []


def test_for_the_whole_lab_videos_go_before_checkpoints_before_folders() -> None:
    found = [made(n, kind) for kind in ("tensorboard", "video") for n in range(3)]
    found += [checkpoint(1), checkpoint(2), checkpoint(3, "best"), checkpoint(4, "final")]
    assert ids(expendable(found)) == [
        "video-0",
        "video-1",
        "checkpoint-1",
        "checkpoint-2",
        "tensorboard-0",
        "tensorboard-1",
    ]


_artifacts = st.lists(
    st.builds(
        made,
        st.integers(0, 10**6),
        st.sampled_from([*GROUPS.values(), "clip"]),
        pinned=st.booleans(),
        timestep=st.none() | st.integers(0, 100),
        role=st.sampled_from([None, "interval", "best", "final", "stop"]),
    ),
    max_size=30,
    unique_by=lambda a: a.id,
)


@given(_artifacts, st.integers(1, 5))
def test_the_pinned_the_best_and_the_latest_always_stay(found: list[Artifact], limit: int) -> None:
    knobs = Retention(videos=limit, checkpoints=limit, tensorboard=limit)
    staying = must_stay(found)
    for gone in (surplus(found, knobs), expendable(found)):
        assert not staying & set(ids(gone))
        assert not any(a.pinned for a in gone)
        left = [a for a in found if a not in gone]
        for kind in GROUPS.values():
            assert any(a.kind == kind for a in left) == any(a.kind == kind for a in found)
    assert surplus([a for a in found if a not in surplus(found, knobs)], knobs) == []
