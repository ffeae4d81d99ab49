"""A real `rl-lab serve` process for tests, and the command line as a subprocess; both end with the test."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from support.catalogues import put_catalogue
from support.forked_lab import ForkedProcess, can_fork, forked_popen, forked_run
from support.waiting import DEADLINE_S, wait_until

COMMAND = (sys.executable, "-m", "rl_lab.cli.main")


def command_of(python: Path | None) -> tuple[str, ...]:
    """`rl-lab` of another Python than the one that runs the tests."""
    return (str(python or COMMAND[0]), *COMMAND[1:])


def environment(home: Path, **more: str) -> dict[str, str]:
    """What the lab's processes see: this home, the fake runner, no proxy, no display."""
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "RL_LAB_PORT", "RL_LAB_HOST", "RL_LAB_CLEANRL", "RL_LAB_CORL"):
        kept.pop(name, None)
    return kept | {
        "RL_LAB_HOME": str(home),
        "RL_LAB_FAKE_RUNNER": "1",
        "RL_LAB_MIN_FREE_BYTES": "0",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


@dataclass
class Server:
    """One running lab: its process, its address and a client that holds its token."""

    home: Path
    process: subprocess.Popen[str] | ForkedProcess
    url: str
    token: str
    client: httpx2.Client = field(repr=False)

    def stranger(self, **headers: str) -> httpx2.Client:
        """A client without the token."""
        return httpx2.Client(base_url=self.url, headers=headers, trust_env=False, timeout=DEADLINE_S)

    def create(self, **wanted: Any) -> dict[str, Any]:
        """A run of the fake runner's toy task; quick unless told otherwise."""
        params = {"steps_per_second": 20_000, **wanted.pop("params", {})}
        body = {
            "env_id": "CartPole-v1",
            "algorithm": "toy",
            "runner": "fake",
            "total_timesteps": 5000,
            "seed": 1,
        }
        answer = self.client.post("/api/runs", json={**body, "params": params, "evaluate_after": 0, **wanted})
        assert answer.status_code == 201, answer.text
        run: dict[str, Any] = answer.json()
        return run

    def wait(self, run_id: str, *states: str) -> dict[str, Any]:
        """Until the run is in one of these states."""
        run: dict[str, Any] = {}

        def look() -> dict[str, Any] | None:
            run.update(self.client.get(f"/api/runs/{run_id}").json())
            return run if run["status"] in states else None

        return wait_until(look, lambda: f"{' or '.join(states)}; it is {run['status']}: {run['reason']}")

    def end(self) -> int:
        self.client.close()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@contextmanager
def serve(home: Path, *options: str, python: Path | None = None, **variables: str) -> Iterator[Server]:
    """Starts `rl-lab serve` on a free port and waits for the line with its address."""
    put_catalogue(home)
    arguments, env = ["serve", "--port", "0", "--no-browser", *options], environment(home, **variables)
    process: subprocess.Popen[str] | ForkedProcess
    with (home.parent / f"{home.name}.stderr").open("w") as log:
        if python is None and can_fork(variables):
            process = forked_popen(arguments, env, log)
        else:
            process = subprocess.Popen(
                [*command_of(python), *arguments], env=env, stdout=subprocess.PIPE, stderr=log, text=True
            )
    server = None
    try:
        url = _read_url(process)
        token = (home / "token").read_text().strip()
        headers = {"Authorization": f"Bearer {token}"}
        client = httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=DEADLINE_S)
        server = Server(home, process, url, token, client)
        yield server
    finally:
        if server is not None:
            _stop_runs(server)
            server.end()
        elif process.poll() is None:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _read_url(process: subprocess.Popen[str] | ForkedProcess) -> str:
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], DEADLINE_S)
    line = process.stdout.readline() if readable else ""
    assert "http://" in line, f"the lab said {line!r} and ended with {process.poll()}"
    return "http://" + line.split("http://", 1)[1].strip()


def _stop_runs(server: Server) -> None:
    """Workers outlive their server on purpose, so a test has to end them."""
    if server.process.poll() is not None:
        return
    try:
        for status in ("queued", "starting", "running", "paused"):
            page = server.client.get(
                "/api/runs", params={"status": status, "kind": "all", "limit": 200}
            ).json()
            for run in page["items"]:
                server.client.post(f"/api/runs/{run['id']}/stop")
        for run in server.client.get("/api/runs", params={"status": "stopping", "kind": "all"}).json()[
            "items"
        ]:
            server.wait(run["id"], "stopped", "succeeded", "failed", "lost")
    except httpx2.HTTPError:
        return


def command(
    home: Path, *arguments: str, python: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs `rl-lab ARGUMENTS` and returns what it said."""
    put_catalogue(home)
    if python is None and can_fork(variables):
        return forked_run(arguments, environment(home, **variables))
    return subprocess.run(
        [*command_of(python), *arguments],
        env=environment(home, **variables),
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def events_of(lines: Iterator[str]) -> Iterator[Mapping[str, str]]:
    """Server-sent events as dicts of their fields."""
    event: dict[str, str] = {}
    for line in lines:
        if line == "":
            if "data" in event:
                yield event
            event = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value
