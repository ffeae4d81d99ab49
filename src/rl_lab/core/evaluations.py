"""An Evaluation is the summary of episodes played by one checkpoint; a Duel compares several on the same seeds."""

from __future__ import annotations

from pydantic import BaseModel


class EvaluationSummary(BaseModel):
    episodes: int
    return_mean: float
    return_std: float
    return_min: float
    return_max: float
    return_median: float
    return_ci: tuple[float, float]
    """95 % bootstrap interval of the mean."""
    length_mean: float
    terminated: int
    truncated: int
    success_threshold: float | None = None
    successes: int | None = None
    """Episodes at or above the environment's threshold, where it has one."""
    deterministic: bool = True
    seeds: list[int]
    returns: list[float]
    lengths: list[int]
    checkpoint: str = ""
    checkpoint_timestep: int | None = None
    video: str | None = None
    """Path of the MP4 beneath the run folder."""
    video_problem: str | None = None
    """Why there is no video although one was wanted, with the remedy."""


class DuelSide(BaseModel):
    run_id: str
    label: str
    summary: EvaluationSummary
    wins: int
    """Seeds on which this side had the (strictly) highest return."""


class PairedDifference(BaseModel):
    """First side minus another, seed by seed."""

    first: str
    second: str
    mean: float
    ci: tuple[float, float]
    wins_first: int
    wins_second: int
    ties: int


class DuelSummary(BaseModel):
    env_id: str
    seeds: list[int]
    sides: list[DuelSide]
    differences: list[PairedDifference]
    video: str | None = None
