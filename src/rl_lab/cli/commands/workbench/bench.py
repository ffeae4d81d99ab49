"""`rl-lab rewards bench`: recorded episodes under rewards that are tried, before a training uses them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import address_of, get_version, is_file, name_of, read_code
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.code_consent import approve_code, is_refusal
from rl_lab.cli.commands.workbench.bench_output import print_bench, problem_line
from rl_lab.cli.commands.workbench.codes import Yes, groups
from rl_lab.cli.completion import complete_environment, complete_reward, complete_run
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, NotReady

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED = 1
MOST_REWARDS = 4


def register(_: typer.Typer) -> None:
    groups["reward"].command()(bench)


def bench(
    rewards: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|NAME[@vN]...",
            help="One to four rewards: files, or the names of saved ones. Nothing is saved.",
            autocompletion=complete_reward,
        ),
    ],
    *,
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN",
            help="Use the recorded episodes of this training, evaluation or play; repeatable.",
            autocompletion=complete_run,
        ),
    ] = None,
    env: Annotated[
        str | None,
        typer.Option(
            "--env",
            help="Use all runs of this environment (default: that of a saved reward).",
            autocompletion=complete_environment,
            show_default=False,
        ),
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, max=1000, help="Episodes at most.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Decides which of similar episodes are taken.")] = 0,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Score recorded episodes with a reward, and compare its ranking with the environment's."""
    from rl_lab.cli.connection import open_lab

    if len(rewards) > MOST_REWARDS:
        raise InvalidInput.of_field("rewards", f"At most {MOST_REWARDS} rewards are compared.")
    with open_lab() as client:
        asked = {
            "rewards": [_reward(written) for written in rewards],
            "limit": episodes,
            "seed": seed,
            **_choice(client, rewards, run or [], env),
        }
        found = _try(client, asked, rewards, yes=yes, quiet=as_json)
    if found is None:
        print("Not run.", file=sys.stderr)
        return FAILED
    if as_json:
        print_json(found)
    else:
        for problem in found["problems"]:
            print(problem_line(problem), file=sys.stderr)
        print_bench(found)
    return FAILED if found["problems"] else 0


def _reward(written: str) -> dict[str, Any]:
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import read_code_choice

    if is_file(written):
        path = Path(written)
        return {"name": name_of(path, CodeKind.reward), "source": read_code(path, CodeKind.reward)}
    choice = read_code_choice(written, CodeKind.reward)
    return {"name": choice.name, "version": choice.version}


def _choice(client: LabClient, rewards: list[str], runs: list[str], env: str | None) -> dict[str, Any]:
    """Named runs, or an environment: the one given, or the one that a reward was saved for."""
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import read_code_choice

    if runs:
        return {"run_ids": [find_run_id(client, one) for one in runs]}
    for written in rewards:
        if env is None and not is_file(written):
            name = read_code_choice(written, CodeKind.reward).name
            env = client.get(address_of(CodeKind.reward, name))["env_id"] or None
    if env is None:
        raise InvalidInput(
            "No episodes are chosen.",
            next_step="Name runs with --run RUN, or an environment with --env.",
        )
    return {"env_id": env}


def _try(
    client: LabClient, asked: dict[str, Any], rewards: list[str], *, yes: bool, quiet: bool
) -> dict[str, Any] | None:
    """None when the user does not want code to run that cannot be isolated here."""
    from rl_lab.core.errors import LabError

    try:
        return _collect(client, asked, quiet=quiet)
    except LabError as error:
        if not is_refusal(error):
            raise
        if not approve_code(error, yes=yes):
            return None
    return _collect(client, {**asked, "consents": [_hash_of(client, one) for one in rewards]}, quiet=quiet)


def _hash_of(client: LabClient, written: str) -> str:
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import code_hash

    if is_file(written):
        return code_hash(read_code(Path(written), CodeKind.reward))
    return str(get_version(client, CodeKind.reward, written)["sha256"])


def _collect(client: LabClient, asked: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """All messages, sorted by what they are."""
    found: dict[str, Any] = {"plan": {}, "episodes": [], "summary": None, "problems": [], "done": None}
    with open_job_bar("Scoring episodes", unit="episodes", quiet=quiet) as advance:
        for message in client.lines("/api/rewards/bench", asked):
            kind = message.pop("type")
            if kind == "episodes":
                found["episodes"] += message["items"]
                advance(len(found["episodes"]), found["plan"]["total"])
            elif kind == "problem":
                found["problems"].append(message)
            else:
                found[kind] = message
    if found["done"] is None and all(one.get("reward") is not None for one in found["problems"]):
        # A stream that breaks off looks like one that has ended.
        scored, total = len(found["episodes"]), found["plan"].get("total", 0)
        raise NotReady(
            f"The lab ended before the bench had finished: {scored:,} of {total:,} episodes were scored.",
            next_step="Start it with `rl-lab serve`, and the bench again.",
        )
    return found
