"""The parts of a report that the text and HTML versions share: key facts and tables, as strings."""

from collections.abc import Mapping, Sequence
from typing import Any

from rl_lab.analysis.wording import number, percent
from rl_lab.core.intervals import level_text, why_none

NOT_SHOWN = frozenset({"id", "run_id", "at", "type", "level", "message"})
MOST_ITEMS = 12
Facts = list[tuple[str, str]]
Table = tuple[list[str], list[list[str]]]
"""Column names, and the cells of all rows."""
ReportDict = Mapping[str, Any]
"""A dumped `Report`; a mapping, so that the writers do not have to import `report.py`, which imports them."""

SETTING_LABELS = {
    "env_id": "Environment",
    "algorithm": "Algorithm",
    "runner": "Runner",
    "seed": "Seed",
    "total_timesteps": "Steps asked for",
    "preset": "Preset (how)",
    "length": "Length (how long)",
    "until": "Until",
    "max_seconds": "Longest time, seconds",
    "max_episodes": "Most episodes",
    "expected_steps": "Steps expected for schedules",
    "start_from": "Weights it started with",
    "dataset": "Dataset it learned from",
    "reward": "Reward of your own it learned from",
    "judge_by": "Judged by",
    "lengthened": "Schedules of a lengthened run",
    "device": "Device",
    "record": "Episodes recorded",
    "feed": "Live pictures",
    "checkpoint_every": "Steps between checkpoints",
    "evaluate_every": "Steps between evaluations alongside",
    "evaluate_episodes": "Episodes of each of them",
    "evaluate_after": "Episodes of the evaluation after training",
    "evaluate_by": "Protocol of the evaluation after training",
    "env_kwargs": "Arguments of the environment",
    "args": "Arguments the script reported",
}
SUMMARY_LABELS = {
    "mean_reward": "Mean reward, last 100 episodes",
    "best_mean_reward": "Best mean reward of 100 episodes",
    "best_reward": "Best episode",
    "last_reward": "Last episode",
    "mean_length": "Mean episode length",
    "loss": "Last loss",
}


def headline(report: ReportDict) -> Facts:
    """The most important facts of a run."""
    asked = f" of {report['total_timesteps']:,}" if report["total_timesteps"] else ""
    facts = [
        ("Environment", cell(report["env_id"])),
        ("Algorithm", f"{report['algorithm']} ({report['runner']})"),
        ("Seed", cell_exact(report["config"].get("seed"))),
        ("Status", status(report)),
        ("Resumed", " ".join(report["setup"]["resumes"]) or "–"),
        ("Created", cell(report["created_at"])),
        ("Steps", f"{report['steps']:,}{asked}"),
        ("Episodes", f"{report['episodes']:,}"),
        ("Duration", duration(report["duration_s"])),
        ("Mean reward, last 100", cell(report["mean_reward"])),
        ("Best episode", cell(report["best_reward"])),
        ("Not checked", cell_exact(report.get("returns_note"))),
        ("Reward threshold", cell(report["reward_threshold"])),
    ]
    return [(name, value) for name, value in facts if value != "–"]


def status(report: ReportDict) -> str:
    return f"{report['status']}: {report['reason']}" if report["reason"] else str(report["status"])


def settings(report: ReportDict) -> Facts:
    """The run's settings without its hyper-parameters, by readable names; values are exact."""
    shown = {name: value for name, value in report["config"].items() if name not in ("params", "kind")}
    known = [(SETTING_LABELS.get(name, readable(name)), cell_exact(value)) for name, value in shown.items()]
    return [(name, value) for name, value in known if value not in ("–", "{}", "[]")]


def parameter_table(report: ReportDict) -> Table | None:
    """Every hyper-parameter with its readable and its exact name; those that differ from the preset are marked."""
    params = report["config"].get("params") or {}
    rows = [
        [
            report["setup"]["labels"].get(name) or readable(name),
            name,
            cell_exact(value),
            "yes" if name in report["setup"]["changed"] else "",
        ]
        for name, value in params.items()
    ]
    return (["Parameter", "Name", "Value", "Changed"], rows) if rows else None


def summary_rows(report: ReportDict) -> Facts:
    """The key numbers, without the sparkline, which is shown as a curve."""
    named = {name: report["summary"].get(name) for name in SUMMARY_LABELS}
    return [(SUMMARY_LABELS[name], cell(value)) for name, value in named.items() if value is not None]


def interval_cell(ends: Sequence[float | None] | None, level: float | None) -> str:
    """The ends with the level of their interval, or why there is none."""
    reason = why_none(ends, level)
    if reason is not None:
        return reason
    assert ends is not None and level is not None
    return f"{cell(ends[0])} to {cell(ends[1])} ({level_text(level)})"


def versions(report: ReportDict) -> Facts:
    return [(name, str(version)) for name, version in report["setup"]["versions"].items()]


def hardware(report: ReportDict) -> Facts:
    return [(readable(name), cell_exact(value)) for name, value in report["setup"]["hardware"].items()]


def file_table(report: ReportDict) -> Table | None:
    """Files with their checksums, so that a reader can tell whether they have the same ones."""
    rows = [[one["path"], f"{one['size']:,}", one["sha256"]] for one in report["setup"]["files"]]
    return (["File", "Bytes", "SHA-256"], rows) if rows else None


def strip_caption(strip: Mapping[str, Any]) -> str:
    """ "Best episode: number 264, reward 500, 500 steps, seed 123, after 61,440 steps of training" """
    facts = [f"number {strip['episode']:,}", f"reward {cell(strip['reward'])}", f"{strip['length']:,} steps"]
    facts += [f"seed {strip['seed']}"] if strip["seed"] is not None else []
    facts += [f"after {strip['timestep']:,} steps of training"] if strip["timestep"] is not None else []
    return f"{strip['title']}: {', '.join(facts)}"


def insight_notes(insight: Mapping[str, Any]) -> list[str]:
    """How far the numbers support an insight, and where they are; a fact has no confidence."""
    sure, window = insight["confidence"], insight["window"]
    notes = [] if sure is None else [f"confidence {percent(sure)}"]
    if window:
        notes.append(f"{readable(window['series'])}, steps {window['from_step']:,}–{window['to_step']:,}")
    return notes


def event_line(event: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Time, text and whether it is a warning; for an event without text, its fields."""
    at = str(event.get("at") or "")[:19].replace("T", " ")
    kind, text = str(event.get("type") or ""), event.get("message")
    if not text:
        rest = {key: value for key, value in event.items() if key not in NOT_SHOWN}
        text = ", ".join(f"{name} {cell(value)}" for name, value in rest.items())
    line = f"{kind}: {text}" if kind and text else kind or str(text)
    return at, line, str(event.get("level", "")) in ("warning", "error")


def readable(name: str) -> str:
    """`mean_reward` as "Mean reward"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def cell(value: Any) -> str:
    """A value for reading: numbers rounded to three or four digits, whole numbers in full."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | tuple):
        return _listed(value) if value else "–"
    return cell_exact(value)


def cell_exact(value: Any) -> str:
    """A value as it has to be typed to repeat the run: nothing rounded."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {cell_exact(item)}" for key, item in value.items()) or "–"
    if isinstance(value, list | tuple):
        return ", ".join(cell_exact(item) for item in value) or "–"
    return str(value)


def _listed(values: Sequence[Any]) -> str:
    shown = ", ".join(cell(item) for item in values[:MOST_ITEMS])
    return shown if len(values) <= MOST_ITEMS else f"{shown}, … ({len(values):,} values)"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{seconds:.1f} s"
