"""`rl-lab evaluate`: play episodes with a checkpoint, print what came out and where the video is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.jobs import (
    file_of,
    find_checkpoint,
    print_failure,
    result_of,
    wait_for_job,
    wait_until_started,
)
from rl_lab.cli.output import AsJson, number, print_json, print_table
from rl_lab.cli.run_argument import RunArgument, find_run_id

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

FAILED = 1


def register(app: typer.Typer) -> None:
    app.command()(evaluate)


def evaluate(
    run: RunArgument,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes", "-e", min=1, max=100, help="How many [5, or one per seed].", show_default=False
        ),
    ] = None,
    seed: Annotated[
        list[int] | None,
        typer.Option(
            min=0, help="Seed of an episode; repeatable (default: drawn from the run's).", show_default=False
        ),
    ] = None,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Draw actions as in training.")] = False,
    checkpoint: Annotated[
        str | None, typer.Option(help="Its id or its step (default: the newest).", show_default=False)
    ] = None,
    no_video: Annotated[bool, typer.Option("--no-video", help="Measure only.")] = False,
    as_json: AsJson = False,
) -> int:
    """Play episodes with what a run has learned; Ctrl-C leaves, and the evaluation goes on."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        wanted: dict[str, Any] = {
            "deterministic": not stochastic,
            "record": not no_video,
            "checkpoint": find_checkpoint(client, run_id, checkpoint),
        }
        if episodes is not None:
            wanted["episodes"] = episodes
        if seed:
            wanted["seeds"] = seed
        job = client.post(f"/api/runs/{run_id}/evaluations", wanted)
        ended = wait_for_job(client, job, words_for(job), quiet=as_json)
    return report(ended, as_json)


def words_for(job: dict[str, Any]) -> str:
    return f"Evaluating {job['config']['episodes']} episodes"


def report(job: dict[str, Any], as_json: bool) -> int:
    """Prints an ended evaluation; the exit code."""
    result = result_of(job)
    if as_json:
        print_json(job)
    elif "return_mean" not in result:
        return print_failure(job)
    else:
        print_summary(job, result)
    return 0 if job["status"] == "succeeded" else FAILED


def print_summary(job: dict[str, Any], result: dict[str, Any]) -> None:
    low, high = result["return_ci"]
    rows = [
        ("episodes", f"{result['episodes']} of {job['config']['episodes']}"),
        ("return", f"{number(result['return_mean'])} ± {number(result['return_std'])}"),
        ("95 % interval", f"{number(low)} to {number(high)}"),
        ("least, median, most", " · ".join(number(result[f"return_{n}"]) for n in ("min", "median", "max"))),
        ("length", number(result["length_mean"])),
        ("ended", f"{result['terminated']} terminated, {result['truncated']} truncated"),
    ]
    if result["success_threshold"] is not None:
        share = (
            f"{result['successes']} of {result['episodes']} (return ≥ {number(result['success_threshold'])})"
        )
        rows.append(("success", share))
    rows.append(("checkpoint", f"step {number(result['checkpoint_timestep'], 0)}"))
    print_table(("EVALUATION", job["status"]), rows)
    if result["video"]:
        name = result["video"].rpartition("/")[2]
        beside_model = file_of(job["parent_id"], name)
        print(f"Video: {beside_model if name == 'video.mp4' else beside_model.parent / 'eval' / name}")
    elif result["video_problem"]:
        print(f"No video: {result['video_problem']}")


def evaluate_after_training(
    client: LabClient, run: dict[str, Any], *, wait: bool, quiet: bool
) -> dict[str, Any] | None:
    """Waits for the evaluation that follows a training, or only for its start, after which it needs nobody.

    None when there is none. Ctrl-C leaves it to itself.
    """
    try:
        job_id = _follower(client, run["id"])
        if job_id is None:
            return None
        if not wait:
            return wait_until_started(client, client.get(f"/api/runs/{job_id}"))
        job = client.get(f"/api/runs/{job_id}")
        return wait_for_job(client, job, words_for(job), quiet=quiet)
    except KeyboardInterrupt:
        return None


def _follower(client: LabClient, run_id: str) -> str | None:
    """The evaluation starts a moment after the end; the event log says so, or why it does not."""
    for _, event in client.stream(f"/api/runs/{run_id}/events", last_id=0):
        if event["type"] == "evaluate_started":
            return str(event["data"]["run_id"])
        if event["type"] == "follow_up_failed":
            return None
    return None
