"""An environment that only a script's own Python has: it runs there, confined, and may write nothing."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

import rl_lab
from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording, RemotePlace
from rl_lab.guardian.confinement.confined_exec import BECOME
from rl_lab.guardian.files import Confinement, Launch, confinement_of, write_record
from rl_lab.portable.actions import pack
from rl_lab.portable.frame_protocol import frame_message, read_message, split_frame_message, write_message

PACKAGE = Path(rl_lab.__file__).parent
ANSWER_S = 60.0
MAX_PIXELS = 4096 * 4096
START = (
    "import sys; package = type(sys)('rl_lab'); package.__path__ = [sys.argv.pop(1)]; "
    "sys.modules['rl_lab'] = package; from rl_lab.portable.env_server import start; start(sys.argv[1:])"
)
"""Makes the lab's modules importable without putting its packages in front of the script's."""


class RemoteEnv:
    """What a simulation needs of an environment: begin, step, render."""

    def __init__(self, recording: Recording, render_mode: str | None) -> None:
        assert recording.place is not None
        self._packing = recording.action
        self._what = recording.env_id
        ours, theirs = socket.socketpair()
        ours.settimeout(ANSWER_S)
        with theirs:
            self._process = _start(recording.place, theirs.fileno())
        self._channel = ours
        self._stream = cast("BinaryIO", ours.makefile("rwb"))
        made, _ = self._ask(
            {
                "op": "make",
                "env_id": recording.env_id,
                "env_kwargs": recording.env_kwargs,
                "render_mode": render_mode,
                "packing": recording.action,
                "modules": recording.place.modules,
            }
        )
        self.metadata = {"render_fps": made.get("render_fps")}

    @property
    def unwrapped(self) -> RemoteEnv:
        return self

    def begin(self, seed: int | None, generator: bytes) -> tuple[Any, dict[str, Any]]:
        answer, _ = self._ask({"op": "begin", "seed": seed}, generator)
        return answer["observation"], answer["info"]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        answer, _ = self._ask({"op": "step"}, pack(self._packing, action))
        reward = answer["reward"]
        return (
            answer["observation"],
            float("nan") if reward is None else float(reward),
            bool(answer["terminated"]),
            bool(answer["truncated"]),
            answer["info"],
        )

    def render(self) -> npt.NDArray[np.uint8]:
        answer, data = self._ask({"op": "draw"})
        height, width, depth = _frame_shape(answer.get("shape"), len(data))
        return np.frombuffer(data, np.uint8).reshape(height, width, depth)

    def close(self) -> None:
        self._stream.close()
        self._channel.close()
        # With what it started: it has its own process group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def _ask(self, header: dict[str, Any], data: bytes = b"") -> tuple[dict[str, Any], bytes]:
        try:
            write_message(self._stream, frame_message(header, data))
            message = read_message(self._stream)
        except (ConnectionResetError, BrokenPipeError):
            message = None  # it has ended
        except OSError as error:
            raise self._broken(f"it did not answer ({error})") from None
        if message is None:
            raise self._broken(self._last_words())
        answer, frame = split_frame_message(message)
        if "error" in answer:
            raise self._broken(str(answer["error"]))
        return answer, frame

    def _last_words(self) -> str:
        out, err = self._process.communicate()
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return str(json.loads(out)["trouble"])
        lines = err.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with exit code {self._process.returncode}"

    def _broken(self, why: str) -> NotReady:
        return NotReady(
            f"{self._what} cannot be drawn by the Python of its script: {why.rstrip('.')}.",
            cause="no-frames",
            next_step="The lab's own Python does not have this environment; install its package there to replay it.",
        )


def _start(place: RemotePlace, descriptor: int) -> subprocess.Popen[bytes]:
    launch = Launch(
        argv=[place.python, "-c", START, str(PACKAGE), place.folder, str(descriptor)],
        env=place.launch.get("env") or {},
        confine=_read_only(place.launch.get("confine")),
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", BECOME, str(PACKAGE.parent)],
        cwd=place.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(descriptor,),
        start_new_session=True,
    )
    assert process.stdin is not None
    with process.stdin as order:
        order.write(write_record(launch))
    process.stdin = None  # closed: `communicate` must not flush it
    return process


def _read_only(confine: Any) -> Confinement:
    """What the script was allowed, without its rights to write and to use the network.

    The user stays: this process is confined itself, so it cannot change to another one.
    """
    allowed = confinement_of(confine or {})
    reads: Sequence[str] = [*allowed.reads, *allowed.writes, str(PACKAGE)]
    return allowed._replace(reads=reads, writes=(), network=False, uid=-1, gid=-1)


def _frame_shape(shape: Any, size: int) -> tuple[int, int, int]:
    """The answer comes from foreign code, so it is checked."""
    match shape:
        case [int(height), int(width), 3] if height * width * 3 == size and 0 < height * width <= MAX_PIXELS:
            return height, width, 3
    raise NotReady(f"The environment drew something that is not a picture ({shape}).", cause="no-frames")
