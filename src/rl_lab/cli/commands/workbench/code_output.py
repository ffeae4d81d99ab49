"""What the commands about saved code print."""

from __future__ import annotations

import sys
from typing import Any

from rl_lab.cli.arguments.code_argument import compiler_lines
from rl_lab.cli.output import ago, number, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

ISOLATION = {"confined": "", "partly": "Only partly isolated on this machine.", "none": "NOT ISOLATED."}


def print_list(found: list[dict[str, Any]]) -> None:
    rows = []
    for one in found:
        newest: dict[str, Any] = next(iter(one["versions"]), {})
        rows.append(
            (
                one["name"],
                f"v{newest['version']}" if newest else "—",
                one["env_id"] or "any",
                state_of(newest),
                plural(sum(version["used_by"] for version in one["versions"]), "run"),
                ago(one["updated_at"]),
                one["note"] or newest.get("note", ""),
            )
        )
    print_table(("NAME", "NEWEST", "ENVIRONMENT", "CHECKED", "USED BY", "CHANGED", "NOTE"), rows)


def state_of(version: dict[str, Any]) -> str:
    check = version.get("check")
    if check is None:
        return "not tried"
    if not check["is_usable"]:
        return "fails"
    warnings = sum(remark["level"] == "warning" for remark in check["remarks"])
    return plural(warnings, "warning") if warnings else "works"


def print_version(code: dict[str, Any], version: dict[str, Any]) -> None:
    """The list of versions on stderr and the code on stdout, so that it can be written to a file."""
    about = f" for {code['env_id']}" if code["env_id"] else ""
    lines = [f"{code['name']}{about}{': ' + code['note'] if code['note'] else ''}"]
    for one in code["versions"]:
        mark = ">" if one["version"] == version["version"] else " "
        used = f", used by {plural(one['used_by'], 'run')}" if one["used_by"] else ""
        note = f", {one['note']}" if one["note"] else ""
        age = ago(one["created_at"])
        lines.append(f"{mark} v{one['version']}  {one['sha256'][:12]}  {age}, {state_of(one)}{used}{note}")
    print("\n".join(lines), file=sys.stderr)
    print(version["source"], end="" if version["source"].endswith("\n") else "\n")


def print_check(found: dict[str, Any], name: str, source: str) -> None:
    from rl_lab.core.workbench.codes import CodeRemark

    remarks = [CodeRemark(**one) for one in found["remarks"]]
    for line in compiler_lines(remarks, name, source):
        print(line, file=sys.stderr)
    if found["calls"]:
        print(_figures(found))
    if found["terms"]:
        print(f"Terms: {', '.join(found['terms'])}")
    if found["takes"]:
        print(f"Takes: {', '.join(found['takes'])}")
    if ISOLATION.get(found["isolation"], ""):
        print(ISOLATION[found["isolation"]])
    print(f"{name} works." if found["is_usable"] else f"{name} cannot be used.")


def _figures(found: dict[str, Any]) -> str:
    parts = [plural(found["calls"], "call")]
    if found["calls_per_second"]:
        parts.append(f"{number(found['calls_per_second'], 0)} per second")
    if found["slowdown"] is not None:
        parts.append(f"costs {found['slowdown']:.0%} of a training's speed")
    return ", ".join(parts) + "."
