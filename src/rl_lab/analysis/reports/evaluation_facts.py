"""What a report says about evaluations: their scores, the numbers of evaluation code, and the protocols they cite."""

from collections.abc import Mapping
from typing import Any

from rl_lab.analysis.reports.facts import ReportDict, Table, cell, interval_cell, readable
from rl_lab.analysis.wording import count, number


def evaluation_table(report: ReportDict) -> Table | None:
    """One row per evaluation: who played, how often, and how well."""
    columns = [
        "Checkpoint",
        "Episodes",
        "Mean return",
        "Interval of the mean",
        "Median",
        "Lowest to highest",
        "Solved",
    ]
    rows = [_evaluation_row(one) for one in report["evaluations"]]
    return ([*columns, "Protocol"], rows) if rows else None


def number_table(report: ReportDict) -> Table | None:
    """What evaluation code has measured: one row per number of each evaluation."""
    columns = [
        "Number",
        "Mean",
        "Interval of the mean",
        "Median",
        "Lowest to highest",
        "Episodes",
        "Code",
        "Protocol",
    ]
    rows = [
        _number_row(name, number, one)
        for one in report["evaluations"]
        for name, number in (one.get("numbers") or {}).items()
    ]
    return (columns, rows) if rows else None


def _number_row(name: str, number: Mapping[str, Any], one: Mapping[str, Any]) -> list[str]:
    return [
        name,
        f"{cell(number['mean'])} ± {cell(number['std'])}",
        interval_cell(number["ci"], number["ci_level"]),
        cell(number["median"]),
        f"{cell(number['min'])} to {cell(number['max'])}",
        cell(number["episodes"]),
        cell(one.get("code")),
        _cited(one),
    ]


def _cited(one: Mapping[str, Any]) -> str:
    """ "nightly@v2", "5 episodes, seeds derived, best actions" """
    return str((one.get("protocol") or {}).get("text") or "–").removeprefix("protocol ")


def evaluation_notes(report: ReportDict) -> list[str]:
    """The protocol of each evaluation, with its verdict: how actions were chosen, on which seeds."""
    return [_protocol(one) + _verdict(one) for one in report["evaluations"]]


def _verdict(one: Mapping[str, Any]) -> str:
    verdict, problem = one.get("verdict"), one.get("code_problem")
    return "".join(
        f" {text}" for text in [verdict and verdict["sentence"], problem and problem["message"]] if text
    )


def _evaluation_row(one: Mapping[str, Any]) -> list[str]:
    interval = interval_cell(one.get("return_ci"), one.get("return_ci_level"))
    extremes = f"{cell(one.get('return_min'))} to {cell(one.get('return_max'))}"
    solved = one.get("successes")
    share = f"{solved} of {one.get('episodes')}" if solved is not None else "–"
    spread = one.get("return_std")
    mean = cell(one.get("return_mean")) + (f" ± {cell(spread)}" if spread is not None else "")
    return [
        _checkpoint(one),
        cell(one.get("episodes")),
        mean,
        interval,
        cell(one.get("return_median")),
        extremes,
        share,
        _cited(one),
    ]


def _checkpoint(one: Mapping[str, Any]) -> str:
    role, step = one.get("checkpoint_role"), one.get("checkpoint_timestep")
    parts = [str(role)] if role else []
    parts += [f"step {step:,}"] if isinstance(step, int) else []
    return ", ".join(parts) or "–"


def _protocol(one: Mapping[str, Any]) -> str:
    played = count(int(one.get("episodes") or 0), "episode")
    if one.get("deterministic") is None:
        actions = "actions as reported"
    else:
        actions = "the most probable action" if one["deterministic"] else "actions drawn from the policy"
    seeds = one.get("seeds") or []
    where = f" Seeds: {', '.join(str(seed) for seed in seeds)}." if seeds else ""
    returns = one.get("returns") or []
    each = f" Returns: {', '.join(number(value) for value in returns)}." if returns else ""
    who = readable(_checkpoint(one))
    named = f" by the protocol {_cited(one)}" if (one.get("protocol") or {}).get("name") else ""
    return f"{who}{named}: {played}, {actions} at every step, one environment seed each.{where}{each}"
