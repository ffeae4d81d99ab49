"""`rl-lab envs`: lists the environments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.output import AsJson, number, print_json, print_table


def register(app: typer.Typer) -> None:
    app.command()(envs)
    app.command()(wrappers)


def envs(
    search: Annotated[
        str | None, typer.Argument(help="Show only environments with this text in their id, name or family.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the environments that this machine can create."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = [env for env in client.get("/api/environments") if _matches(env, search)]
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


def wrappers(as_json: AsJson = False) -> None:
    """List the wrappers that `--wrapper` puts around an environment."""
    from rl_lab.core.wrappers import list_wrappers

    found = list_wrappers()
    if as_json:
        print_json([one.model_dump() for one in found])
        return
    rows = [(one.id, _settings(one.params_schema), one.description) for one in found]
    print_table(("WRAPPER", "SETTINGS", "WHAT IT DOES"), rows)


def _settings(schema: dict[str, Any]) -> str:
    fields = schema["properties"].items()
    return ", ".join(f"{name}={field['default']}" if "default" in field else name for name, field in fields)


def _matches(env: dict[str, Any], search: str | None) -> bool:
    text = f"{env['id']} {env['name']} {env['family']}".casefold()
    return search is None or search.casefold() in text


def _note(env: dict[str, Any]) -> str:
    return f"{env['problem']} {env['remedy'] or ''}".strip() if env["problem"] else ""
