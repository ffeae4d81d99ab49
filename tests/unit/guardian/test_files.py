"""launch.json and exit.json: what both sides read, from this version, from others, and from broken files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rl_lab.guardian.files import (
    Confinement,
    ExitRecord,
    Launch,
    OutputLimits,
    read_exit_record,
    read_launch,
    write_record,
)

WHOLE = Launch(
    argv=["/usr/bin/python3", "-c", "print('ü')"],
    cwd="/home/runs/a",
    env={"PATH": "/bin", "NAME": "odd\udcff"},
    inherit=["WANDB_API_KEY"],
    stop_grace_s=1.5,
    kill_grace_s=2.0,
    limits=OutputLimits(2000, 3000, 4000),
    confine=Confinement("partly", "a gap", 6, True, ["/usr"], ["/tmp/a"], True, 1, 2, 3)._replace(
        approved_versions=["grid-v2"]
    ),
)
BEFORE = {
    "argv": ["python", "-m", "rl_lab.worker", "job.json"],
    "cwd": "/runs/a",
    "env": {"RL_LAB_ATTEMPT": "a/1"},
    "stop_grace_s": 20,
    "kill_grace_s": 10,
    "limits": {"journal_segment_bytes": 67108864, "log_bytes": 10485760, "line_bytes": 1048576},
    "protocol": "stdout",
}
"""As the version before wrote it."""


def test_a_launch_is_read_as_it_was_written() -> None:
    assert read_launch(write_record(WHOLE)) == WHOLE


def test_an_exit_record_is_read_as_it_was_written() -> None:
    record = ExitRecord(
        None, 9, True, True, "ladder", 1.5, 2.5, 10, 1, 1 << 30, 1 << 31, 12.5, "The disk was full"
    )
    assert read_exit_record(write_record(record)) == record


def test_a_launch_of_the_version_before_still_loads() -> None:
    found = read_launch(json.dumps(BEFORE).encode())
    assert found == Launch(argv=BEFORE["argv"], cwd="/runs/a", env={"RL_LAB_ATTEMPT": "a/1"})  # type: ignore[arg-type]


def test_what_a_launch_leaves_out_has_a_default() -> None:
    given = {
        "argv": ["true"],
        "limits": {"log_bytes": 5, "line_bytes": 1},
        "confine": {"landlock": 3, "later": 1},
    }
    found = read_launch(json.dumps(given).encode())
    assert found == Launch(
        argv=["true"], limits=OutputLimits(log_bytes=5, line_bytes=1024), confine=Confinement(landlock=3)
    )


def test_an_exit_record_of_another_version_still_loads() -> None:
    assert read_exit_record(b'{"exit_code": 0, "ended_at": 12, "later": {}}') == ExitRecord(
        exit_code=0, ended_at=12
    )


@pytest.mark.parametrize(
    "given",
    [
        "{",
        "[]",
        "{}",
        '{"argv": "true"}',
        '{"argv": []}',
        '{"argv": ["a"], "env": []}',
        '{"argv": ["a"], "stop_grace_s": "long"}',
        '{"argv": ["a"], "limits": {"log_bytes": "1"}}',
        '{"argv": ["a"], "confine": {"seccomp": "yes"}}',
        '{"argv": ["a"], "confine": []}',
    ],
)
def test_a_broken_launch_is_refused(given: str) -> None:
    with pytest.raises(ValueError):
        read_launch(given.encode())


@pytest.mark.parametrize("given", [b"", b"{", b"[1]", b'{"exit_code": "0"}', b'{"oom": null}', b"\xff"])
def test_a_broken_exit_record_is_refused(given: bytes) -> None:
    with pytest.raises(ValueError):
        read_exit_record(given)


def test_every_field_of_both_files_can_be_left_out_or_has_a_checked_type() -> None:
    """A field that is added without a type would let any value through."""
    wrong: Any = object()
    for kind in (Launch, ExitRecord, OutputLimits, Confinement):
        for name in kind._fields:
            given = {"argv": ["a"], name: str(wrong)} if name != "argv" else {"argv": 1}
            if isinstance(kind._field_defaults.get(name), str) or name in ("cwd", "killed_by", "error"):
                given[name] = 1
            data = json.dumps(given).encode()
            nested = json.dumps({"argv": ["a"], "limits": given, "confine": given}).encode()
            with pytest.raises(ValueError):
                read_exit_record(data) if kind is ExitRecord else read_launch(
                    data if kind is Launch else nested
                )
