"""A lab always ends on SIGTERM, whatever its threads and clients do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support import stuck_lab
from support.raw_clients import address_of, raw_clients, request, status_of
from support.server import environment, serve
from support.waiting import DEADLINE_S


def test_b11_a_thread_that_never_returns_does_not_keep_the_lab(home: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [sys.executable, stuck_lab.__file__, str(home), str(pipe)],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            with raw_clients(address_of(url), 3) as clients:
                clients[0].sendall(b"GET / HT")
                clients[1].sendall(
                    request(address_of(url), "POST /api/session", "Content-Length: 10", body=b"{")
                )
                process.terminate()
                _, errors = process.communicate(timeout=DEADLINE_S)
        finally:
            process.kill()
    assert process.returncode == 1
    assert "did not end within" in errors
    assert "active runs continue" in errors


def test_half_requests_and_open_sockets_do_not_keep_the_lab(home: Path) -> None:
    with serve(home) as lab:
        address = address_of(lab.url)
        bearer = f"Authorization: Bearer {lab.token}"
        with raw_clients(address, 4) as clients:
            clients[0].sendall(b"GET / HT")
            clients[1].sendall(request(address, "POST /api/session", "Content-Length: 10", body=b"{"))
            clients[2].sendall(request(address, "POST /api/runs", bearer, "Content-Length: 10", body=b"{"))
            clients[3].sendall(request(address, "GET /api/health"))
            assert status_of(clients[3]) == 200
            assert lab.end() == 0
