"""TensorBoard in its own process: started by the lab, configured on stdin, ended when stdin is closed.

It prints its address on stdout, then `used` when there were requests. So a lab that is killed leaves no process
behind, and a running lab knows whether TensorBoard is in use.
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


class ConnectionCount:
    """Counts connections of TensorBoard's server."""

    def __init__(self) -> None:
        self.seen = 0
        self.open = 0

    def install(self) -> None:
        """Call before the server is created; every kind of server accepts its connections here."""
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
    """Exits when stdin is closed, without waiting for TensorBoard's threads."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # TensorBoard's own output must not mix with ours
    use = ConnectionCount()
    use.install()
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
    """Starts it on a free port and returns its address. The path contains a secret: TensorBoard has no sign-in."""
    from tensorboard import program

    # load_fast=false: its data server would be a separate process that outlives us when we are killed.
    server = program.TensorBoard()
    server.configure(
        logdir=wanted["folder"],
        host="127.0.0.1",
        port=0,
        path_prefix=wanted["prefix"],
        load_fast="false",
        reload_interval=wanted["reload_s"],
        window_title=wanted["title"],
    )
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
