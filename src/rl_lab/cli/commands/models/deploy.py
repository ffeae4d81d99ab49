"""`rl-lab deploy`: a model acts live in an environment, and is exchanged for another while it plays."""

from __future__ import annotations

import json
import queue
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

import typer

from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy_id
from rl_lab.cli.output import AsJson
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, LabError, NotReady

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

HELP = "Type the name of another model to let it take over, an empty line to end."


def register(app: typer.Typer) -> None:
    app.command()(deploy)


def deploy(
    *,
    model: PolicyArgument,
    env: Annotated[
        str | None,
        typer.Option(
            "--env", help="Environment to act in (default: the one it was trained in).", show_default=False
        ),
    ] = None,
    episodes: Annotated[
        int, typer.Option(min=0, max=10_000, help="End after this many episodes; 0: until Ctrl-C.")
    ] = 0,
    speed: Annotated[float, typer.Option(min=0.1, max=4.0, help="1 is the environment's own pace.")] = 1.0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Sample actions as in training.")] = False,
    switch: Annotated[
        bool, typer.Option("--switch", help="Switch the environment for a model of another one.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Let a model act live; the page shows it at the printed address."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        checkpoint = client.get(f"/api/checkpoints/{find_policy_id(client, model)}")
        place: dict[str, Any] | None = {"run_id": checkpoint["run_id"], "checkpoint": checkpoint["id"]}
        page = {"run": checkpoint["run_id"], "checkpoint": checkpoint["id"], **({"env": env} if env else {})}
        show = _Show(client, episodes, switch=switch, as_json=as_json)
        show.say(f"Watch: {client.url}/play?{urlencode(page)}")
        if sys.stdin.isatty():
            show.say(HELP)
        first = [{"op": "speed", "speed": speed}, {"op": "sample", "sample": stochastic}]
        while place is not None:
            place = show.run({**place, **({"env_id": env} if env else {})}, first)
            env = None  # the model's own from here on
    return 0


class _Show:
    """What happens on the stage, as lines of text, or one line of JSON per episode."""

    def __init__(self, client: LabClient, episodes: int, *, switch: bool, as_json: bool) -> None:
        self._client, self._left, self._switches = client, episodes, switch
        self._as_json = as_json
        self._typed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._agent = self._said = ""
        self._count = 0
        self._last = (-1, -1)
        if sys.stdin.isatty():
            threading.Thread(target=self._read, daemon=True).start()

    def say(self, words: str) -> None:
        """To people; programs get the episodes only."""
        if not self._as_json:
            print(words)

    def run(self, place: dict[str, Any], commands: list[dict[str, Any]]) -> dict[str, Any] | None:
        """Until the end; returns the model whose environment is wanted instead, if there is one."""
        from websockets.sync.client import connect

        from rl_lab.portable.frame_protocol import split_frame_message

        url = f"{self._client.url.replace('http', 'ws', 1)}/api/stage?{urlencode(place)}"
        headers = {"Authorization": f"Bearer {self._client.token}"}
        with connect(url, additional_headers=headers, max_size=None) as socket:
            for command in commands:
                _send(socket, json.dumps(command))
            for message in socket:
                _send(socket, "ack")
                header, _ = split_frame_message(message if isinstance(message, bytes) else message.encode())
                if header.get("op") == "error":
                    raise NotReady(header["message"], next_step=header.get("next_step"))
                other = self._take(header)
                if other is not None:
                    return other
                if self._is_over(header):
                    return None
                self._exchange(socket)
        return None

    def _take(self, header: dict[str, Any]) -> dict[str, Any] | None:
        """Reports who acts and what was refused; returns what to switch to."""
        agent, problem = header["agent"]["label"], header["problem"]
        if agent != self._agent and not header["loading"]:
            self._agent = agent
            self.say(f"Acting: {agent}")
        if not problem:
            return None
        if "env_id" in problem and self._switches:
            self.say(f"Switching to {problem['env_id']}.")
            return {"run_id": problem["run_id"], "checkpoint": problem["checkpoint"] or ""}
        if "run_id" not in header["agent"]:  # nothing else acts yet: there is nothing to go on with
            hint = (
                "Give --switch to act in that environment." if "env_id" in problem else problem["next_step"]
            )
            raise InvalidInput(problem["message"], next_step=hint)
        self._complain(problem)
        return None

    def _complain(self, problem: dict[str, Any]) -> None:
        """Once: every frame repeats it."""
        if problem["message"] != self._said:
            self._said = problem["message"]
            print(f"{problem['message']} {self._agent} acts on.", file=sys.stderr)

    def _is_over(self, header: dict[str, Any]) -> bool:
        moment = (header["episode"], header["step"])
        if not header["ended"] or "run_id" not in header["agent"] or moment == self._last:
            return False
        self._last = moment
        self._report({name: header[name] for name in ("return", "step")})
        self._left -= 1
        return self._left == 0

    def _report(self, ended: dict[str, Any]) -> None:
        """Counted from the first one that a model played: until it was loaded, random actions may have played many."""
        self._count += 1
        if self._as_json:
            print(json.dumps({**ended, "episode": self._count, "agent": self._agent}), flush=True)
        else:
            print(f"episode {self._count}: return {ended['return']:+.1f} in {ended['step']:,} steps")

    def _exchange(self, socket: Any) -> None:
        while not self._typed.empty():
            text = self._typed.get()
            if not text:
                raise KeyboardInterrupt
            try:
                found = self._client.get(f"/api/checkpoints/{find_policy_id(self._client, text)}")
            except LabError as error:
                print(error.detail, file=sys.stderr)
                continue
            command = {"op": "deploy", "run_id": found["run_id"], "checkpoint": found["id"]}
            _send(socket, json.dumps(command))

    def _read(self) -> None:
        for line in sys.stdin:
            self._typed.put(line.strip())


def _send(socket: Any, text: str) -> None:
    """To a lab that has closed the connection, nothing: its reason is among the messages that are still to be read."""
    from websockets.exceptions import ConnectionClosed

    with suppress(ConnectionClosed):
        socket.send(text)
