"""Runs: create, find, look, label, move, delete and bring back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict, TypeAdapter

from rl_lab.api.deps import Cursor, Limit, QueriesDep, RunId, RunsDep
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.lengths.lengthening import Longer, LongerPreview
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import Move, Run, RunStatus
from rl_lab.core.script_environments import EnvironmentRole, ScriptEnvironment
from rl_lab.orchestrator.runs.requests import Again, NewRun, RunPatch
from rl_lab.store.runs import PARAMETER_SORT, RUN_SORTS, RunFilter

router = APIRouter(prefix="/api/runs", tags=["runs"])

Word = Annotated[str | None, Query(max_length=200)]
LABELS: dict[Move, str] = {
    "start": "Puts a created run into the queue.",
    "stop": "Asks the run to stop: politely with a checkpoint, then firmly.",
    "pause": "Asks the run to wait at its next update.",
    "resume": "Lets a paused run go on; starts an ended one again from its newest checkpoint, or from the one given.",
}
REFUSED: dict[int | str, dict[str, Any]] = {409: {"description": "The state of the run forbids it"}}

Kind = RunKind | Literal["all"]
RunSort = Annotated[
    str,
    Query(
        pattern=f"^(-?({'|'.join(RUN_SORTS)})|{PARAMETER_SORT.pattern})$",
        description=f"One of {', '.join(RUN_SORTS)}, or params.NAME for a hyper-parameter; a leading - reverses it.",
    ),
]


class RunPage(BaseModel):
    items: list[Run]
    next_cursor: str | None
    total: int


_run_page = TypeAdapter(RunPage)


@router.post("", operation_id="create_run", status_code=201)
async def create_run(new: NewRun, response: Response, runs: RunsDep) -> Run:
    """Creates a training run; with `start` it goes into the queue at once."""
    run = await runs.create(new)
    response.headers["Location"] = f"/api/runs/{run.id}"
    return run


@router.get("", operation_id="list_runs", response_model=RunPage)
async def list_runs(
    *,
    queries: QueriesDep,
    status: Annotated[list[RunStatus] | None, Query(max_length=10)] = None,
    env_id: Word = None,
    algorithm: Word = None,
    runner: Word = None,
    kind: Kind = RunKind.train,
    parent_id: Word = None,
    study_id: Word = None,
    dataset: Annotated[
        str | None,
        Query(
            pattern="^[0-9a-f]{64}$",
            description="Content hash of the dataset's version that it learned from.",
        ),
    ] = None,
    folded: Annotated[bool, Query(description="Of each study only the first run.")] = False,
    tag: Word = None,
    q: Annotated[
        str | None,
        Query(
            max_length=200,
            description="Words of the name, environment, algorithm, runner or tags, and conditions such as "
            "`lr<0.01 seed:3 env:CartPole status:failed tag:x`.",
        ),
    ] = None,
    archived: Annotated[bool, Query(description="Archived ones instead of the others.")] = False,
    sort: RunSort = "-created_at",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """A page of runs, newest first unless told otherwise."""
    wanted = RunFilter(
        status=tuple(status or ()),
        env_id=env_id,
        algorithm=algorithm,
        runner=runner,
        parent_id=parent_id,
        study_id=study_id,
        dataset=dataset,
        folded=folded,
        kind=None if kind == "all" else kind,
        tag=tag,
        q=queries.parse_query(q) if q else None,
        archived=archived,
    )
    page = await queries.list_runs(wanted, sort=sort, limit=limit, cursor=cursor)
    found = RunPage.model_construct(items=page.items, next_cursor=page.next_cursor, total=page.total)
    # Straight to bytes: the framework would validate every run a second time.
    return Response(_run_page.dump_json(found), media_type="application/json")


@router.get("/{run_id}", operation_id="get_run")
async def get_run(run_id: RunId, queries: QueriesDep) -> Run:
    """One run, with the moves it allows now."""
    return await queries.get_run(run_id)


@router.patch("/{run_id}", operation_id="patch_run")
async def patch_run(run_id: RunId, patch: RunPatch, runs: RunsDep) -> Run:
    """Renames, tags or archives a run; what is absent stays."""
    return await runs.patch(run_id, patch)


@router.delete("/{run_id}", operation_id="delete_run")
async def delete_run(run_id: RunId, runs: RunsDep) -> Run:
    """Deletes a run; for a while `restore` brings it back."""
    return await runs.delete(run_id)


@router.post("/{run_id}/restore", operation_id="restore_run")
async def restore_run(run_id: RunId, runs: RunsDep) -> Run:
    """Brings a deleted run back."""
    return await runs.restore(run_id)


class MoveBody(BaseModel):
    """A move needs no fields; one that the caller expects to be obeyed must not be ignored."""

    model_config = ConfigDict(extra="forbid")


@router.post("/{run_id}/again", operation_id="run_again", status_code=201, responses=REFUSED)
async def run_again(run_id: RunId, response: Response, runs: RunsDep, how: Again | None = None) -> Run:
    """Creates a new run with the settings of this one, and with its seed unless another one is given."""
    run = await runs.again(run_id, how or Again())
    response.headers["Location"] = f"/api/runs/{run.id}"
    return run


@router.get("/{run_id}/continue", operation_id="preview_continue", responses=REFUSED)
async def preview_continue(run_id: RunId, longer: Annotated[Longer, Query()], runs: RunsDep) -> LongerPreview:
    """What giving an ended training a later end would do; nothing changes."""
    return await runs.longer.preview(run_id, longer)


@router.post("/{run_id}/continue", operation_id="continue_run", status_code=202, responses=REFUSED)
async def continue_run(run_id: RunId, longer: Longer, runs: RunsDep) -> Run:
    """Gives an ended training a later end; it goes on from its newest whole checkpoint, as a new attempt."""
    return await runs.longer.lengthen(run_id, longer)


def _add_move(move: Move) -> None:
    async def ask(run_id: RunId, runs: RunsDep, body: MoveBody | None = None) -> Run:
        return await runs.move(run_id, move)

    router.add_api_route(
        f"/{{run_id}}/{move}",
        ask,
        methods=["POST"],
        operation_id=f"{move}_run",
        status_code=202,
        summary=f"{move.capitalize()} Run",
        description=f"{LABELS[move]} 409 with the allowed moves when its state forbids it.",
        responses=REFUSED,
    )


for _move in LABELS:
    if _move not in ("stop", "resume"):
        _add_move(_move)


@router.post(
    "/{run_id}/resume",
    operation_id="resume_run",
    status_code=202,
    description=f"{LABELS['resume']} 409 with the allowed moves when its state forbids it; also when newer checkpoints "
    "would be dropped or the run would differ from one that was not stopped, with what to agree to.",
    responses=REFUSED,
)
async def resume_run(run_id: RunId, runs: RunsDep, choice: ResumeChoice | None = None) -> Run:
    return await runs.resume(run_id, choice or ResumeChoice())


@router.post(
    "/{run_id}/stop",
    operation_id="stop_run",
    status_code=202,
    description=f"{LABELS['stop']} 409 with the allowed moves when its state forbids it.",
    responses=REFUSED,
)
async def stop_run(
    run_id: RunId,
    runs: RunsDep,
    force: Annotated[bool, Query(description="End it at once, without a checkpoint.")] = False,
    body: MoveBody | None = None,
) -> Run:
    return await runs.move(run_id, "stop", force=force)


class LogTail(BaseModel):
    lines: list[str]


class RunCommand(BaseModel):
    command: str | None
    """Null for jobs, adopted runs, and algorithms that the lab no longer has."""


@router.get("/{run_id}/config", operation_id="get_run_config")
async def get_run_config(run_id: RunId, queries: QueriesDep) -> dict[str, Any]:
    """The effective configuration, as written into the run's folder."""
    return await queries.config(run_id)


