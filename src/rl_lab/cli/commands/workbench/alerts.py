"""`rl-lab alerts`: lists, adds, changes, tries, switches and deletes alerts, and lists what has fired."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.completion import complete_environment, complete_run
from rl_lab.cli.output import AsJson, ago, print_json, print_table
from rl_lab.cli.terminal import confirm, print
from rl_lab.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

group = typer.Typer(
    help="List alerts; its commands add, change, try, switch and delete them, and list what has fired.",
    invoke_without_command=True,
)
AlertArgument = Annotated[
    str, typer.Argument(metavar="ALERT", help="Id of the alert, its first characters, or its name.")
]

ConditionText = (
    '"METRIC > 400" (>= < <=), "METRIC rises by 10", "METRIC stalls for 50k", "METRIC is nan", "ended", '
    '"ended failed"; an expression may be in place of METRIC.'
)
NameOption = Annotated[str | None, typer.Option(help="What messages call it.", show_default=False)]
RunOption = Annotated[
    str | None, typer.Option(help="Only this run.", autocompletion=complete_run, show_default=False)
]
EnvOption = Annotated[
    str | None,
    typer.Option(
        help="Only trainings in this environment.", autocompletion=complete_environment, show_default=False
    ),
]
TagOption = Annotated[str | None, typer.Option(help="Only trainings with this tag.", show_default=False)]
StudyOption = Annotated[
    str | None, typer.Option(help="Only trainings of the study with this id.", show_default=False)
]
PointsOption = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Points in a row that must meet it.", show_default=False),
]
CommandOption = Annotated[
    str | None,
    typer.Option(
        help="A program to execute, with its arguments; it is split into words, but no shell runs it. "
        "RL_LAB_ALERT_* variables contain the details.",
        show_default=False,
    ),
]
WebhookOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="An address on this machine, or of a host in RL_LAB_ALERT_HOSTS, that gets the details as JSON.",
        show_default=False,
    ),
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Approve the command without being asked.")]


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="alerts")


@group.callback()
def alerts(context: typer.Context, as_json: AsJson = False) -> None:
    """List alerts."""
    if context.invoked_subcommand is None:
        list_alerts(as_json=as_json)


@group.command("list")
def list_alerts(as_json: AsJson = False) -> None:
    """List alerts."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get("/api/alerts")
    if as_json:
        print_json(found)
    elif found:
        print_table(("ALERT", "NAME", "WHEN", "RUNS", "ACTIONS", "FIRED", ""), map(_row, found))
    else:
        print('No alert. For example: rl-lab alerts add "return >= 475" --env CartPole-v1')


@group.command()
def add(
    condition: Annotated[str, typer.Argument(metavar="CONDITION", help=ConditionText)],
    *,
    name: NameOption = None,
    run: RunOption = None,
    env: EnvOption = None,
    tag: TagOption = None,
    study: StudyOption = None,
    points: PointsOption = None,
    command: CommandOption = None,
    webhook: WebhookOption = None,
    yes: YesOption = False,
    as_json: AsJson = False,
) -> None:
    """Be told when a metric of a run does something, or a run ends. An alert fires once per run."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        rule = {
            **_read(condition),
            "scope": _read_scope(client, run, env=env, tag=tag, study=study),
            "points": points or 1,
            "command": _words(command),
            "webhook": webhook or None,
        }
        body = {"name": name or "", "rule": rule, "command_approved": yes}
        saved = _save(lambda body: client.post("/api/alerts", body), body)
    _print_saved(saved, as_json=as_json)


@group.command()
def edit(
    alert: AlertArgument,
    *,
    when: Annotated[
        str | None, typer.Option(metavar="CONDITION", help=ConditionText, show_default=False)
    ] = None,
    name: NameOption = None,
    run: RunOption = None,
    env: EnvOption = None,
    tag: TagOption = None,
    study: StudyOption = None,
    everywhere: Annotated[
        bool, typer.Option("--all", help="All trainings, instead of those that it watches now.")
    ] = False,
    points: PointsOption = None,
    command: CommandOption = None,
    webhook: WebhookOption = None,
    yes: YesOption = False,
    as_json: AsJson = False,
) -> None:
    """Change an alert: only what is given; "" removes a name, command or webhook. A new rule arms it again for all
    runs."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get(f"/api/alerts/{_find_id(client, alert)}")
        scope = _read_scope(client, run, env=env, tag=tag, study=study)
        changed = {
            **({} if when is None else _read(when)),
            **({"scope": scope} if everywhere or any(scope.values()) else {}),
            **({} if points is None else {"points": points}),
            **({} if command is None else {"command": _words(command)}),
            **({} if webhook is None else {"webhook": webhook or None}),
        }
        body = {"name": name, "rule": {**found["rule"], **changed}, "command_approved": yes}
        saved = _save(lambda body: client.patch(f"/api/alerts/{found['id']}", body), body)
    _print_saved(saved, as_json=as_json)


