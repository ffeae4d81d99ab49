"""One environment in a script's own Python, played by the lab over a socket. Standard library only.

The lab sends messages of `frame_protocol`: a JSON header and bytes. Nothing that comes back is executed or unpickled.
"""

from __future__ import annotations

import importlib
import socket
import sys
from typing import Any, BinaryIO, cast

from rl_lab.portable.actions import unpack
from rl_lab.portable.frame_protocol import frame_message, read_message, split_frame_message, write_message
from rl_lab.portable.generators import begin
from rl_lab.portable.shown_values import shown


def main(descriptor: int) -> None:
    """Serves until the other side closes the socket."""
    with socket.socket(fileno=descriptor) as channel, channel.makefile("rwb") as file:
        stream, served = cast("BinaryIO", file), ServedEnv()
        while (message := read_message(stream)) is not None:
            header, data = split_frame_message(message)
            try:
                answer, frame = served.answer(header, data)
            except Exception as error:  # the lab says what went wrong
                answer, frame = {"error": f"{type(error).__name__}: {error}"}, b""
            write_message(stream, frame_message(answer, frame))


class ServedEnv:
    """The environment, created by the first request."""

    def __init__(self) -> None:
        self.env: Any = None
        self.packing: dict[str, Any] = {}

    def answer(self, header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        if header["op"] == "make":
            return self._make(header), b""
        if header["op"] == "begin":
            observation, info = begin(self.env, header["seed"], data)
            return {"observation": shown(observation), "info": _words(info)}, b""
        if header["op"] == "step":
            return self._step(data), b""
        return self._draw()

    def _make(self, header: dict[str, Any]) -> dict[str, Any]:
        import gymnasium

        self.packing = header["packing"]
        _register(header["env_id"], header["modules"])
        given = header["env_kwargs"]
        self.env = gymnasium.make(
            header["env_id"], render_mode=header["render_mode"], disable_env_checker=True, **given
        )
        return {"render_fps": self.env.metadata.get("render_fps")}

    def _step(self, data: bytes) -> dict[str, Any]:
        observation, reward, terminated, truncated, info = self.env.step(unpack(self.packing, data)[0])
        return {
            "observation": shown(observation),
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "info": _words(info),
        }

    def _draw(self) -> tuple[dict[str, Any], bytes]:
        import numpy as np

        frame = np.ascontiguousarray(self.env.render(), dtype=np.uint8)
        return {"shape": list(frame.shape)}, frame.tobytes()


def _register(env_id: str, modules: list[str]) -> None:
    """Imports what registers the environment; what cannot be imported is not what registers it."""
    import gymnasium

    for module in ("ale_py", *modules):
        if env_id in gymnasium.registry:
            return
        try:
            imported = importlib.import_module(module)
        except ImportError:
            continue
        if hasattr(gymnasium, "register_envs"):
            gymnasium.register_envs(imported)


def _words(info: Any) -> dict[str, Any]:
    return {str(name): shown(value) for name, value in info.items()} if isinstance(info, dict) else {}


def start(arguments: list[str]) -> None:
    """Called by the code that `remote_env` starts a script's Python with: folder of the script, descriptor."""
    folder, descriptor = arguments
    sys.path.insert(0, folder)
    main(int(descriptor))
