"""`rl-lab datasets make` and `collect`: recorded episodes of runs, and episodes that policies play now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rl_lab.cli.arguments.policy_argument import find_policy
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.commands.datasets.jobs import DryRun, LicenceOption, NameArgument, NoteOption, run_operation
from rl_lab.cli.commands.datasets.listing import group
from rl_lab.cli.completion import complete_environment, complete_policy, complete_run
from rl_lab.cli.output import AsJson
from rl_lab.cli.values import parse_pairs
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

RANDOM = "random"


def register(app: typer.Typer) -> None:
    """The commands are those of the group."""


@group.command()
def make(
    *,
    name: NameArgument,
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN…]",
            help="Runs whose recorded episodes are taken; without one, all that fit the options.",
            autocompletion=complete_run,
        ),
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            "--search", "-q", help="Runs that fit a search, as `rl-lab runs` has it.", show_default=False
        ),
    ] = "",
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="Runs with this tag; may be repeated.", show_default=False),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", help="Kinds of runs; may be repeated. [train, evaluate, play]", show_default=False
        ),
    ] = None,
    env: Annotated[
        str | None,
        typer.Option(
            help="Only of this environment.", autocompletion=complete_environment, show_default=False
        ),
    ] = None,
    return_min: Annotated[float | None, typer.Option(help="Lowest return.", show_default=False)] = None,
    return_max: Annotated[float | None, typer.Option(help="Highest return.", show_default=False)] = None,
    length_min: Annotated[int | None, typer.Option(min=1, help="Fewest steps.", show_default=False)] = None,
    length_max: Annotated[int | None, typer.Option(min=1, help="Most steps.", show_default=False)] = None,
    who: Annotated[
        Literal["person", "agent"] | None, typer.Option(help="Who acted in them.", show_default=False)
    ] = None,
    best: Annotated[
        int | None, typer.Option(min=1, help="At most this many, by return.", show_default=False)
    ] = None,
    newest: Annotated[
        int | None, typer.Option(min=1, help="At most this many, the newest ones.", show_default=False)
    ] = None,
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Make a dataset of recorded episodes: each is simulated again and compared with its recording."""
    from rl_lab.cli.connection import open_lab

    choose: dict[str, Any] = {
        "query": search,
        "tags": tag or [],
        "env_id": env,
        "return_min": return_min,
        "return_max": return_max,
        "length_min": length_min,
        "length_max": length_max,
        "who": who,
        "best": best,
        "newest": newest,
    }
    if kind:
        choose["kinds"] = kind
    with open_lab() as client:
        choose["runs"] = [find_run_id(client, run) for run in runs or []]
        wanted = {"do": "make", "name": name, "note": note, "licence": licence, "choose": choose}
        return run_operation(client, "Simulating episodes", as_json=as_json, dry_run=dry_run, **wanted)


@group.command()
def collect(
    *,
    name: NameArgument,
    policies: Annotated[
        list[str],
        typer.Argument(
            metavar="POLICY…",
            help="Runs (RUN@best, RUN@STEP) or named models, or `random`. POLICY=2 gives one twice the share; "
            "POLICY=2:0.1 adds noise.",
            autocompletion=complete_policy,
        ),
    ],
    episodes: Annotated[int, typer.Option("--episodes", "-e", min=1, help="Number of episodes.")] = 100,
    noise: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of random actions, or of the range as Gaussian noise; of policies that name none.",
        ),
    ] = 0.0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Sample actions as in training.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed from which the episodes' seeds are derived.")] = 0,
    env: Annotated[
        str | None,
        typer.Option(
            help="The environment; that of the first policy if absent.",
            autocompletion=complete_environment,
            show_default=False,
        ),
    ] = None,
    env_arg: Annotated[
        list[str] | None,
        typer.Option("--env-arg", help="Option of the environment, NAME=VALUE.", show_default=False),
    ] = None,
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Collect a dataset: policies play episodes now, with noise if you like."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        wanted = {
            "do": "collect",
            "name": name,
            "note": note,
            "licence": licence,
            "policies": [
                {"noise": noise, "deterministic": not stochastic, **read_collector(client, one)}
                for one in policies
            ],
            "episodes": episodes,
            "seed": seed,
            "env_id": env,
            "env_kwargs": parse_pairs(env_arg or (), "--env-arg"),
        }
        label = f"Playing {plural(episodes, 'episode')}"
        return run_operation(client, label, as_json=as_json, dry_run=dry_run, **wanted)


def read_collector(client: LabClient, written: str) -> dict[str, Any]:
    """POLICY, POLICY=SHARE or POLICY=SHARE:NOISE."""
    policy, _, amounts = written.partition("=")
    found: dict[str, Any] = {} if policy == RANDOM else dict(find_policy(client, policy)._asdict())
    share, _, noise = amounts.partition(":")
    for name, text in (("share", share), ("noise", noise)):
        if text:
            found[name] = _read_number(written, text)
    return found


def _read_number(written: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidInput.of_field(
            "policy", f"“{written}”: {text} is not a number.", "POLICY, POLICY=SHARE or POLICY=SHARE:NOISE"
        ) from None
