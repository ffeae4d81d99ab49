"""`rl-lab runners`: list runners and algorithms, set a checkout's folder, install what a runner needs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.run_output import new_lines
from rl_lab.cli.terminal import confirm, print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

POLL_S = 0.5
FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(runners)


def runners(
    algorithm: Annotated[str | None, typer.Argument(help="Show the parameters of this algorithm.")] = None,
    *,
    root: Annotated[
        Path | None,
        typer.Option(help="Folder of your CleanRL or CORL checkout; it is remembered.", show_default=False),
    ] = None,
    install: Annotated[
        str | None,
        typer.Option(metavar="RUNNER", help="Install the packages this runner needs.", show_default=False),
    ] = None,
    prepare: Annotated[
        str | None,
        typer.Option(
            metavar="RUNNER", help="Make the separate Python this runner is set to use.", show_default=False
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="With an algorithm: also what too high and too low look like, and usual values."
        ),
    ] = False,
    as_json: AsJson = False,
) -> int:
    """List runners and their algorithms; with an algorithm, its parameters and presets."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        if root is not None:
            put_root(client, root)
        for runner_id, action in ((install, "install"), (prepare, "prepare")):
            if runner_id is not None and not _install(client, runner_id, action, quiet=as_json):
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
        _print_algorithms(found, algorithm, explain=explain)
    return 0


def put_root(client: LabClient, root: Path, runner_id: str | None = None) -> None:
    """Sets the folder of a runner's scripts; without an id, of the runner whose checkout it is."""
    from rl_lab.core.errors import InvalidInput, LabError

    rooted = [r["id"] for r in client.get("/api/runners") if r["root_setting"]]
    refusals = []
    for one in rooted if runner_id is None else [runner_id]:
        try:
            client.put(f"/api/runners/{one}/root", {"path": str(root.expanduser().absolute())})
            return
        except LabError as error:
            if runner_id is not None or error.status != InvalidInput.status:
                raise
            refusals.append(error.errors[0].message if error.errors else error.detail)
    raise InvalidInput.of_field("root", " ".join(dict.fromkeys(refusals)))


def offer_install(client: LabClient, runner_id: str, *, yes: bool, quiet: bool) -> bool:
    """Installs what the runner needs, if the user agrees; False when it was not installed.

    Asks on a terminal only. `yes` answers the question.
    """
    runner = next((r for r in client.get("/api/runners") if r["id"] == runner_id), None)
    modules = [p["module"] for p in runner["problems"] if p["extra"]] if runner else []
    if runner is None or not modules:
        return False
    if not yes:
        if quiet or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        question = (
            f"{runner['name']} needs {' and '.join(modules)} (not installed). Download and install now?"
        )
        if not confirm(question):
            return False
    return _install(client, runner_id, "install", quiet=quiet)


def _install(client: LabClient, runner_id: str, action: str, *, quiet: bool) -> bool:
    """Waits for the end and prints what pip prints; Ctrl-C cancels it when this command started the lab."""
    state = client.post(f"/api/runners/{runner_id}/{action}")["preparing"]
    shown: list[str] = []
    while True:
        for line in () if quiet else new_lines(shown, state["lines"]):
            print(line, file=sys.stderr, flush=True)
        shown = state["lines"]
        if state["state"] != "running":
            break
        time.sleep(POLL_S)
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
            print(f"  installation: {runner['preparing']['error'] or 'running'}")
        width = max((len(one["id"]) for one in runner["algorithms"]), default=0)
        for one in runner["algorithms"]:
            presets = ", ".join(sorted({preset["id"] for preset in one["presets"]})) or "none"
            kinds = " or ".join(one["action_kinds"])
            print(f"  {one['id']:{width}}  {kinds} actions; presets: {presets}")
    print("`rl-lab runners ALGORITHM` shows its parameters.")


def _print_algorithms(found: list[dict[str, Any]], wanted: str, *, explain: bool) -> None:
    from rl_lab.core.errors import NotFound

    if not found:
        raise NotFound(f"No runner has an algorithm “{wanted}”.", next_step="`rl-lab runners` lists them.")
    for runner in found:
        for algorithm in runner["algorithms"]:
            print(f"{algorithm['name']} ({runner['id']}): {algorithm['description']}")
            fields = algorithm["params_schema"]["properties"]
            if explain:
                _explain(fields)
                continue
            print_table(
                ("PARAMETER", "DEFAULT", "RANGE", "MEANING"),
                [(k, str(f.get("default")), bounds(f), f.get("description", "")) for k, f in fields.items()],
            )
    if not explain:
        print(f"`rl-lab runners {wanted} --explain` says what too high and too low look like.")


def _explain(fields: dict[str, dict[str, Any]]) -> None:
    """One paragraph per parameter."""
    import textwrap

    from rl_lab.core.words.param_help import help_sentences

    for name, field in fields.items():
        allowed = f", {bounds(field)}" if bounds(field) else ""
        print(f"\n{field.get('title', name)} ({name}): default {field.get('default')}{allowed}")
        for sentence in [field.get("description", ""), *help_sentences(field)]:
            print(textwrap.fill(sentence, 98, initial_indent="  ", subsequent_indent="    "))


def bounds(field: dict[str, Any]) -> str:
    """The allowed values of a parameter, from its JSON schema."""
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
