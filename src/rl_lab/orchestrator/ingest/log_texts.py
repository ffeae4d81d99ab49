"""Types and messages of event-log lines that are made from what a worker sent. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rl_lab.core import event_log
from rl_lab.core.protocol import events as e
from rl_lab.core.protocol.lines import Broken, as_float
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.ingest.fold_result import LogLine
from rl_lab.orchestrator.ingest.metric_values import NAME_CHARS

MESSAGE_CHARS = 2000
_CONFIG_FIELDS = ("versions", "hardware", "env_version", "n_envs", "args")


def log_type(event: e.LogEvent) -> str:
    """The code a worker gave, or else the level: a plain warning is of type `warning`."""
    if event.code and event.code != event_log.LOG.name:
        return event.code[:NAME_CHARS]
    by_level = {"warning": event_log.WARNING, "error": event_log.ERROR}
    return by_level.get(event.level, event_log.LOG).name


def worker_config(event: e.ConfigEvent, number: int) -> LogLine:
    data = {name: getattr(event, name) for name in _CONFIG_FIELDS}
    message = "The configuration the worker reported."
    return LogLine(number, event.t, event_log.WORKER_CONFIG, message, data)


def environment_initialised(event: e.ConfigEvent, number: int) -> LogLine:
    data = {"env_id": event.env_id, "env_version": event.env_version, "n_envs": event.n_envs}
    type, message = event_log.ENVIRONMENT_INITIALIZED, _initialised(event)[:MESSAGE_CHARS]
    return LogLine(number, event.t, type, message, data)


def _initialised(event: e.ConfigEvent) -> str:
    """ "Environment initialised: CartPole-v1 (gymnasium 1.4.0), 8 at once, seed 42." """
    version = f" ({event.env_version})" if event.env_version else ""
    count = f", {event.n_envs} at once" if event.n_envs > 1 else ""
    seed = f", seed {event.seed}" if event.seed is not None else ""
    return f"Environment initialised: {event.env_id}{version}{count}{seed}."


def checkpoint_saved(event: e.CheckpointEvent, number: int) -> LogLine:
    message = f"Checkpoint at step {event.timestep:,} saved ({event.role})."
    data = {"path": event.path, "timestep": event.timestep, "role": event.role, "size": event.size}
    return LogLine(number, event.t, event_log.CHECKPOINT_SAVED, message, data)


def artifact_saved(event: e.ArtifactEvent, number: int) -> LogLine:
    message = f"{event.title or event.path} saved."[:MESSAGE_CHARS]
    data = {"path": event.path, "kind": event.kind[:NAME_CHARS], "size": event.size}
    return LogLine(number, event.t, event_log.ARTIFACT_SAVED, message, data)


def artifacts_saved(files: Sequence[e.ArtifactEvent], number: int, t: float | None) -> LogLine:
    message = f"{', '.join(file.title or file.path for file in files)} saved."[:MESSAGE_CHARS]
    data = {"paths": [file.path for file in files][:NAME_CHARS]}
    return LogLine(number, t, event_log.ARTIFACT_SAVED, message, data)


def path_refused(path: str, number: int, t: float | None) -> LogLine:
    message = "The worker reported a file outside its own files; the report was ignored."
    return LogLine(number, t, event_log.PATH_REFUSED, message, {"path": path[:NAME_CHARS]})


def evaluated(event: e.EvaluationEvent, number: int) -> LogLine:
    mean, episodes = as_float(event.return_mean), plural(event.episodes, "episode")
    what = "Checkpoint" if event.sha256 else "What was learned"
    message = f"{what} at step {event.timestep:,} evaluated: return {mean:,.1f} over {episodes}."
    data = {"timestep": event.timestep, "return_mean": mean, "episodes": event.episodes}
    return LogLine(number, event.t, event_log.CHECKPOINT_EVALUATED, message, data)


def files_left_out(most: int, number: int, t: float | None) -> LogLine:
    message = f"The run saved more than {most:,} files; the rest is in its folder, but not listed."
    return LogLine(number, t, event_log.FILES_LEFT_OUT, message, {})


def logs_left_out(count: int, number: int, t: float | None) -> LogLine:
    message = f"{count:,} log messages came too fast and are not listed here; the log file has all output."
    return LogLine(number, t, event_log.LOGS_LEFT_OUT, message, {"count": count})


def broken_line(line: Broken, file: str, number: int, t: float | None) -> LogLine:
    message = (
        f"A line of the worker is not a valid event ({line.reason}); such lines are counted and skipped."
    )
    return LogLine(number, t, event_log.BROKEN_LINE, message, {"text": line.text[:NAME_CHARS], "file": file})
