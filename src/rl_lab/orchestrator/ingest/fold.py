"""The Fold turns journal lines into what is stored: points, episodes, ticks, log lines, files. Pure.

The result depends only on the lines and the RunState, never on how the lines were cut into batches or when they were
read: lines that are read again after a crash give the same rows under the same numbers. An event type is stored by
one method here, marked with `@handles(its class)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import orjson

from rl_lab.core import event_log
from rl_lab.core.protocol import events as e
from rl_lab.core.protocol.lines import Broken, Parsed, Unknown
from rl_lab.core.protocol.metrics import EVALUATION_RETURN, SCORE_REFERENCE
from rl_lab.core.run_events import EventType
from rl_lab.core.script_environments import EPISODE_ORIGINS, EPISODE_SERIES, FIRST_EVALUATION, EnvironmentRole
from rl_lab.orchestrator.ingest import log_texts
from rl_lab.orchestrator.ingest.artifact_lists import listed_files
from rl_lab.orchestrator.ingest.episode_rows import is_comparable, metrics_line, new_episode
from rl_lab.orchestrator.ingest.fold_result import FoldResult, LogLine, PointLists
from rl_lab.orchestrator.ingest.metric_values import evaluation_values, finite, metric_origins, metric_values
from rl_lab.orchestrator.ingest.plausibility import (
    MAX_NUMBER,
    ImplausibleValue,
    check_numbers,
    check_recording,
    is_safe_path,
)
from rl_lab.orchestrator.ingest.run_state import MAX_SENTENCE, MAX_T, RunState
from rl_lab.orchestrator.ingest.script_config import config_fields, total_timesteps_field
from rl_lab.store.sql.columns import dump_json

LOGS_PER_SECOND = 20
LOGS_PER_ATTEMPT = 5000
FILES_PER_ATTEMPT = 5000
"""Checkpoints are not counted; only the newest of them are kept anyway."""
BROKEN_KEPT, UNKNOWN_KEPT = 20, 100
TICKS_PER_SECOND = 4
LOGS_LEFT_OUT_SEQ = -1
"""Number of the log line that reports how many were left out; real lines are numbered from 0."""

ENVIRONMENT_SEQ = -3
"""Number of the log line about the environment, once per attempt; -2 is in `journal_tail.py`."""

_COUNTERS: dict[type, str] = {cls: f"type:{tag}" for tag, cls in e.EVENT_TYPES.items()}
_STEP_FIELDS = ("t", "seq", *(f for f in e.StepEvent.__struct_fields__ if f not in e.Event.__struct_fields__))
_CONTEXT_FIELDS = ("env_id", "env_kwargs", "env_version", "wrappers", "action")

Method = TypeVar("Method", bound=Callable[..., None])
HANDLERS: dict[type, Callable[[Fold, Any, int], None]] = {}
"""The method that stores lines of a class, by that class; filled by `handles`."""


def handles(cls: type) -> Callable[[Method], Method]:
    """Marks the method of Fold that stores lines of this class; it gets the event and the number of its line."""

    def register(method: Method) -> Method:
        HANDLERS[cls] = method
        return method

    return register


class Fold:
    def __init__(self, state: RunState, steps_per_second: int, folders: Sequence[str] = ()) -> None:
        """`folders`: the run folder's absolute path, in each way a program may write it."""
        self.state = state
        self._folders = folders
        self.out = FoldResult()
        self._steps_per_second = steps_per_second

    def add(self, lines: Sequence[Parsed | None]) -> None:
        """Lines in their order; None is a blank line, which has a number but no content."""
        number = self.state.lines
        for line in lines:
            if line is not None:
                try:
                    HANDLERS[type(line)](self, line, number)
                except ImplausibleValue as error:
                    self.out.count("implausible")
                    self._broken(Broken(str(line)[:500], str(error)), number)
            number += 1
        self.state.lines = number
        self._count(lines)

    def take(self) -> FoldResult:
        """Everything folded since the last call; `sent` = `stored` + `sampled_out` always holds."""
        out, self.out = self.out, FoldResult()
        counters = out.counters
        # A line with an implausible value was counted by its type and then set aside as broken.
        sent = sum(n for name, n in counters.items() if name.startswith("type:"))
        sent -= counters.pop("implausible", 0)
        if sent:
            counters["sent"] = sent
            counters["stored"] = sent - counters.get("sampled_out", 0)
        return out

    @handles(e.StepEvent)
    def _step(self, event: e.StepEvent, number: int) -> None:
        """Kept up to a number per second of the worker's clock; the rest is counted."""
        state = self.state
        second = int(self._see(event))
        if second != state.step_second:
            state.step_second, state.steps_in_second = second, 0
        state.steps_in_second += 1
        if state.steps_in_second > self._steps_per_second:
            counters = self.out.counters
            counters["sampled_out"] = counters.get("sampled_out", 0) + 1
            return
        check_numbers(event.step)
        self.out.steps.append({name: getattr(event, name) for name in _STEP_FIELDS})

    @handles(e.StepsEvent)
    def _steps(self, event: e.StepsEvent, number: int) -> None:
        check_numbers(event.timestep, event.episode, event.env, event.seed, event.sampled_out)
        check_recording(event)
        self._see(event)
        if event.env_group is not None:
            event.episode = self.state.episodes
        if event.timestep is not None:
            self.state.reach(event.timestep, event.t)
        if event.sampled_out:
            self.out.count("sampled_out_at_source", event.sampled_out)
        if event.trace is not None:
            self.out.recordings.append(event)

    @handles(e.EpisodeEvent)
    def _episode(self, event: e.EpisodeEvent, number: int) -> None:
        state = self.state
        check_numbers(event.timestep, event.episode, event.env, event.seed, event.steps, event.group_step)
        check_recording(event)
        if event.env_group is not None and state.count_in_environment(event) == "evaluation":
            self._evaluation(event)
            return
        if event.episode is None:
            event.episode = state.episodes
        t = self._see(event)
        state.episodes = max(state.episodes, event.episode + 1)
        if event.timestep is not None:
            state.reach(event.timestep, event.t)
        reward = finite(event.return_)
        if reward is None and event.return_ is not None:
            self.out.count("rewards_not_finite")
        state.end_episode(reward if is_comparable(event.extra) else None, event.steps)
        state.extend_sparkline()
        self._store_episode(event, reward, t, "training")
        self._tick(t)

    def _store_episode(
        self, event: e.EpisodeEvent, reward: float | None, t: float, role: EnvironmentRole
    ) -> None:
        step = event.timestep if event.timestep is not None else self.state.timestep
        for name, value in zip(EPISODE_SERIES[role], (reward, float(event.steps)), strict=True):
            if value is not None:
                self._point(name, step, t, value)
        if event.env_group is not None:
            self.out.origins |= EPISODE_ORIGINS[role]
        self.out.episodes.append(new_episode(event, reward, t))
        self.out.jsonl.append(metrics_line(event, reward, t, step))
        if event.trace is not None:
            self.out.recordings.append(event)

    def _evaluation(self, event: e.EpisodeEvent) -> None:
        """An episode of an environment that is not trained in."""
        event.episode = FIRST_EVALUATION + self.state.evaluations
        self.state.evaluations += 1
        self._store_episode(event, finite(event.return_), self._see(event), "evaluation")

    @handles(e.EnvironmentEvent)
    def _environment(self, event: e.EnvironmentEvent, number: int) -> None:
        check_numbers(event.env_group, event.count, event.made, event.steps)
        self._see(event)
        environment, is_news = self.state.learn_environment(event)
        if environment is None:
            return
        self.out.group_contexts[event.env_group] = {name: getattr(event, name) for name in _CONTEXT_FIELDS}
        if is_news:
            type, message, data = event_log.ENVIRONMENT_ROLE, environment.sentence(), environment.fields()
            self._limited_log(LogLine(number, event.t, type, message, data))

    @handles(e.MetricEvent)
    def _metric(self, event: e.MetricEvent, number: int) -> None:
        state, step = self.state, event.step
        if step is None:
            step = state.timestep
        elif not 0 <= step < MAX_NUMBER:
            check_numbers(step)
        t = self._see(event)
        values = metric_values(event)
        for name, value in values.items():
            self._point(name, step, t, value)
        self.out.origins |= metric_origins(event)
        loss = values.get("loss")
        if loss is not None:
            state.loss = finite(loss)
        # orjson writes NaN and infinities as null, which every reader of JSON lines understands.
        self.out.jsonl.append(orjson.dumps({"type": "update", "t": t, "timestep": step, **values}))
        self._tick(t)

    @handles(e.StatusEvent)
    def _status(self, event: e.StatusEvent, number: int) -> None:
        state = self.state
        check_numbers(event.timestep, event.total)
        t = self._see(event)
        if event.total and event.total != state.total_timesteps:
            state.total_timesteps = event.total
            self.out.script_config |= total_timesteps_field(event.total)
        if event.timestep is not None:
            state.reach(event.timestep, event.t, event.unit)
        state.is_starting = event.state == "hello"
        if event.state in ("paused", "resumed"):
            state.is_paused = event.state == "paused"
            state.fps_times, state.fps_steps = [], []
        if event.message:
            self._limited_log(
                LogLine(number, event.t, event_log.WORKER_EVENTS[event.state], event.message, {})
            )
        self._tick(t)

    @handles(e.CheckpointEvent)
    def _checkpoint(self, event: e.CheckpointEvent, number: int) -> None:
        check_numbers(event.timestep, event.size, event.score_episodes)
        self._see(event)
        if self._is_refused(event.path, number, event.t):
            return
        self.state.reach(event.timestep, event.t)
        self.out.files.append(event)
        self.out.logs.append(log_texts.checkpoint_saved(event, number))

    @handles(e.EvaluationEvent)
    def _evaluated(self, event: e.EvaluationEvent, number: int) -> None:
        check_numbers(event.timestep, event.episodes)
        t = self._see(event)
        values = evaluation_values(event)
        if not values:
            return
        if self.state.is_new_evaluation(event.timestep):
            self.state.note_evaluation(values[EVALUATION_RETURN[0]])
            for name, value in values.items():
                self._point(name, event.timestep, t, value)
        if event.sha256:
            self.out.evaluations.append(event)  # a script evaluates what it has in memory
        self._limited_log(log_texts.evaluated(event, number))
        self._tick(t)

    @handles(e.ArtifactEvent)
    def _artifact(self, event: e.ArtifactEvent, number: int) -> None:
        check_numbers(event.size)
        self._see(event)
        if self._is_refused(event.path, number, event.t):
            return
        self.state.files_told += 1
        if self.state.files_told > FILES_PER_ATTEMPT:
            self._leave_file_out(number, event.t)
            return
        self.out.files.append(event)
        self.out.logs.append(log_texts.artifact_saved(event, number))

    @handles(e.ArtifactsEvent)
    def _artifacts(self, event: e.ArtifactsEvent, number: int) -> None:
        """One log line for all of them: a log line is identified by the number of its journal line."""
        self._see(event)
        found = listed_files(event, self._folders)
        refused = [file.path for file in found if not is_safe_path(file.path)]
        kept = [file for file in found if is_safe_path(file.path)]
        kept = kept[: max(0, FILES_PER_ATTEMPT - self.state.files_told)]
        self.state.files_told += len(kept)
        self.out.files += kept
        if refused:
            self.out.logs.append(log_texts.path_refused(refused[0], number, event.t))
        elif kept:
            self.out.logs.append(log_texts.artifacts_saved(kept, number, event.t))

    def _leave_file_out(self, number: int, t: float | None) -> None:
        self.out.count("files_left_out")
        if self.state.files_told == FILES_PER_ATTEMPT + 1:
            self.out.logs.append(log_texts.files_left_out(FILES_PER_ATTEMPT, number, t))

    @handles(e.LogEvent)
    def _log(self, event: e.LogEvent, number: int) -> None:
        self._see(event)
        if event.code == SCORE_REFERENCE:
            self.state.score_reference = event.message[:MAX_SENTENCE]
        type = EventType(log_texts.log_type(event), event.level)
        self._limited_log(LogLine(number, event.t, type, event.message, {}))

    @handles(e.ConfigEvent)
    def _config(self, event: e.ConfigEvent, number: int) -> None:
        self._see(event)
        self.out.script_config |= config_fields(event, is_chosen=self.state.chosen_timestep is not None)
        self.out.context = {name: getattr(event, name) for name in _CONTEXT_FIELDS}
        self.state.logs_kept += 1
        if self.state.logs_kept <= LOGS_PER_ATTEMPT:
            self.out.logs.append(log_texts.worker_config(event, number))
        if event.env_id and not self.state.reported_environment:
            self.state.reported_environment, self.state.logs_kept = True, self.state.logs_kept + 1
            self.out.logs.append(log_texts.environment_initialised(event, ENVIRONMENT_SEQ))

    @handles(e.SnapshotEvent)
    def _snapshot(self, event: e.SnapshotEvent, number: int) -> None:
        self._see(event)
        self.out.snapshot = event.data

    @handles(e.FinishedEvent)
    def _finished(self, event: e.FinishedEvent, number: int) -> None:
        self._see(event)
        state = self.state
        state.finished = event
        if state.tick_is_due:
            self._append_tick(state.last_t or 0.0)
        if state.logs_left_out:
            self.out.logs.append(log_texts.logs_left_out(state.logs_left_out, LOGS_LEFT_OUT_SEQ, event.t))

    @handles(Broken)
    def _broken(self, line: Broken, number: int) -> None:
        state = self.state
        self.out.count("broken")
        state.broken_lines += 1
        if state.broken_lines <= BROKEN_KEPT:
            self.out.broken.append(f"{number}\t{line.reason}\t{line.text}\n".encode("utf-8", "replace"))
        if state.broken_lines == 1:
            file = f"attempts/{state.attempt}/broken.txt"
            self.out.logs.append(log_texts.broken_line(line, file, number, state.last_t))

    @handles(Unknown)
    def _unknown(self, line: Unknown, number: int) -> None:
        self.out.count("unknown")
        self.state.unknown_lines += 1
        if self.state.unknown_lines <= UNKNOWN_KEPT:
            self.out.unknown.append(dump_json(line.data).encode() + b"\n")

    def _see(self, event: e.Event) -> float:
        """Takes time and sequence number of an event; returns a time that can be stored."""
        state = self.state
        state.said_hello = True  # any event shows that the program is running
        seq, t = event.seq, event.t
        if seq is not None:
            last = state.last_seq
            if seq > last + 1 and last >= 0:
                self.out.count("lost", seq - last - 1)
            if seq > last:
                state.last_seq = seq
        if t is not None and t != state.last_t and 0 <= t < MAX_T:
            state.pass_time(t)
        state.is_starting = False
        return state.last_t or 0.0

    def _count(self, lines: Sequence[Parsed | None]) -> None:
        for cls, count in Counter(map(type, lines)).items():
            name = _COUNTERS.get(cls)
            if name is not None:
                self.out.count(name, count)

    def _point(self, name: str, step: int, t: float, value: float) -> None:
        points = self.out.points.get(name)
        if points is None:
            points = self.out.points[name] = PointLists()
        points.steps.append(step)
        points.times.append(t)
        points.values.append(value)

    def _tick(self, t: float) -> None:
        """At most one in each quarter of a second of the worker's clock."""
        state = self.state
        bucket = int(t * TICKS_PER_SECOND)
        if bucket == state.tick_bucket:
            state.tick_is_due = True
            return
        state.tick_bucket = bucket
        self._append_tick(t)

    def _append_tick(self, t: float) -> None:
        self.state.tick_is_due = False
        self.out.ticks.append(self.state.tick(t))

    def _limited_log(self, line: LogLine) -> None:
        """Limited per second of the worker's clock and per attempt; log.txt has everything a worker prints."""
        state = self.state
        second = int(state.last_t or 0.0)
        if second != state.log_second:
            state.log_second, state.logs_in_second = second, 0
        state.logs_in_second += 1
        is_too_fast = line.t is not None and state.logs_in_second > LOGS_PER_SECOND
        if is_too_fast or state.logs_kept >= LOGS_PER_ATTEMPT:
            state.logs_left_out += 1
            self.out.count("logs_left_out")
            return
        state.logs_kept += 1
        self.out.logs.append(line._replace(message=line.message[: log_texts.MESSAGE_CHARS]))

    def _is_refused(self, path: str, number: int, t: float | None) -> bool:
        if is_safe_path(path):
            return False
        self.out.logs.append(log_texts.path_refused(path, number, t))
        return True
