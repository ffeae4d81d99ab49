"""The reward bench: recorded episodes under rewards that are tried, as a stream, and one episode step by step."""

from __future__ import annotations

from typing import Any, get_args

from fastapi import APIRouter, Response

from rl_lab.api.deps import ClientDep, EpisodeNumber, HubDep, RunId, WorkbenchDep
from rl_lab.api.streams.json_lines import MEDIA_TYPE, JsonLines
from rl_lab.core.workbench.bench import BenchMessage, BenchRequest, EpisodeTimeline, RewardList

router = APIRouter(tags=["workbench"])

MESSAGES = get_args(get_args(BenchMessage)[0])
LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One message per line.",
        "content": {
            MEDIA_TYPE: {
                "schema": {"oneOf": [{"$ref": f"#/components/schemas/{one.__name__}"} for one in MESSAGES]}
            }
        },
    }
}


@router.post("/api/rewards/bench", operation_id="bench_rewards", response_class=Response, responses=LINES)
async def bench_rewards(
    asked: BenchRequest, workbench: WorkbenchDep, client: ClientDep, hub: HubDep
) -> Response:
    """Scores recorded episodes with one to four rewards and compares the returns with the environment's.

    The answer is a stream of lines, each a message with a `type`. Closing the connection ends everything.
    """
    bench = await client.waits_for(workbench.bench.prepare(asked))
    return JsonLines(hub, workbench.bench.run(bench))


@router.post("/api/runs/{run_id}/episodes/{episode}/reward-terms", operation_id="get_reward_terms")
async def get_reward_terms(
    *, run_id: RunId, episode: EpisodeNumber, asked: RewardList, workbench: WorkbenchDep, client: ClientDep
) -> EpisodeTimeline:
    """One recorded episode, step by step: the environment's rewards, and each given reward with its terms."""
    return await client.waits_for(workbench.bench.timeline(run_id, episode, asked))
