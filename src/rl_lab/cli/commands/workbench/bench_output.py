"""What a reward bench prints: correlations, flips, outcomes, terms and suspicions, the rewards side by side."""

from __future__ import annotations

from typing import Any

from rl_lab.cli.output import number, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

MOST_FLIPS = 8
FIRST_EVALUATION = 1 << 40
"""As in `core/script_environments.py`, which takes long to import."""


def print_bench(found: dict[str, Any]) -> None:
    summary = found["summary"]
    if summary is None:
        return
    rewards = [one for one in summary["rewards"] if one["episodes"]]
    print(_heading(found))
    if not rewards:
        return
    _print_correlations(rewards, summary["pairs"], found["plan"]["rewards"])
    _print_outcomes(rewards)
    _print_terms(rewards)
    _print_flips(rewards)
    for reward in rewards:
        for one in reward["suspicions"]:
            where = f" (run {one['run_id']})" if one["run_id"] else ""
            print(f"! {reward['name']}: {one['message']}{where}")
    if not any(reward["suspicions"] for reward in rewards):
        print(_nothing_suspicious(summary["episodes"]))


def problem_line(problem: dict[str, Any]) -> str:
    """The message names the reward and the line."""
    where = ""
    if problem["episode"] is not None:
        step = f", step {problem['step']}" if problem["step"] else ""
        where = f" It was at episode {problem['episode']} of run {problem['run_id']}{step}."
    name = f"{problem['name']}: " if problem["name"] and problem["name"] not in problem["message"] else ""
    line = f" (line {problem['line']})" if problem["line"] and "line" not in problem["message"] else ""
    return f"{name}{problem['message']}{line}{where}"


def _heading(found: dict[str, Any]) -> str:
    plan, summary, done = found["plan"], found["summary"], found["done"]
    lines = [
        f"{plural(summary['episodes'], 'episode')} of {plural(len(plan['runs']), 'run')} of {plan['env_id']}"
        f" ({plan['recorded']:,} recorded)"
        + (f", {done['steps']:,} steps in {done['seconds']:.1f} s." if done else ".")
    ]
    for one in summary["left_out"]:
        count = plural(one["episodes"], "episode")
        lines.append(f"Left out: {count} of {plural(len(one['run_ids']), 'run')}. {one['reason']}")
    if summary["inexact"]:
        count = plural(summary["inexact"], "episode")
        lines.append(f"{count} differ from their recording; what was scored is another episode.")
    return "\n".join(lines)


def _nothing_suspicious(episodes: int) -> str:
    if episodes < 30:
        return "Too few episodes to look for signs of hacking; 30 are needed."
    return "No sign of hacking was found in these episodes."


def _print_correlations(rewards: list[dict[str, Any]], pairs: list[dict[str, Any]], names: list[str]) -> None:
    rows = [(one["name"], "environment", *_correlation(one)) for one in rewards]
    rows += [
        (names[one["first"]], names[one["second"]], *_correlation(one)) for one in pairs if one["episodes"]
    ]
    print_table(("REWARD", "COMPARED WITH", "EPISODES", "SPEARMAN", "KENDALL"), rows)


def _correlation(one: dict[str, Any]) -> tuple[str, str, str]:
    return f"{one['episodes']:,}", number(one["spearman"], 3), number(one["kendall"], 3)


def _print_outcomes(rewards: list[dict[str, Any]]) -> None:
    """One row per outcome, the median and the middle half under each reward."""
    by_name = [{one["outcome"]: one for one in reward["outcomes"]} for reward in rewards]
    rows = []
    for outcome in dict.fromkeys(name for known in by_name for name in known):
        first = next(known[outcome] for known in by_name if outcome in known)
        own = [_spread(known[outcome]["own"]) if outcome in known else "–" for known in by_name]
        rows.append((outcome, f"{first['episodes']:,}", _spread(first["env"]), *own))
    if rows:
        print_table(("OUTCOME", "EPISODES", "ENVIRONMENT", *(one["name"] for one in rewards)), rows)


def _spread(one: dict[str, Any]) -> str:
    return f"{number(one['median'])} ({number(one['q25'])} to {number(one['q75'])})"


def _print_terms(rewards: list[dict[str, Any]]) -> None:
    rows = [
        (
            reward["name"],
            term["name"],
            f"{term['share_of_variance']:.0%}",
            f"{term['share_of_sum']:.0%}",
            number(term["spearman_without"], 3),
            number(term["spearman_doubled"], 3),
        )
        for reward in rewards
        for term in reward["terms"]
    ]
    if rows:
        print_table(("REWARD", "TERM", "OF VARIANCE", "OF SUM", "SPEARMAN WITHOUT", "DOUBLED"), rows)


def _print_flips(rewards: list[dict[str, Any]]) -> None:
    rows = [
        (
            reward["name"],
            f"{_rank(one['first_rank'])} → {_rank(one['second_rank'])}",
            f"{number(one['first_return'])} → {number(one['second_return'])}",
            f"rl-lab replay {one['run_id']} {_episode(one['episode'])} --open",
        )
        for reward in rewards
        for one in reward["flips"][:MOST_FLIPS]
    ]
    if rows:
        print_table(("REWARD", "RANK: ENVIRONMENT → REWARD", "RETURN", "WATCH IT"), rows)


def _episode(number: int) -> str:
    """As `rl-lab replay` takes it."""
    return f"e{number - FIRST_EVALUATION}" if number >= FIRST_EVALUATION else str(number)


def _rank(rank: float) -> str:
    return f"{rank:,.0f}" if rank == int(rank) else f"{rank:,.1f}"
