"""The Fold turns journal lines into what is stored: points, episodes, ticks, log lines, files. Pure.

It depends on the lines and the Standing alone, never on how they were cut into batches or when they were read,
so that lines read again after a crash give the same rows under the same numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from rl_lab.core.protocol import events as e
from rl_lab.core.protocol.lines import Broken, Parsed, Unknown, as_float
from rl_lab.orchestrator.ingest.fold_result import FileLine, Folded, Level, LogLine, SeriesPoints
from rl_lab.orchestrator.ingest.plausibility import (
    MAX_NUMBER,
    ImplausibleValue,
    check_numbers,
    check_recording,
    is_safe_path,
)
from rl_lab.orchestrator.ingest.run_state import Standing
from rl_lab.orchestrator.ingest.script_config import learned_from, learned_total
from rl_lab.store.sql.columns import dump_json
from rl_lab.store.telemetry.batch import NewEpisode

LOGS_PER_SECOND = 20
LOGS_PER_ATTEMPT = 5000
FILES_PER_ATTEMPT = 5000
"""Checkpoints are not counted; of them only the newest stay anyway."""
BROKEN_KEPT = 20
UNKNOWN_KEPT = 100
MESSAGE_CHARS = 2000
NAME_CHARS = 200
TICKS_PER_SECOND = 4
MAX_T = 4e10
LOGS_LEFT_OUT_SEQ = -1
"""Number of the log line that says how many were left out; real lines count from 0."""

_NAMES: dict[type, str] = {cls: f"type:{cls.__struct_config__.tag}" for cls in e.EVENT_CLASSES}


Handler = Callable[["Fold", Any, int], None]
HANDLERS: dict[type, Handler] = {}
"""By class of the parsed line; `handles` fills it."""


def handles(kind: type) -> Callable[[Handler], Handler]:
    """The method that stores lines of this class; it gets the event and the number of its line."""

    def register(method: Handler) -> Handler:
        HANDLERS[kind] = method
        return method

    return register


class Fold:
    def __init__(self, standing: Standing, steps_per_second: int) -> None:
        self.standing = standing
        self.out = Folded()
        self._steps_per_second = steps_per_second

    def add(self, lines: Sequence[Parsed | None]) -> None:
        """Lines in their order; None is a blank one, which has a number but says nothing."""
        number = self.standing.lines
        for line in lines:
            if line is not None:
                try:
                    HANDLERS[type(line)](self, line, number)
                except ImplausibleValue as error:
                    self.out.count("nonsense")
                    self._broken(Broken(str(line)[:500], str(error)), number)
            number += 1
        self.standing.lines = number
        self._count(lines)

    def take(self) -> Folded:
        """All that was gathered since the last call; `sent` = `stored` + `sampled_out`, whatever happens."""
        out, self.out = self.out, Folded()
        counters = out.counters
        # A line with a nonsensical number was counted by its type and set aside as broken.
        sent = sum(n for name, n in counters.items() if name.startswith("type:")) - counters.pop(
            "nonsense", 0
        )
        if sent:
            counters["sent"] = sent
            counters["stored"] = sent - counters.get("sampled_out", 0)
        return out

    def _count(self, lines: Sequence[Parsed | None]) -> None:
        for kind, count in Counter(map(type, lines)).items():
            name = _NAMES.get(kind)
            if name is not None:
                self.out.count(name, count)

    def _seen(self, event: e.Event) -> float:
        """Time and sequence of an event; returns a time that can be stored."""
        standing = self.standing
        standing.said_hello = True  # whatever a program says first, it is alive
        seq, t = event.seq, event.t
        if seq is not None:
            last = standing.last_seq
            if seq > last + 1 and last >= 0:
                self.out.count("lost", seq - last - 1)
            if seq > last:
                standing.last_seq = seq
        if t is not None and t != standing.last_t and 0 <= t < MAX_T:
            standing.pass_time(t)
        return standing.last_t or 0.0

    @handles(e.StepEvent)
    def _step(self, event: e.StepEvent, number: int) -> None:
        """Kept up to a number per second of the worker's clock; the rest is counted."""
        standing = self.standing
        second = int(self._seen(event))
        if second != standing.step_second:
            standing.step_second, standing.steps_in_second = second, 0
        standing.steps_in_second += 1
        if standing.steps_in_second > self._steps_per_second:
            counters = self.out.counters
            counters["sampled_out"] = counters.get("sampled_out", 0) + 1
            return
        check_numbers(event.step)
        self.out.steps.append(
            {
                "t": event.t, "seq": event.seq, "episode_id": event.episode_id, "step": event.step,
                "action": event.action, "reward": event.reward, "terminated": event.terminated,
                "truncated": event.truncated, "obs": event.obs, "info": event.info,
            }
        )  # fmt: skip

    @handles(e.StepsEvent)
    def _steps(self, event: e.StepsEvent, number: int) -> None:
        check_numbers(event.timestep, event.episode, event.env, event.seed, event.sampled_out)
        check_recording(event)
        self._seen(event)
        if event.timestep is not None:
            self.standing.reach(event.timestep, event.t)
        if event.sampled_out:
            self.out.count("sampled_out_at_source", event.sampled_out)
        if event.trace is not None:
            self.out.recordings.append(event)

    @handles(e.EpisodeEvent)
    def _episode(self, event: e.EpisodeEvent, number: int) -> None:
        standing, out = self.standing, self.out
        check_numbers(event.timestep, event.episode, event.env, event.seed, event.steps)
        index = event.episode if event.episode is not None else standing.episodes
        check_recording(event)
        event.episode = index
        t = self._seen(event)
        standing.episodes = max(standing.episodes, index + 1)
        if event.timestep is not None:
            standing.reach(event.timestep, event.t)
        reward = event.return_
        if reward is not None and not math.isfinite(reward):
            reward = None
            out.count("rewards_not_finite")
        standing.end_episode(reward, event.steps)
        standing.extend_sparkline()
        step = event.timestep if event.timestep is not None else standing.timestep
        if reward is not None:
            self._point("reward", step, t, reward)
        self._point("length", step, t, float(event.steps))
        at = event.t_end if event.t_end is not None and 0 <= event.t_end < MAX_T else t
        out.episodes.append(
            NewEpisode(
                index, at, event.env, event.seed, reward, event.steps, event.terminated, event.truncated,
                event.success, event.timestep, event.extra or None,
            )
        )  # fmt: skip
        if event.trace is not None:
            out.recordings.append(event)
        line = {
            "type": "episode", "t": t, "episode": index, "timestep": step, "reward": reward,
            "length": event.steps, "terminated": event.terminated, "truncated": event.truncated,
        }  # fmt: skip
        out.jsonl.append(orjson.dumps(line))
        self._tick(t)

    @handles(e.MetricEvent)
    def _metric(self, event: e.MetricEvent, number: int) -> None:
        standing, step = self.standing, event.step
        if step is None:
            step = standing.timestep
        elif not 0 <= step < MAX_NUMBER:
            check_numbers(step)
        t = self._seen(event)
        values = {name[:NAME_CHARS]: as_float(value) for name, value in event.values.items()}
        if event.name is not None:
            values[event.name[:NAME_CHARS]] = as_float(event.value)
        for name, value in values.items():
            self._point(name, step, t, value)
        loss = values.get("loss")
        if loss is not None:
            standing.loss = loss if math.isfinite(loss) else None
        # orjson writes NaN and infinities as null, which every reader of JSON lines understands.
        self.out.jsonl.append(orjson.dumps({"type": "update", "t": t, "timestep": step, **values}))
        self._tick(t)

    @handles(e.StatusEvent)
    def _status(self, event: e.StatusEvent, number: int) -> None:
        standing = self.standing
        check_numbers(event.timestep, event.total)
        t = self._seen(event)
        if event.total and event.total != standing.total_timesteps:
            standing.total_timesteps = event.total
            self.out.learned |= learned_total(event.total)
        if event.timestep is not None:
            standing.reach(event.timestep, event.t)
        if event.state in ("paused", "resumed"):
            standing.is_paused = event.state == "paused"
            standing.fps_times, standing.fps_steps = [], []
        if event.message:
            self._log_line(number, event.t, "info", f"worker_{event.state}", event.message)
        self._tick(t)

    @handles(e.CheckpointEvent)
    def _checkpoint(self, event: e.CheckpointEvent, number: int) -> None:
        check_numbers(event.timestep, event.size)
        self._seen(event)
        if self._is_refused(event.path, number, event.t):
            return
        self.standing.reach(event.timestep, event.t)
        self.out.files.append(FileLine(event.t, event))
        words = f"Checkpoint at step {event.timestep:,} saved ({event.role})."
        data = {"path": event.path, "timestep": event.timestep, "role": event.role, "size": event.size}
        self._say(number, event.t, "info", "checkpoint_saved", words, data)

    @handles(e.ArtifactEvent)
    def _artifact(self, event: e.ArtifactEvent, number: int) -> None:
        check_numbers(event.size)
        self._seen(event)
        if self._is_refused(event.path, number, event.t):
            return
        self.standing.files_told += 1
        if self.standing.files_told > FILES_PER_ATTEMPT:
            self._leave_file_out(number, event.t)
            return
        self.out.files.append(FileLine(event.t, event))
        words = f"{event.title or event.path} saved."[:MESSAGE_CHARS]
        data = {"path": event.path, "kind": event.kind[:NAME_CHARS], "size": event.size}
        self._say(number, event.t, "info", "artifact_saved", words, data)

    def _leave_file_out(self, number: int, t: float | None) -> None:
        self.out.count("files_left_out")
        if self.standing.files_told == FILES_PER_ATTEMPT + 1:
            words = f"More than {FILES_PER_ATTEMPT:,} files; the others lie in the run's folder, but are not listed."
            self._say(number, t, "warning", "files_left_out", words, {})

    @handles(e.LogEvent)
    def _log(self, event: e.LogEvent, number: int) -> None:
        self._seen(event)
        self._log_line(number, event.t, event.level, event.code[:NAME_CHARS] or "log", event.message)

    @handles(e.ConfigEvent)
    def _config(self, event: e.ConfigEvent, number: int) -> None:
        self._seen(event)
        self.out.learned |= learned_from(event)
        self.out.context = {
            "env_id": event.env_id, "env_kwargs": event.env_kwargs, "env_version": event.env_version,
            "wrappers": event.wrappers, "action": event.action,
        }  # fmt: skip
        data = {
            "versions": event.versions, "hardware": event.hardware, "env_version": event.env_version,
            "n_envs": event.n_envs, "args": event.args,
        }  # fmt: skip
        self.standing.logs_kept += 1
        if self.standing.logs_kept <= LOGS_PER_ATTEMPT:
            self._say(number, event.t, "debug", "worker_config", "What the worker really runs.", data)

    @handles(e.FinishedEvent)
    def _finished(self, event: e.FinishedEvent, number: int) -> None:
        self._seen(event)
        standing = self.standing
        standing.finished = event
        if standing.tick_is_due:
            self._append_tick(standing.last_t or 0.0)
        if standing.logs_left_out:
            count = standing.logs_left_out
            words = (
                f"{count:,} log lines came too fast and were left out here; the log has the worker's output."
            )
            self._say(LOGS_LEFT_OUT_SEQ, event.t, "warning", "logs_left_out", words, {"count": count})

    @handles(Broken)
    def _broken(self, line: Broken, number: int) -> None:
        standing = self.standing
        self.out.count("broken")
        standing.broken_lines += 1
        if standing.broken_lines <= BROKEN_KEPT:
            self.out.broken.append(f"{number}\t{line.reason}\t{line.text}\n".encode("utf-8", "replace"))
        if standing.broken_lines == 1:
            words = (
                f"A line of the worker is not an event ({line.reason}); such lines are counted and set aside."
            )
            data = {"text": line.text[:NAME_CHARS], "file": f"attempts/{standing.attempt}/broken.txt"}
            self._say(number, standing.last_t, "warning", "broken_line", words, data)

    @handles(Unknown)
    def _unknown(self, line: Unknown, number: int) -> None:
        self.out.count("unknown")
        self.standing.unknown_lines += 1
        if self.standing.unknown_lines <= UNKNOWN_KEPT:
            self.out.unknown.append(dump_json(line.data).encode() + b"\n")

    def _point(self, name: str, step: int, t: float, value: float) -> None:
        points = self.out.points.get(name)
        if points is None:
            points = self.out.points[name] = SeriesPoints()
        points.steps.append(step)
        points.times.append(t)
        points.values.append(value)

    def _tick(self, t: float) -> None:
        """At most one in each quarter of a second of the worker's clock."""
        standing = self.standing
        bucket = int(t * TICKS_PER_SECOND)
        if bucket == standing.tick_bucket:
            standing.tick_is_due = True
            return
        standing.tick_bucket = bucket
        self._append_tick(t)

    def _append_tick(self, t: float) -> None:
        standing = self.standing
        standing.tick_is_due = False
        fps = standing.fps
        self.out.ticks.append(
            {
                "episode": standing.episodes - 1 if standing.episodes else None,
                "episode_count": standing.episodes,
                "timestep": standing.timestep,
                "reward": standing.last_reward,
                "mean_reward": standing.mean_reward,
                "episode_length": standing.last_length,
                "loss": standing.loss,
                "fps": round(fps, 1) if fps else None,
                "timestamp": t,
            }
        )

    def _log_line(self, number: int, t: float | None, level: Level, type: str, message: str) -> None:
        """Limited per second of the worker's clock and per attempt; log.txt has everything a worker prints."""
        standing = self.standing
        second = int(standing.last_t or 0.0)
        if second != standing.log_second:
            standing.log_second, standing.logs_in_second = second, 0
        standing.logs_in_second += 1
        is_too_fast = t is not None and standing.logs_in_second > LOGS_PER_SECOND
        if is_too_fast or standing.logs_kept >= LOGS_PER_ATTEMPT:
            standing.logs_left_out += 1
            self.out.count("logs_left_out")
            return
        standing.logs_kept += 1
        self._say(number, t, level, type, message[:MESSAGE_CHARS], {})

    def _is_refused(self, path: str, number: int, t: float | None) -> bool:
        if is_safe_path(path):
            return False
        words = "The worker reported a file that is not its own to report; it was ignored."
        self._say(number, t, "warning", "path_refused", words, {"path": path[:NAME_CHARS]})
        return True

    def _say(
        self, seq: int, t: float | None, level: Level, type: str, message: str, data: dict[str, Any]
    ) -> None:
        self.out.logs.append(LogLine(seq, t, level, type, message, data))
