"""`rl-lab runs` (or `ls`), `show`, `stop`, `pause`, `resume`, `delete`, `restore`: lists and controls runs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.checkpoint_argument import find_checkpoint, split_run
from rl_lab.cli.arguments.kind_argument import KindOption, read_kind
from rl_lab.cli.arguments.run_argument import MAX_PAGE, RunArgument, find_run_id
from rl_lab.cli.completion import complete_run, complete_study
from rl_lab.cli.jobs import wait_until_started
from rl_lab.cli.output import AsJson, ago, bytes_text, duration, number, print_json, print_table
from rl_lab.cli.run_numbers import number_texts
from rl_lab.cli.studies.study_argument import find_study_id
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


VIEWED = ("q", "status", "kind", "sort", "tag", "archived")
"""What of a saved view the list understands."""


def register(app: typer.Typer) -> None:
    app.command("runs")(list_runs)
    app.command("ls", hidden=True)(list_runs)
    app.command()(show)
    app.command()(stop)
    app.command()(pause)
    app.command()(resume)
    app.command()(delete)
    app.command()(restore)


def list_runs(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]",
            help="Words of names, tags and notes, and conditions, combined with and, or, not: "
            "'lr<0.01 and best>200', seed:3, env:CartPole, status:failed, 'metrics.entropy<0.1'.",
            show_default=False,
        ),
    ] = None,
    *,
    status: Annotated[list[str] | None, typer.Option(help="Only runs in this state; repeatable.")] = None,
    env: Annotated[str | None, typer.Option(help="Only runs of this environment.")] = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", "-a", help="Only runs of this algorithm.")
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only runs with this tag.")] = None,
    kind: KindOption = None,
    search: Annotated[str | None, typer.Option("--search", "-q", help="The same as QUERY.")] = None,
    study: Annotated[
        str | None,
        typer.Option(help="Only runs of this study.", autocompletion=complete_study, show_default=False),
    ] = None,
    all_runs: Annotated[
        bool, typer.Option("--all-runs", help="Every run of a study, instead of one row for the study.")
    ] = False,
    archived: Annotated[bool, typer.Option("--archived", help="List archived runs instead.")] = False,
    view: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A saved view; see `rl-lab views`.", show_default=False),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            help="Sort by created_at (the default), name, seed, best_mean_reward, params.gamma, metrics.loss, …; "
            "- reverses it.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE, help="Maximum number of runs.")] = 20,
    cursor: Annotated[str | None, typer.Option(help="Continue after this page.", hidden=True)] = None,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        saved = _saved_search(client, view) if view is not None else {}
        study_id = find_study_id(client, study) if study else None
        given = {
            "study_id": study_id,
            "folded": None if study_id or all_runs else True,
            "status": status,
            "env_id": env,
            "algorithm": algorithm,
            "tag": tag,
            "kind": read_kind(kind),
            "q": " ".join([*(query or ()), *([search] if search else [])]) or None,
            "sort": sort,
            "archived": archived or None,
        }
        wanted = {**saved, **{name: value for name, value in given.items() if value is not None}}
        page = client.get("/api/runs", limit=limit, cursor=cursor, **wanted)
        folded = {} if study_id or all_runs or as_json else _studies_of(client, page["items"])
    if as_json:
        print_json(page)
        return
    print_table(
        ("RUN", "NAME", "STATUS", "PROGRESS", "MEAN REWARD", "BEST MEAN", "TIME", "CREATED"),
        [_row(run, folded) for run in page["items"]],
    )
    if folded:
        print("A study is one row: --study STUDY lists its runs, --all-runs those of all studies.")
    if page["total"] > len(page["items"]):
        print(f"{len(page['items'])} of {page['total']} runs; --limit shows more.")


def _saved_search(client: LabClient, name: str) -> dict[str, Any]:
    """The parameters of a saved view that this list has; options given in the command replace them."""
    items = client.get("/api/views")["items"]
    found = next((one["search"] for one in items if one["name"].casefold() == name.casefold()), None)
    if found is None:
        names = [one["name"] for one in items]
        raise InvalidInput.of_field("--view", f"There is no view called “{name}”.", names or None)
    return {name: value for name, value in found.items() if name in VIEWED}


def _studies_of(client: LabClient, runs: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The studies of these runs that exist, by id."""
    found = {}
    for study_id in {run["study_id"]: None for run in runs if run["study_id"]}:
        with suppress(LabError):
            found[study_id] = client.get(f"/api/studies/{study_id}")
    return found


def _study_row(study: dict[str, Any]) -> tuple[str, ...]:
    counts = study["counts"]
    progress = f"{counts['succeeded']}/{counts['planned']} runs"
    return (study["id"], study["name"], study["status"], progress, "–", "–", "–", ago(study["created_at"]))


