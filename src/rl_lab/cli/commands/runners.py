"""`rl-lab runners`: with what one can learn, where a runner's scripts are, the Python it wants for itself."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.commands.logs import new_lines
from rl_lab.cli.output import AsJson, print_json, print_table

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

LOOK_S = 0.5
FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(runners)


def runners(
    algorithm: Annotated[str | None, typer.Argument(help="Show the parameters of this algorithm.")] = None,
    root: Annotated[
        Path | None,
        typer.Option(help="Folder of your CleanRL checkout; it is remembered.", show_default=False),
    ] = None,
    prepare: Annotated[
        str | None,
        typer.Option(
            metavar="RUNNER", help="Make the Python of its own that this runner wants.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """List runners and their algorithms; with an algorithm, its parameters and presets."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        if root is not None:
            put_root(client, root)
        if prepare is not None and not _prepare(client, prepare, quiet=as_json):
            return FAILED
        found = client.get("/api/runners")
    if algorithm is not None:
        found = [
            {**runner, "algorithms": chosen}
            for runner in found
            if (chosen := [a for a in runner["algorithms"] if a["id"] == algorithm.lower()])
        ]
    if as_json:
        print_json(found)
    elif algorithm is None:
        _print_runners(found)
    else:
        _print_algorithms(found, algorithm)
    return 0


def put_root(client: LabClient, root: Path, runner_id: str | None = None) -> None:
    """Tells the lab where the scripts of a runner are: of the one that asks for a folder, when none is named."""
    if runner_id is None:
        runner_id = next(r["id"] for r in client.get("/api/runners") if r["root_setting"])
    client.put(f"/api/runners/{runner_id}/root", {"path": str(root.expanduser().absolute())})


def _prepare(client: LabClient, runner_id: str, *, quiet: bool) -> bool:
    """Waits until it is made, showing what venv and pip say; Ctrl-C in a lab of our own gives it up."""
    state = client.post(f"/api/runners/{runner_id}/prepare")["preparing"]
    shown: list[str] = []
    while True:
        for line in () if quiet else new_lines(shown, state["lines"]):
            print(line, flush=True)
        shown = state["lines"]
        if state["state"] != "running":
            break
        time.sleep(LOOK_S)
        state = next(r["preparing"] for r in client.get("/api/runners") if r["id"] == runner_id)
    if state["error"]:
        print(state["error"], file=sys.stderr)
    return bool(state["state"] == "done")


def _print_runners(found: list[dict[str, Any]]) -> None:
    for runner in found:
        print(f"{runner['id']}  {runner['name']}: {'ready' if runner['ready'] else 'not ready'}")
        print(f"  {runner['description']}")
        for label in ("root", "interpreter"):
            if runner[label]:
                print(f"  {label}: {runner[label]}")
        for problem in runner["problems"]:
            print(f"  missing: {problem['module']}. Next: {problem['remedy']}")
        for note in runner["notes"]:
            print(f"  note: {note}")
        if runner["preparing"] and runner["preparing"]["state"] != "done":
            print(f"  its Python: {runner['preparing']['error'] or 'is being made'}")
        width = max((len(one["id"]) for one in runner["algorithms"]), default=0)
        for one in runner["algorithms"]:
            presets = ", ".join(sorted({preset["id"] for preset in one["presets"]})) or "none"
            kinds = " or ".join(one["action_kinds"])
            print(f"  {one['id']:{width}}  {kinds} actions; presets: {presets}")
    print("`rl-lab runners ALGORITHM` shows its parameters.")


def _print_algorithms(found: list[dict[str, Any]], wanted: str) -> None:
    from rl_lab.core.errors import NotFound

    if not found:
        raise NotFound(f"No runner has an algorithm “{wanted}”.", next_step="`rl-lab runners` lists them.")
    for runner in found:
        for algorithm in runner["algorithms"]:
            print(f"{algorithm['name']} ({runner['id']}): {algorithm['description']}")
            fields = algorithm["params_schema"]["properties"]
            print_table(
                ("PARAMETER", "DEFAULT", "RANGE", "MEANING"),
                [(k, str(f.get("default")), bounds(f), f.get("description", "")) for k, f in fields.items()],
            )


def bounds(field: dict[str, Any]) -> str:
    """What a parameter may be, read from its JSON schema."""
    for branch in (field, *field.get("anyOf", ())):
        if "enum" in branch:
            return " | ".join(map(str, branch["enum"]))
        low = _bound(branch, "minimum", "≥ ", "exclusiveMinimum", "> ")
        high = _bound(branch, "maximum", "≤ ", "exclusiveMaximum", "< ")
        if low or high:
            return ", ".join(filter(None, (low, high)))
    return ""


def _bound(branch: dict[str, Any], closed: str, sign: str, open_: str, open_sign: str) -> str:
    if closed in branch:
        return f"{sign}{branch[closed]:g}"
    return f"{open_sign}{branch[open_]:g}" if open_ in branch else ""
