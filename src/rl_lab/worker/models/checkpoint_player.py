"""Plays checkpoints alongside a training, as a process: a request is a line on stdin, its summary one on stdout.

Lines, not whole files: a process that the learner forks may hold copies of these pipes, so their ends are not seen.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from rl_lab.guardian.processes import die_with_parent
from rl_lab.worker.stdio import claim_stdio

LOWEST_PRIORITY = 19


def main(argv: list[str]) -> int:
    answer_fd, request_fd = claim_stdio()
    os.nice(LOWEST_PRIORITY)
    die_with_parent(int(argv[1]))
    with os.fdopen(request_fd, "rb") as requests, os.fdopen(answer_fd, "w", encoding="utf-8") as answers:
        while line := requests.readline():
            answers.write(json.dumps(answer(json.loads(line))) + "\n")
            answers.flush()
    return 0


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The summary, or why there is none."""
    try:
        return play(request)
    except Exception as error:  # the edge of the process
        from rl_lab.worker.failures import explain

        traceback.print_exc()
        return {"error": explain(error).message}


def play(request: dict[str, Any]) -> dict[str, Any]:
    """One episode per seed, with the best action in each state."""
    from rl_lab.core.evaluations import write_result
    from rl_lab.core.job_file import PolicyInput
    from rl_lab.worker.environments.make import make_environment
    from rl_lab.worker.jobs.episodes import play_episode, summarise, wrapped
    from rl_lab.worker.jobs.own_evaluation import OwnEvaluation
    from rl_lab.worker.own_reward import OwnReward
    from rl_lab.worker.policies import load_policy, seed_sampling

    given = PolicyInput.model_validate(request["policy"])
    policy = load_policy(given)
    seed_sampling(given.config.start_seed)
    reward = OwnReward(request["reward"]) if request.get("reward") else None
    own = OwnEvaluation(reward)
    env = wrapped(policy, own.watch(make_environment(given.config.env_id, given.config.env_kwargs)))
    played = []
    try:
        for seed in request["seeds"]:
            played.append(play_episode(env, policy, seed))
            own.count()
    finally:
        env.close()
        if reward is not None:
            reward.close()
    return write_result(summarise(played, deterministic=True, env=None).model_copy(update=own.summary()))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
