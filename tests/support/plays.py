"""A lab that is played in: starts plays, connects players, and may be killed and started again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from support.server import Server, serve
from support.viewer import Viewer, view


class Player:
    """One connection to a play; its messages are numbered."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.n = 0
        self.role = self.note("role")

    def note(self, op: str) -> dict[str, Any]:
        """The next message of this kind; frames before it are let through."""
        while (header := self.viewer.next().header).get("op") != op:
            assert header.get("op") != "error", header
        return header

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first frame that is so."""
        while "op" in (header := self.viewer.next().header) or not wanted(header):
            assert header.get("op") != "error", header
        return header

    def tell(self, op: str, **more: Any) -> dict[str, Any]:
        """Sends a message; returns the first frame that takes it into account."""
        self.n += 1
        self.viewer.send(op, n=self.n, **more)
        return self.until(lambda header: header["heard"] >= self.n)

    def act(self, *actions: Any) -> dict[str, Any]:
        return [self.tell("act", action=action) for action in actions][-1]


class PlayedLab:
    def __init__(self, home: Path) -> None:
        self._home = home
        self._stack = ExitStack()
        self.server: Server = self._stack.enter_context(serve(home))

    def start(self, **options: Any) -> str:
        answer = self.server.client.post("/api/plays", json={"env_id": "CartPole-v1", "seed": 3, **options})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    @contextmanager
    def join(self, run_id: str) -> Iterator[Player]:
        with view(self.server, f"/api/plays/{run_id}/socket") as viewer:
            yield Player(viewer)

    def finish(self, player: Player, run_id: str) -> dict[str, Any]:
        """Ends the play; returns its run."""
        player.viewer.send("end")
        player.note("ended")
        return self.server.wait(run_id, "succeeded")

    def episodes(self, run_id: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.server.client.get(f"/api/runs/{run_id}/episodes").json()["items"]
        return sorted(items, key=lambda one: int(one["episode"]))

    def steps(self, run_id: str, episode: int) -> dict[str, Any]:
        """The episode re-simulated."""
        found: dict[str, Any] = self.server.client.get(f"/api/runs/{run_id}/episodes/{episode}/steps").json()
        return found

    def kill_and_restart(self) -> None:
        self.server.process.kill()
        self.server.process.wait()
        self._stack.close()
        self.server = self._stack.enter_context(serve(self._home))

    def close(self) -> None:
        self._stack.close()