def _row(run: dict[str, Any], folded: dict[str, Any]) -> tuple[str, ...]:
    if run["study_id"] in folded:
        return _study_row(folded[run["study_id"]])
    summary = run["summary"]
    return (
        run["id"],
        run["name"],
        run["status"],
        _share(run),
        number(summary["mean_reward"]),
        number(summary["best_mean_reward"]),
        duration(run["progress"]["elapsed_s"]),
        ago(run["created_at"]),
    )


def _share(run: dict[str, Any]) -> str:
    """Progress in percent; "–" for a script that does not report its total number of steps."""
    if run["status"] == "succeeded":
        return "100%"
    config = run["config"]
    has_end = run["progress"]["total_timesteps"] or config.get("max_seconds") or config.get("max_episodes")
    return f"{run['progress']['fraction']:.0%}" if has_end else "–"


def show(run: RunArgument, as_json: AsJson = False) -> None:
    """Show one run: state, key numbers, insights, files, end reason."""
    from rl_lab.cli.commands.insights import print_insights
    from rl_lab.cli.connection import open_lab, read_settings

    with open_lab() as client:
        run_id = find_run_id(client, run)
        found = client.get(f"/api/runs/{run_id}")
        files = client.get(f"/api/runs/{run_id}/artifacts")
        is_training = found["config"]["kind"] == "train"
        insights = client.get(f"/api/runs/{run_id}/insights") if is_training else []
        wandb = client.get(f"/api/runs/{run_id}/wandb")
        snapshot = client.get(f"/api/runs/{run_id}/snapshot")
        verified = client.get(f"/api/runs/{run_id}/verifications") if is_training else []
    if as_json:
        more = {"artifacts": files, "insights": insights, "wandb": wandb}
        print_json({**found, **more, "snapshot": snapshot, "verifications": verified})
        return
    print_run(found, str(read_settings().home_path / "runs" / run_id))
    if snapshot:
        print(f"  made with    {snapshot_text(snapshot)}")
    for verification in verified:
        if verification["sentence"]:
            print(f"  verified     {verification['sentence']}")
            break
    if wandb["upload"] != "none":
        print(f"  W&B          {wandb_text(wandb)}")
    print_insights(insights)
    if files:
        print_table(
            ("FILE", "KIND", "SIZE", "STEP"),
            [(f["path"], f["kind"], bytes_text(f["size"]), number(f["timestep"], 0)) for f in files],
        )


def snapshot_text(snapshot: dict[str, Any]) -> str:
    """The main facts; snapshot.json has all of them."""
    packages = {**snapshot["environments"], **snapshot["packages"]}
    named = [f"{name} {packages[name]}" for name in ("gymnasium", "numpy", "torch") if name in packages]
    python, cpu = snapshot["python"].get("version"), snapshot["cpu"].get("model")
    fingerprint = [str(part)[:8] for part in snapshot["fingerprint"].values()]
    parts = [f"Python {python}" if python else "", *named, str(cpu or "")]
    parts.append(f"fingerprint {'-'.join(fingerprint)}" if fingerprint else "")
    return ", ".join(part for part in parts if part)


def wandb_text(wandb: dict[str, Any]) -> str:
    """The address with how far the upload is, or the command that uploads."""
    if wandb["url"]:
        return f"{wandb['upload_text']} {wandb['url']} (according to the script)"
    return f"{wandb['upload_text']} {wandb['how']}"


def print_run(run: dict[str, Any], folder: str) -> None:
    """Prints the run in a few lines."""
    config, progress, summary = run["config"], run["progress"], run["summary"]
    print(f"{run['name']}  ({run['id']})")
    print(f"  status       {run['status']}{_moves(run)}")
    if run["reason"]:
        print(f"  reason       {run['reason']['message']}")
        if run["reason"]["next_step"]:
            print(f"  next step    {run['reason']['next_step']}")
    if config["kind"] == "train":
        _print_training(config)
    if config["kind"] == "play":
        from rl_lab.cli.commands.plays.playing import play_text

        print(f"  play         {play_text(config, summary.get('result'))}")
    of = f" of {progress['total_timesteps']:,}" if progress["total_timesteps"] else ""
    unit = f"{progress['unit']}s"
    print(
        f"  progress     {progress['timestep']:,}{of} {unit}, "
        f"{plural(progress['episodes'], 'episode')}, {duration(progress['elapsed_s'])}, "
        f"{number(progress['fps'], 0)} {unit}/s"
    )
    _print_results(summary)
    if run["returns_note"]:
        print(f"  not checked  {run['returns_note']}")
    if run["tags"]:
        print(f"  tags         {', '.join(run['tags'])}")
    if run["source"]:
        print(
            f"  adopted from {run['source']['folder']}{' (followed)' if run['source']['is_followed'] else ''}"
        )
    print(f"  folder       {folder}")


def _print_results(summary: dict[str, Any]) -> None:
    print(
        f"  reward       mean {number(summary['mean_reward'])}, best mean {number(summary['best_mean_reward'])}, "
        f"best episode {number(summary['best_reward'])}"
    )
    score = summary["metrics"].get("normalised_score")
    if score is not None:
        # The reference begins with the same words.
        print(f"  score        {number(score)} normalised. {summary.get('score_reference') or ''}".rstrip())
    for text in number_texts(summary):
        print(f"  measured     {text}")


