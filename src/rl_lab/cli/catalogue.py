"""`rl-lab envs` and `rl-lab runners`: what can be learned, and with what."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.output import AsJson, number, print_json, print_table


def register(app: typer.Typer) -> None:
    app.command()(envs)
    app.command()(runners)


def envs(
    search: Annotated[str | None, typer.Argument(help="Part of an id, name or family.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the environments this machine can make."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = [env for env in client.get("/api/environments") if _fits(env, search)]
    if as_json:
        print_json(found)
        return
    print_table(
        ("ENVIRONMENT", "FAMILY", "ACTIONS", "OBSERVATIONS", "SOLVED AT", "NOTE"),
        [
            (e["id"], e["family"], e["action_space"], e["obs_space"], number(e["reward_threshold"]), _note(e))
            for e in found
        ],
    )


def _fits(env: dict[str, Any], search: str | None) -> bool:
    words = f"{env['id']} {env['name']} {env['family']}".casefold()
    return search is None or search.casefold() in words


def _note(env: dict[str, Any]) -> str:
    return f"{env['problem']} {env['remedy'] or ''}".strip() if env["problem"] else ""


def runners(
    algorithm: Annotated[str | None, typer.Argument(help="Show the parameters of this algorithm.")] = None,
    as_json: AsJson = False,
) -> None:
    """List runners and their algorithms; with an algorithm, its parameters and presets."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
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


def _print_runners(found: list[dict[str, Any]]) -> None:
    for runner in found:
        print(f"{runner['id']}  {runner['name']}: {'ready' if runner['ready'] else 'not ready'}")
        print(f"  {runner['description']}")
        for problem in runner["problems"]:
            print(f"  missing: {problem['module']}. Next: {problem['remedy']}")
        for one in runner["algorithms"]:
            presets = sorted({preset["id"] for preset in one["presets"]})
            print(
                f"  {one['id']:6} {' or '.join(one['action_kinds'])} actions; presets: {', '.join(presets) or 'none'}"
            )
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