@group.command()
def test(alert: AlertArgument, as_json: AsJson = False) -> None:
    """Execute the command of an alert and send its webhook now, with example values."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.post(f"/api/alerts/{_find_id(client, alert)}/test")
    if as_json:
        print_json(found)
    elif not found["deliveries"]:
        print("The alert has no command and no webhook; it is shown in the page.")
    for action, delivery in found["deliveries"].items() if not as_json else ():
        print(f"{action}: {delivery['message']}")
        if delivery["output"]:
            print(delivery["output"].rstrip())


@group.command()
def switch(
    alert: AlertArgument,
    on: Annotated[bool, typer.Option("--on/--off", help="Whether it watches.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Switch an alert on or off."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        changed = client.patch(f"/api/alerts/{_find_id(client, alert)}", {"is_active": on})
    if as_json:
        print_json(changed)
    else:
        print(f"The alert {changed['name']} is {'on' if changed['is_active'] else 'off'}.")


@group.command()
def delete(alert: AlertArgument, as_json: AsJson = False) -> None:
    """Delete an alert with its firings; the logs of the runs keep theirs."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        removed = client.delete(f"/api/alerts/{_find_id(client, alert)}")
    if as_json:
        print_json(removed)
    else:
        print(f"The alert {removed['name']} is deleted.")


@group.command()
def firings(
    run: Annotated[
        str | None, typer.Option(help="Only of this run.", autocompletion=complete_run, show_default=False)
    ] = None,
    alert: Annotated[
        str | None,
        typer.Option(help="Only of this alert: its id, first characters or name.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List which alerts have fired for which runs, and what became of their commands and webhooks."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = None if run is None else find_run_id(client, run)
        alert_id = None if alert is None else _find_id(client, alert)
        found = client.get("/api/alerts/firings", alert_id=alert_id, run_id=run_id, limit=limit)
    if as_json:
        print_json(found)
    elif found:
        rows = [(ago(one["at"]), one["message"], _deliveries(one)) for one in found]
        print_table(("FIRED", "WHAT", "ACTIONS"), rows)
    else:
        print("No alert has fired.")


group.command("save", hidden=True)(add)
group.command("change", hidden=True)(edit)


def _read(condition: str) -> dict[str, Any]:
    from rl_lab.core.workbench.alert_conditions import read_condition

    return read_condition(condition)._asdict()


def _read_scope(client: LabClient, run: str | None, **others: str | None) -> dict[str, str | None]:
    run_id = None if run is None else find_run_id(client, run)
    return {"run_id": run_id, "env_id": others["env"], "tag": others["tag"], "study_id": others["study"]}


def _words(command: str | None) -> list[str] | None:
    try:
        return shlex.split(command) if command else None
    except ValueError as error:
        raise InvalidInput.of_field("--command", f"It cannot be split into words: {error}.") from None


def _save(send: Callable[[dict[str, Any]], Any], body: dict[str, Any]) -> dict[str, Any]:
    """Asks before a command is saved, where somebody can answer."""
    from rl_lab.cli.client import ProblemAnswer

    try:
        saved: dict[str, Any] = send(body)
    except ProblemAnswer as answer:
        problem = answer.problem()
        if problem.status != 428 or not sys.stdin.isatty():
            raise
        print(problem.detail)
        if not confirm("Save it?"):
            raise typer.Abort from None
        saved = send({**body, "command_approved": True})
    return saved


def _print_saved(saved: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(saved)
    else:
        print(f"The alert {saved['id']} is saved: when {saved['condition']} ({_scope(saved['rule'])}).")


def _find_id(client: LabClient, wanted: str) -> str:
    found = client.get("/api/alerts")
    by_id = [one for one in found if wanted and one["id"].startswith(wanted)]
    for chosen in (by_id, [one for one in found if one["name"] == wanted]):
        if len(chosen) == 1:
            return str(chosen[0]["id"])
        if chosen:
            raise InvalidInput.of_field(
                "alert", f"“{wanted}” fits {len(chosen)} alerts.", [c["id"] for c in chosen]
            )
    raise NotFound(f"There is no alert “{wanted}”.", next_step="`rl-lab alerts` lists them.")


def _row(alert: dict[str, Any]) -> tuple[str, ...]:
    rule = alert["rule"]
    actions = ["page", *(name for name in ("command", "webhook") if rule[name])]
    return (
        alert["id"],
        alert["name"],
        alert["condition"],
        _scope(rule),
        ", ".join(actions),
        str(alert["firings"]),
        "" if alert["is_active"] else "off",
    )


def _scope(rule: dict[str, Any]) -> str:
    named = {key: value for key, value in rule["scope"].items() if value is not None}
    words = {"run_id": "run", "env_id": "environment", "tag": "tag", "study_id": "study"}
    return ", ".join(f"{words[key]} {value}" for key, value in named.items()) or "all trainings"


def _deliveries(firing: dict[str, Any]) -> str:
    found = firing["deliveries"].items()
    return "; ".join(f"{action}: {one['message'] or one['state']}" for action, one in found) or "–"
