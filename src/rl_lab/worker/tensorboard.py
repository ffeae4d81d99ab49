"""TensorBoard in a process of its own: started by the lab, told what to show on stdin, ended when stdin ends.

It says its address on stdout, then `used` whenever somebody asks it for something. So a lab that is killed leaves
nothing behind, and one that lives knows whether anybody looks.
"""

from __future__ import annotations

import json
import os
import socket
import socketserver
import sys
import threading
from typing import Any

REPORT_S = 1.0


class Use:
    """Connections as TensorBoard's server takes and drops them."""

    def __init__(self) -> None:
        self.seen = 0
        self.open = 0

    def watch(self) -> None:
        """Before the server is made; every kind of it takes its connections here."""
        accept, drop = socketserver.TCPServer.get_request, socketserver.TCPServer.shutdown_request

        def get_request(server: socketserver.TCPServer) -> tuple[socket.socket, Any]:
            taken = accept(server)
            self.seen += 1
            self.open += 1
            return taken

        def shutdown_request(server: socketserver.TCPServer, request: Any) -> None:
            self.open -= 1
            drop(server, request)

        socketserver.TCPServer.get_request = get_request  # type: ignore[assignment,method-assign]
        socketserver.TCPServer.shutdown_request = shutdown_request  # type: ignore[assignment,method-assign]


def main() -> None:
    """Ends with stdin, whatever TensorBoard's threads are at."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what TensorBoard prints is no answer
    use = Use()
    use.watch()
    answers.write(f"{start(json.loads(sys.stdin.readline()))}\n")
    ended = threading.Event()
    threading.Thread(target=_wait_for_end, args=(ended,), daemon=True).start()
    seen = 0
    while not ended.wait(REPORT_S):
        if use.open > 0 or use.seen > seen:
            seen = use.seen
            answers.write("used\n")
    os._exit(0)


def start(wanted: dict[str, Any]) -> str:
    """Its address. Any free port; the path holds a secret, for TensorBoard answers whoever finds it."""
    from tensorboard import program

    # Its data server is a program of its own that outlives us when we are killed.
    server = program.TensorBoard()
    server.configure(
        logdir=wanted["folder"], host="127.0.0.1", port=0, path_prefix=wanted["prefix"], load_fast="false",
        reload_interval=wanted["reload_s"], window_title=wanted["title"],
    )  # fmt: skip
    return str(server.launch())


def _wait_for_end(ended: threading.Event) -> None:
    while sys.stdin.readline():
        pass
    ended.set()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)
