"""The examples of docs/howto/http.md, run one after the other against a real lab."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.server import Server
from support.waiting import DEADLINE_S

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "http.md"
SOCKETS = PAGE.parents[1] / "websocket.md"
EXAMPLE = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples use curl")
def test_every_example_of_the_http_page_works(server: Server, tmp_path: Path) -> None:
    examples = EXAMPLE.findall(PAGE.read_text())
    assert len(examples) >= 8
    script = "set -euo pipefail\n" + "\necho; echo -----\n".join(examples)
    header = tmp_path / "header"
    header.write_text(f"Authorization: Bearer {server.token}")
    known = {"LAB": server.url, "AUTH": str(header), "PATH": os.environ["PATH"], "NO_PROXY": "*"}
    done = subprocess.run(
        ["bash", "-c", script], env=known, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.split("-----")
    assert '"status":"ok"' in said[0]
    assert "event: end" in said[2]
    assert '"type":"episode"' in said[3] and "event: end" in said[3]
    assert "event: end" in said[4]
    assert '"reward"' in said[5]
    assert '"total":1' in said[6]
    assert '"status": "succeeded"' in said[7]
    assert "CartPole-v1" in said[8]
    assert '"allowed"' in said[9]


def test_the_example_of_the_websocket_page_works(server: Server) -> None:
    """As written, but for the address and the token of this lab; it is ended after its first line."""
    [code] = re.findall(r"^```python\n(.*?)^```", SOCKETS.read_text(), re.M | re.S)
    code = code.replace("ws://127.0.0.1:8642", server.url.replace("http://", "ws://"))
    home = str(server.home)
    code = code.replace("~/.rl-lab/token", f"{home}/token")
    with subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, text=True) as program:
        server.create(name="shown", total_timesteps=200_000, start=True)
        assert program.stdout is not None
        line = program.stdout.readline()
        program.kill()
    assert line.startswith("shown "), line
