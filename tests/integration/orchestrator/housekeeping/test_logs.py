"""The limit of a run's logs, with a program that prints more than it."""

from __future__ import annotations

import sys
from pathlib import Path

from support.server import command, serve
from support.waiting import wait_until

LIMIT = 1 << 16
CHATTY = """
import sys
print('{"type":"status","state":"hello"}', flush=True)
for number in range(20_000):
    print(f"line {number:06}", file=sys.stderr)
print('{"type":"episode","steps":1,"return":1,"timestep":1}', flush=True)
sys.stdin.readline()
print('{"type":"finished","outcome":"stopped"}', flush=True)
"""
LAST = "line 019999"


def test_a_live_log_stays_below_the_limit_and_keeps_its_end(home: Path, tmp_path: Path) -> None:
    program = tmp_path / "chatty.py"
    program.write_text(CHATTY)
    with serve(home, RL_LAB_LOG_BYTES=str(LIMIT)) as server:
        started = command(
            home,
            "run",
            "--protocol",
            "--yes",
            "--detach",
            "--name",
            "chatty",
            "--",
            sys.executable,
            str(program),
        )
        assert started.returncode == 0, started.stderr
        run_id = server.client.get("/api/runs", params={"q": "chatty"}).json()["items"][0]["id"]
        address = f"/api/runs/{run_id}/log"
        wait_until(lambda: LAST in server.client.get(address).text, "the last line")
        folder = home / "runs" / run_id / "attempts" / "1"
        assert 0 < sum(path.stat().st_size for path in folder.glob("log*.txt")) <= LIMIT
        assert server.client.post(f"/api/runs/{run_id}/stop").status_code == 202
        server.wait(run_id, "stopped")
        kept = b"".join((folder / name).read_bytes() for name in ("log.1.txt", "log.txt"))
        assert LIMIT // 2 < len(kept) <= LIMIT
        assert kept.decode().splitlines()[-1] == LAST
