"""Precision and recall of every detector over simulated runs."""

from dataclasses import dataclass

from unit.analysis.synthetic import MadeRun
from unit.analysis.truth import SCORED, truth_of

from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.insights.seeds import compare_seeds


@dataclass
class Score:
    """How often a detector was right and wrong."""

    true_positives: int = 0
    false_negatives: int = 0
    false_positives: int = 0
    true_negatives: int = 0
    unscored: int = 0

    @property
    def precision(self) -> float:
        return (
            self.true_positives / (self.true_positives + self.false_positives)
            if self.true_positives + self.false_positives
            else 1.0
        )

    @property
    def recall(self) -> float:
        return (
            self.true_positives / (self.true_positives + self.false_negatives)
            if self.true_positives + self.false_negatives
            else 1.0
        )


def score(runs: list[MadeRun]) -> dict[str, Score]:
    """One score per detector."""
    scores = {name: Score() for name in SCORED}
    for run in runs:
        reported = {insight.id for insight in find_insights(run.curves)}
        for name, verdict in truth_of(run).items():
            _count(scores[name], verdict, name in reported)
    return scores


def _count(tally: Score, verdict: bool | None, reported: bool) -> None:
    if verdict is None:
        tally.unscored += 1
    elif verdict:
        tally.true_positives += reported
        tally.false_negatives += not reported
    else:
        tally.false_positives += reported
        tally.true_negatives += not reported


def score_seeds(groups: list[tuple[bool, list[MadeRun]]]) -> dict[str, Score]:
    """One score per insight about several seeds."""
    scores = {"seeds_disagree": Score(), "seeds_agree": Score()}
    for differ, runs in groups:
        insight = compare_seeds([run.curves for run in runs])
        reported = insight.id if insight else ""
        _count(scores["seeds_disagree"], differ, reported == "seeds_disagree")
        _count(scores["seeds_agree"], not differ, reported == "seeds_agree")
    return scores