def _print_training(config: dict[str, Any]) -> None:
    from rl_lab.core.lengths.limits import ends_text

    where = f" on {config['env_id']}" if config["env_id"] else ""
    seed = f", seed {config['seed']}" if config["seed"] is not None else ""
    print(f"  training     {config['algorithm']} ({config['runner']}){where}{seed}")
    print(f"  ends         {ends_text(config)}")
    if config.get("dataset"):
        word = "began with  " if config.get("prefill") else "learned from"
        print(f"  {word} {dataset_text(config['dataset'])}")
    if config.get("start_from"):
        start = config["start_from"]
        step = f" at step {start['timestep']:,}" if start["timestep"] else ""
        print(f"  starts from  {start['run_id']}{step}")


def dataset_text(dataset: dict[str, Any]) -> str:
    """ "lander-expert@v2 (3f2a9c01b7d4)" """
    from rl_lab.core.datasets.names import DatasetChoice

    choice = DatasetChoice.model_validate(dataset)
    return f"{choice} ({choice.sha256[:12]})" if choice.sha256 else str(choice)


def _moves(run: dict[str, Any]) -> str:
    return f"  (can {', '.join(run['allowed'])})" if run["allowed"] else ""


def stop(
    run: RunArgument,
    force: Annotated[bool, typer.Option("--force", help="Kill the run, without a checkpoint.")] = False,
    as_json: AsJson = False,
) -> None:
    """Stop a run and save a checkpoint."""
    _move(run, "stop", as_json, force=force or None)


def pause(run: RunArgument, as_json: AsJson = False) -> None:
    """Pause a run at its next update."""
    _move(run, "pause", as_json)


def resume(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN[@CHECKPOINT]",
            help="A run; RUN@best, RUN@newest or RUN@STEP resumes an ended one from that checkpoint.",
            autocompletion=complete_run,
        ),
    ],
    rewind: Annotated[
        bool,
        typer.Option("--rewind", help="Drop the steps after an older checkpoint; they are trained again."),
    ] = False,
    inexact: Annotated[
        bool,
        typer.Option("--inexact", help="Resume even if not everything can be restored; the log says what."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Resume a paused run, or an ended run from its newest or any checkpoint."""
    name, checkpoint = split_run(run)
    choice = {"checkpoint": checkpoint, "rewind": rewind, "inexact": inexact}
    _move(name, "resume", as_json, choice={field: value for field, value in choice.items() if value})


def _move(
    wanted: str, move: str, as_json: bool, *, choice: dict[str, Any] | None = None, **query: Any
) -> None:
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        # Jobs can be paused and stopped, but only a training is resumed by its name.
        run_id = find_run_id(client, wanted, is_training=move == "resume")
        if choice and choice.get("checkpoint"):
            choice["checkpoint"] = find_checkpoint(client, run_id, choice["checkpoint"])
        run = client.post(f"/api/runs/{run_id}/{move}", choice or None, **query)
        settled = {"stop": {"stopped", "succeeded", "failed", "lost"}}.get(move)
        if settled:
            try:
                run = _wait_for(client, run_id, settled)
            except NotReady:
                run = None  # a lab started by `rl-lab run` or `train` exits with its run
        elif move == "resume":
            # A lab started for this command exits with it, and then nothing would start the queued run.
            run = wait_until_started(client, run)
    if run is None:
        with open_lab() as client:
            run = client.get(f"/api/runs/{run_id}")
    if as_json:
        print_json(run)
    else:
        asked = run["paused_wanted"] or (move == "resume" and run["status"] == "paused")
        print(f"{run['id']} is {run['status']}{f' ({move} requested)' if asked else ''}.")


def _wait_for(client: LabClient, run_id: str, states: set[str]) -> Any:
    """Waits for the end of the run's stream, which means that the run has ended."""
    for name, _ in client.stream(f"/api/runs/{run_id}/stream"):
        if name == "end":
            break
    run = client.get(f"/api/runs/{run_id}")
    return run if run["status"] in states else client.get(f"/api/runs/{run_id}")


def delete(run: RunArgument, as_json: AsJson = False) -> None:
    """Delete a run; for a limited time `restore` can undo this."""
    from rl_lab.cli.connection import open_lab, read_settings

    with open_lab() as client:
        run_id = find_run_id(client, run)
        deleted = client.delete(f"/api/runs/{run_id}")
    if as_json:
        print_json(deleted)
    else:
        undo = f"To undo within {duration(read_settings().undo_s)}: rl-lab restore {run_id}"
        print(f"{run_id} is deleted. {undo}")


def restore(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Full id of the deleted run.")],
    as_json: AsJson = False,
) -> None:
    """Restore a deleted run."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        restored = client.post(f"/api/runs/{run}/restore")
    if as_json:
        print_json(restored)
    else:
        print(f"{restored['id']} ({restored['name']}) is restored.")
