"""The replay's player: one recorded episode, controlled by the viewer."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import numpy as np

from rl_lab.core.plays.players import WHO
from rl_lab.core.recordings import Recording
from rl_lab.core.words.space_names import names_of
from rl_lab.portable.frame_protocol import ReplayOpened, ReplayState, frame_message
from rl_lab.portable.snapshot import take_snapshot
from rl_lab.worker.rendering.drawn_ahead import DrawnAhead
from rl_lab.worker.rendering.own_scores import EpisodeReward, with_own_rewards
from rl_lab.worker.rendering.simulation import Simulation, is_same_reward, render_fps, who_acted
from rl_lab.worker.rendering.snapshots import Snapshots

NOTHING_KNOWN = "No change of software or hardware since the recording is known."
MIN_SPEED, MAX_SPEED = 0.25, 16.0


class ReplayPlayer:
    """One recording: play, pause, seek in both directions, change the speed."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.fps = 30.0
        recording = msgspec.convert(message["recording"], Recording)
        with contextlib.closing(EpisodeReward(message, recording)) as reward:
            self._simulation = Simulation(recording, noted=reward.noted)
            self._snapshots = (DrawnAhead if self._simulation.is_remote else Snapshots)(self._simulation)
            rows = self._snapshots.play_through()
            self._own = reward.scores()
        self._trust = trust(
            recording, rows, message.get("version_mismatch"), explained(self._simulation, message)
        )
        self._rows = with_own_rewards(with_recorded_rewards(recording, rows), self._own)
        self._pace = render_fps(self._simulation.env) / self.fps
        self._position, self._speed, self._playing = 0.0, 1.0, False
        self._seq = self._heard = 0

    def opening(self) -> bytes:
        """The first message: the length of the episode, and whether the re-simulation matches the recording."""
        recording = self._simulation.recording
        rewards = [row["reward"] for row in self._rows[1:]]
        names = names_of(recording.env_id)
        header: ReplayOpened = {
            "op": "opened",
            "env_id": recording.env_id,
            "observation_names": list(names.observations),
            "action_names": list(names.actions),
            "length": len(self._rows) - 1,
            "render_fps": render_fps(self._simulation.env),
            "rewards": rewards,
            "own_name": self._own.name,
            "own_rewards": self._own.rewards,
            "own_terms": self._own.terms,
            "own_note": self._own.note,
            "actions": _discrete([row["action"] for row in self._rows[1:]]),
            "values": _values(recording),
            "who": who_acted(recording),
            "exact": self._trust["exact"],
            "note": self._trust["note"],
        }
        return frame_message(header)

    def handle(self, message: dict[str, Any]) -> bytes | None:
        self._heard = int(message.get("n", self._heard))
        match message["op"]:
            case "play":
                self._speed = _bounded(message.get("speed", self._speed))
                self._playing = True
                if self._position >= len(self._rows) - 1:
                    self._position = 0.0
            case "pause":
                self._playing = False
            case "speed":
                self._speed = _bounded(message["speed"])
            case "seek":
                return self._show(float(message["step"]))
            case "step":
                self._playing = False
                return self._show(self._position + float(message.get("by", 1)))
        return self._state()

    def tick(self) -> bytes | None:
        if not self._playing:
            return None
        before = int(self._position)
        self._position = min(self._position + self._pace * self._speed, len(self._rows) - 1)
        if self._position >= len(self._rows) - 1:
            self._playing = False
        return self._show(self._position) if int(self._position) != before or not self._playing else None

    def close(self) -> None:
        self._snapshots.close()
        self._simulation.close()

    def _show(self, position: float) -> bytes:
        self._position = min(max(position, 0.0), len(self._rows) - 1)
        step = int(self._position)
        self._seq += 1
        state = {"heard": self._heard, "playing": self._playing, "speed": self._speed}
        header = {"seq": self._seq, "source": "replay", **state, **self._rows[step]}
        return frame_message(header, self._snapshots.jpeg(step))

    def _state(self) -> bytes:
        return frame_message(
            ReplayState(op="state", heard=self._heard, playing=self._playing, speed=self._speed)
        )


def with_recorded_rewards(recording: Recording, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For a non-deterministic environment at least the rewards are shown as they were recorded."""
    rewards = np.frombuffer(recording.rewards, dtype="<f4")
    returned = 0.0
    for row, reward in zip(rows[1:], rewards.tolist(), strict=False):
        returned += reward
        row["reward"], row["return"] = reward, returned
    return rows


def explained(simulation: Simulation, given: dict[str, Any]) -> str | None:
    """Where a re-simulation left the recording, and what differs between then and now; None when it did not."""
    note = simulation.difference()
    if note is None or simulation.is_remote:
        return note
    from rl_lab.core.reproduction.snapshots import differences, read_snapshot  # would delay the first picture

    recorded = read_snapshot(given.get("snapshot") or {})
    if recorded is None:
        return note
    here = read_snapshot(take_snapshot())
    changed = differences(recorded, here) if here and given.get("snapshot") else []
    reason = f"Since it was recorded: {'; '.join(changed)}." if changed else NOTHING_KNOWN
    return f"{note} {reason}"


def trust(
    recording: Recording, rows: list[dict[str, Any]], mismatch: str | None = None, differs: str | None = None
) -> dict[str, Any]:
    """Whether the re-simulated `rows` match the recording; never exact for another version of the environment."""
    found = parting(recording, rows) or exactness(recording, rows[-1])
    if differs is not None and not recording.rewards:
        found = {"exact": False, "note": differs}
    if not mismatch:
        return found
    if found["exact"] is False:
        return {"exact": False, "note": f"{mismatch} {found['note']}"}
    return {"exact": None, "note": mismatch}


def parting(recording: Recording, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The first step whose reward differs from the recorded one, where rewards were recorded."""
    recorded = np.frombuffer(recording.rewards, dtype="<f4")
    played = np.array([row["reward"] for row in rows[1:]], dtype="<f4")
    count = min(len(recorded), len(played))
    differing = np.flatnonzero(~is_same_reward(recorded[:count], played[:count]))
    if not len(differing):
        return None
    return {
        "exact": False,
        "note": f"{recording.env_id} is not deterministic: from step {differing[0] + 1} on the re-simulation differs. "
        "Rewards and return are the recorded ones; frames and observations come from the re-simulation.",
    }


def exactness(recording: Recording, last: dict[str, Any]) -> dict[str, Any]:
    """Whether the re-simulation ended like the recording, with a note when it did not."""
    if not recording.complete or recording.returned is None:
        return {"exact": None, "note": "The episode is still running."}
    same_end = (last["terminated"], last["truncated"]) == (recording.terminated, recording.truncated)
    # A play may be cut off by the player, which the environment knows nothing of.
    same_end = same_end or bool(recording.truncated and not last["terminated"] and WHO in recording.extra)
    close = abs(last["return"] - recording.returned) <= 1e-4 * max(1.0, abs(recording.returned))
    if same_end and close and last["step"] == recording.count:
        return {"exact": True, "note": ""}
    return {
        "exact": False,
        "note": f"Re-simulated return {last['return']:.3f} after {last['step']} steps, recorded "
        f"{recording.returned:.3f} after {recording.count}: the environment is not deterministic.",
    }


def _bounded(speed: Any) -> float:
    return min(MAX_SPEED, max(MIN_SPEED, float(speed)))


def _discrete(actions: list[Any]) -> list[int]:
    return actions if all(isinstance(action, int) for action in actions) else []


def _values(recording: Recording) -> list[float | None]:
    return [float(x) if np.isfinite(x) else None for x in np.frombuffer(recording.values, dtype="<f2")]
