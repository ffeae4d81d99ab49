"""The lab of commands that found no server: it serves all of them and ends when none is left.

`python -m rl_lab.api.command_lab` prints one JSON line: its address, or the problem that kept it from starting.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import asdict
from typing import Any

from rl_lab.api.server import LabServer
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.home_use import NobodyLeft
from rl_lab.settings import Settings

LOOK_S = 0.05


def main() -> int:
    settings = Settings().model_copy(update={"host": "127.0.0.1", "port": 0})
    try:
        LabServer(settings, on_ready=_begin, for_commands=True).run_lab()
    except LabError as error:
        _tell({"problem": asdict(error.problem())})
        return 1
    return 0


def _begin(server: LabServer) -> None:
    threading.Thread(target=_end_when_unused, args=(server,), name="unused", daemon=True).start()
    _tell({"url": server.url})


def _end_when_unused(server: LabServer) -> None:
    nobody = NobodyLeft(server.app.state.lab.context.home)
    while not nobody.is_true():
        time.sleep(LOOK_S)
    server.end()


def _tell(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)
    # The command reads one line; whatever is printed later must not end in a pipe that nobody reads.
    sys.stdout = sys.stderr


if __name__ == "__main__":
    sys.exit(main())
