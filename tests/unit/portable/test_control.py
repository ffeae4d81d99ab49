"""Commands become flags that the learner checks."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from rl_lab.portable.control import Control


@pytest.fixture
def control() -> Iterator[Control]:
    read_end, write_end = os.pipe()
    os.close(write_end)
    control = Control(read_end)
    # Its thread must have met the end: a number closed under it may become the pipe of the next test.
    for thread in threading.enumerate():
        if thread.name == "control":
            thread.join()
    yield control
    os.close(read_end)


def test_each_command_sets_its_flag(control: Control) -> None:
    control.handle("pause")
    assert control.pause_requested
    control.handle("resume")
    assert not control.pause_requested
    control.handle("checkpoint")
    assert control.checkpoint_requested
    control.handle("watch")
    assert control.watched
    control.handle("unwatch")
    assert not control.watched
    assert not control.stop_requested
    control.handle("stop")
    assert control.stop_requested


def test_unknown_commands_are_ignored(control: Control) -> None:
    control.handle("dance")
    assert not (control.stop_requested or control.pause_requested or control.checkpoint_requested)
