"""A lab with a thread that never returns: `python stuck_lab.py HOME PIPE`, a named pipe that nobody writes to."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from rl_lab.api.server import LabServer
from rl_lab.settings import Settings


def main(home: Path, pipe: Path) -> None:
    def get_stuck(server: LabServer) -> None:
        asyncio.get_running_loop().run_in_executor(None, pipe.read_bytes)
        print(server.url, flush=True)

    LabServer(Settings(home=home, port=0, min_free_bytes=0), on_ready=get_stuck, end_within_s=0.5).run_lab()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