@router.get("/{run_id}/command", operation_id="get_run_command")
async def get_run_command(run_id: RunId, queries: QueriesDep) -> RunCommand:
    """The command line that starts the same training again, with only what differs from its preset."""
    return RunCommand(command=await queries.command(run_id))


@router.get("/{run_id}/log", operation_id="get_run_log")
async def get_run_log(
    run_id: RunId, queries: QueriesDep, tail: Annotated[int, Query(ge=1, le=5000)] = 200
) -> LogTail:
    """The last lines the worker wrote to its standard error."""
    return LogTail(lines=await queries.log_tail(run_id, tail))


class RoleBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: EnvironmentRole


class ScriptEnvironmentList(BaseModel):
    items: list[ScriptEnvironment]


EnvironmentNumber = Annotated[
    int, Path(ge=1, le=2**31, description="Number of the environment in the script.")
]


@router.get("/{run_id}/environments", operation_id="list_run_environments")
async def list_run_environments(run_id: RunId, runs: RunsDep) -> ScriptEnvironmentList:
    """The environments of a captured script, and what each is used for; empty for every other run."""
    return ScriptEnvironmentList(items=await runs.roles.list(run_id))


@router.put("/{run_id}/environments/{number}", operation_id="put_environment_role")
async def put_environment_role(
    run_id: RunId, number: EnvironmentNumber, body: RoleBody, runs: RunsDep
) -> ScriptEnvironmentList:
    """Changes what an environment is used for; curves, figures, steps and episodes are computed again."""
    return ScriptEnvironmentList(items=await runs.roles.choose(run_id, number, body.role))
