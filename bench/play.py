"""Playing by hand: from a key to its picture, and whether every press is recorded once and comes back.

    python -m bench.play [--presses 100] [--minutes 2]

A real WebSocket client on loopback plays CartPole, LunarLander and CarRacing at 30 steps a second and measures from
sending a key to having decoded the first picture that takes it into account. Then it plays MountainCar by script:
actions sent as such, and keys tapped in real time. What was pressed, what was recorded and what a re-simulation plays
are compared action by action. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import simplejpeg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.figures import Figure, at_most
from bench.studio import Lab, open_lab
from rl_lab.portable.frame_protocol import split_frame_message

LATENCY_BAR_MS = 60.0
FPS = 30.0
ENVIRONMENTS = ("CartPole-v1", "LunarLander-v3", "CarRacing-v3")
KEYS = ("ArrowLeft", "ArrowRight")
EPISODE = 200
"""Steps after which MountainCar ends an episode; pushes at random do not reach its goal before."""
LAST_TAP = 170
"""No key is tapped so late that the end of the episode could come before it counts."""


class Hand:
    """A client with a thread that reads, decodes and acknowledges frames."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self.n = 0
        self.header: dict[str, Any] = {}
        self.arrived = 0.0
        self.changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, op: str, **more: Any) -> int:
        self.n += 1
        self._socket.send(json.dumps({"op": op, "n": self.n, **more}))
        return self.n

    def wait(self, wanted: Callable[[dict[str, Any]], bool], timeout_s: float = 60.0) -> dict[str, Any]:
        with self.changed:
            if not self.changed.wait_for(lambda: bool(self.header) and wanted(self.header), timeout_s):
                raise RuntimeError(f"nothing came that was waited for; the last frame: {self.header}")
            return self.header

    def tell(self, op: str, **more: Any) -> dict[str, Any]:
        n = self.send(op, **more)
        return self.wait(lambda header: header["heard"] >= n)

    def _read(self) -> None:
        try:
            while True:
                header, jpeg = split_frame_message(self._socket.recv())
                if jpeg:
                    simplejpeg.decode_jpeg(jpeg)
                now = time.perf_counter()
                self._socket.send("ack")
                if "op" not in header:
                    with self.changed:
                        self.header, self.arrived = header, now
                        self.changed.notify_all()
        except ConnectionClosed:
            return


@contextmanager
def played(lab: Lab, **options: Any) -> Iterator[tuple[str, Hand]]:
    run = lab.client.post("/api/plays", json=options).raise_for_status().json()
    url = f"{lab.url.replace('http', 'ws', 1)}/api/plays/{run['id']}/socket"
    headers = {"Authorization": f"Bearer {lab.token}"}
    with connect(url, additional_headers=headers, compression=None, max_size=None, proxy=None) as socket:
        hand = Hand(socket)
        hand.wait(lambda header: True)
        yield run["id"], hand
        hand.send("end")
        lab.wait(run["id"], "succeeded")


def key_to_picture(lab: Lab, env_id: str, presses: int) -> dict[str, float]:
    """Milliseconds from a key to its picture, at 30 steps a second."""
    chance, took = random.Random(1), []
    with played(lab, env_id=env_id, seed=1) as (_, hand):
        hand.tell("speed", speed=FPS / hand.header["fps"])
        while len(took) < presses:
            if hand.header["ended"]:
                hand.tell("next")
            keys = [chance.choice(KEYS)] if chance.random() < 0.7 else []
            time.sleep(chance.uniform(0.02, 0.1))
            sent = time.perf_counter()
            n = hand.send("held", keys=keys or [KEYS[0]])
            header = hand.wait(lambda header, n=n: header["heard"] >= n or header["ended"])
            if header["heard"] >= n:
                took.append(1000 * (hand.arrived - sent))
    return {
        "p50_ms": round(float(np.percentile(took, 50)), 1),
        "p95_ms": round(float(np.percentile(took, 95)), 1),
        "max_ms": round(max(took), 1),
    }


def scripted(lab: Lab, minutes: float) -> dict[str, int]:
    """Whole episodes of MountainCar, alternating between actions that are sent and keys that are tapped."""
    chance, until = random.Random(2), time.monotonic() + 60 * minutes
    pressed: list[list[int]] = []
    with played(lab, env_id="MountainCar-v0", seed=1) as (run_id, hand):
        hand.tell("speed", speed=FPS / hand.header["fps"])
        while time.monotonic() < until or len(pressed) < 2:
            if pressed:
                hand.tell("next")
            pressed.append((_send_actions if len(pressed) % 2 == 0 else _tap_keys)(hand, chance))
    found = {"episodes": len(pressed), "pressed": 0, "dropped": 0, "doubled": 0, "differs_when_replayed": 0}
    for episode, actions in enumerate(pressed):
        table = lab.client.get(f"/api/runs/{run_id}/episodes/{episode}/steps").raise_for_status().json()
        recorded = [row["action"] for row in table["steps"][1:]]
        if episode % 2:
            recorded = [action for action in recorded if action != 1]
        found["pressed"] += len(actions)
        found["dropped"] += max(0, len(actions) - len(recorded))
        found["doubled"] += max(0, len(recorded) - len(actions))
        found["differs_when_replayed"] += int(table["exact"] is not True or recorded != actions)
    return found


def _send_actions(hand: Hand, chance: random.Random) -> list[int]:
    """All of one episode, fifty a second, without waiting for an answer."""
    actions = [chance.randrange(3) for _ in range(EPISODE)]
    hand.tell("pause")
    for action in actions:
        hand.send("act", action=action)
        time.sleep(0.02)
    hand.wait(lambda header: header["ended"])
    return actions


def _tap_keys(hand: Hand, chance: random.Random) -> list[int]:
    """Keys that are pressed and let go at once, while the episode plays in real time."""
    taps = []
    hand.tell("play")
    while hand.header["step"] < LAST_TAP:
        key = chance.choice(KEYS)
        taps.append(2 * KEYS.index(key))
        hand.send("held", keys=[key])
        hand.send("held", keys=[])
        time.sleep(chance.uniform(0.15, 0.3))
    hand.wait(lambda header: header["ended"])
    return taps


def measure(presses: int = 100, minutes: float = 0.5) -> dict[str, Any]:
    with open_lab() as lab:
        latency = {env_id: key_to_picture(lab, env_id, presses) for env_id in ENVIRONMENTS}
        script = scripted(lab, minutes)
    return {
        "bench": "play",
        "key_to_picture": latency,
        "script": {"minutes": minutes, **script},
        "load": round(os.getloadavg()[0], 1),
    }


def figures() -> list[Figure]:
    found = measure()
    script = found["script"]
    wrong = script["dropped"] + script["doubled"] + script["differs_when_replayed"]
    return [
        *(
            at_most(
                f"key to picture in {env_id} at {FPS:g} steps/s, p95", one["p95_ms"], LATENCY_BAR_MS, " ms"
            )
            for env_id, one in found["key_to_picture"].items()
        ),
        at_most(f"of {script['pressed']:,} presses dropped, doubled or different when replayed", wrong, 0),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=2.0)
    wanted = parser.parse_args()
    print(json.dumps(measure(wanted.presses, wanted.minutes)))


if __name__ == "__main__":
    main()
