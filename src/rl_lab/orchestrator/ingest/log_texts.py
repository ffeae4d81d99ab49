"""Types and messages of event-log lines that are made from what a worker sent. Pure."""

from __future__ import annotations

from rl_lab.core import event_log
from rl_lab.core.protocol import events as e
from rl_lab.orchestrator.ingest.fold_result import LogLine
from rl_lab.orchestrator.ingest.metric_values import NAME_CHARS


def log_type(event: e.LogEvent) -> str:
    """The code a worker gave, or else the level: a plain warning is of type `warning`."""
    if event.code and event.code != event_log.LOG.name:
        return event.code
    by_level = {"warning": event_log.WARNING, "error": event_log.ERROR}
    return by_level.get(event.level, event_log.LOG).name


def initialised(event: e.ConfigEvent) -> str:
    """ "Environment initialised: CartPole-v1 (gymnasium 1.4.0), 8 at once, seed 42." """
    version = f" ({event.env_version})" if event.env_version else ""
    count = f", {event.n_envs} at once" if event.n_envs > 1 else ""
    seed = f", seed {event.seed}" if event.seed is not None else ""
    return f"Environment initialised: {event.env_id}{version}{count}{seed}."


def path_refused(path: str, number: int, t: float | None) -> LogLine:
    message = "The worker reported a file outside its own files; the report was ignored."
    return LogLine(number, t, event_log.PATH_REFUSED, message, {"path": path[:NAME_CHARS]})
