"""The environment of an offline training, where there is one: its spaces are compared, and checkpoints play in it."""

from __future__ import annotations

from rl_lab.analysis.wording import number
from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.core.protocol.metrics import NORMALISED_SCORE, SCORE_REFERENCE
from rl_lab.runners.offline.spaces import LearnedSpaces, read_spaces, require_same
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.failures import explain
from rl_lab.worker.session import Session

ABSENT = "environment_absent"
"""Type of the line in the event log."""
MOST_WAITING = 50
"""Checkpoints that wait for their evaluation."""


def find_environment(session: Session, spaces: LearnedSpaces) -> bool:
    """Whether checkpoints can play in the run's environment; InvalidInput when it is not that of the dataset.

    Without one the training goes on, and says that nothing is evaluated.
    """
    config = session.train_config
    try:
        if not config.env_id:
            raise LookupError("the run names none.")
        env = make_environment(config.env_id, config.env_kwargs)
    except Exception as error:  # whatever a package of environments raises
        why = str(error) if isinstance(error, LookupError) and not config.env_id else explain(error).message
        session.evaluations = None
        message = (
            f"There is no environment, so no checkpoint is evaluated: {why} The training goes on without."
        )
        session.telemetry.log("warning", message, code=ABSENT)
        return False
    try:
        own = read_spaces(env.observation_space, env.action_space, config.algorithm.lower())
    finally:
        env.close()
    require_same(spaces, own, config.env_id)
    return True


def score_evaluations(session: Session, reference: ScoreReference) -> None:
    """Evaluations also report their mean return between the two returns of the reference, as 0 to 100."""
    if session.evaluations is None:
        return
    session.evaluations.most_waiting = MOST_WAITING
    low, high = reference.low, reference.high
    if high <= low:
        message = f"No normalised score: both returns of its reference ({reference.named}) are {number(low)}."
        session.telemetry.log("info", message, code=SCORE_REFERENCE)
        return
    session.evaluations.more = lambda mean: {NORMALISED_SCORE: 100 * (mean - low) / (high - low)}
    message = (
        f"Normalised score: 0 is a return of {number(low)}, 100 one of {number(high)} ({reference.named})."
    )
    session.telemetry.log("info", message, code=SCORE_REFERENCE)
