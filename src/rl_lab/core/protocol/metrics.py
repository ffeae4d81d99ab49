"""The metric names every runner uses, whatever its library calls them, and what good values look like."""

from __future__ import annotations

from pydantic import BaseModel


class MetricInfo(BaseModel, frozen=True):
    name: str
    title: str
    description: str
    good: str
    """What a healthy run shows."""
    unit: str = ""
    """What one of it is, for an axis; empty for plain numbers."""


class MetricOrigin(BaseModel, frozen=True):
    """Where the values of a metric come from; for metrics that the lab did not measure itself."""

    file: str = ""
    """Path of the file it was read from; within the source folder of an adopted run, or absolute."""
    tag: str = ""
    """Its name there."""
    source: str = ""
    """Of a captured script: what it was logged with and its name there, or how the lab measured it."""


def describe_origin(origin: MetricOrigin) -> str | None:
    """ "TensorBoard tag losses/value_loss", "`loss` in progress.csv"; None when nothing is known."""
    if origin.source or not origin.tag:
        return origin.source or origin.file or None
    return f"`{origin.tag}` in {origin.file}" if origin.file else f"`{origin.tag}`"


EVALUATION_PREFIX = "evaluation/"
EVALUATION_RETURN = tuple(f"{EVALUATION_PREFIX}return_{part}" for part in ("mean", "low", "high"))
"""The series of the evaluations alongside a training: the mean, and the ends of its interval. They are measured by a
process of their own, so they are no part of what the training computes."""
OWN_EVALUATION = f"{EVALUATION_PREFIX}own_return_mean"
"""The same under the user's own reward, where the training learns from one."""
NORMALISED_SCORE = "normalised_score"
"""Reported with each of them where a reference is known, as of a training from a dataset."""

OWN_RETURN = "own_return"
"""The return under the user's own reward; `own_return/<term>` for each term of it."""

SCORE_REFERENCE = "score_reference"
"""Code of the log line that names that reference."""

METRICS: dict[str, MetricInfo] = {
    m.name: m
    for m in (
        MetricInfo(
            name="reward",
            title="Episode reward",
            description="Sum of the rewards of one finished episode.",
            good="Rises, then stays high.",
            unit="per episode",
        ),
        MetricInfo(
            name="mean_reward",
            title="Mean reward",
            description="Mean episode reward of the last 100 episodes.",
            good="Rises until it reaches the environment's threshold.",
        ),
        MetricInfo(
            name=OWN_RETURN,
            title="Return under your reward",
            description="Sum of your own reward over one finished episode; the policy learns from it.",
            good="Rises together with the episode reward; if that falls meanwhile, the policy exploits your reward.",
            unit="per episode",
        ),
        MetricInfo(
            name="length",
            title="Episode length",
            description="Steps of one finished episode.",
            good="Depends on the task: longer is better where surviving is the goal.",
            unit="steps",
        ),
        MetricInfo(
            name=EVALUATION_RETURN[0],
            title="Evaluation return",
            description="Mean return of a checkpoint on fixed seeds, played alongside the training (--evaluate-every).",
            good="Rises; the checkpoint with the highest one is the best.",
            unit="per episode",
        ),
        MetricInfo(
            name=NORMALISED_SCORE,
            title="Normalised score",
            description="Mean return of a checkpoint on fixed seeds, between the two returns that count as 0 and 100 "
            "for its dataset: those that came with it, or else its worst and best episode.",
            good="Rises; above 100 it is better than the reference.",
        ),
        MetricInfo(
            name="loss",
            title="Loss",
            description="The total loss of the last update.",
            good="No trend is needed; NaN or a run-away is a fault.",
        ),
        MetricInfo(
            name="policy_loss",
            title="Policy loss",
            description="The actor's part of the loss.",
            good="Small and noisy around zero.",
        ),
        MetricInfo(
            name="value_loss",
            title="Value loss",
            description="The critic's part of the loss.",
            good="Falls once the reward has settled.",
        ),
        MetricInfo(
            name="entropy",
            title="Entropy",
            description="How undecided the policy is, in nats.",
            good="Falls slowly; a fall to zero early on means exploration is over.",
            unit="nats",
        ),
        MetricInfo(
            name="kl",
            title="KL divergence",
            description="How far one update moved the policy (approximate).",
            good="0.003 to 0.03; spikes mean the step is too large.",
        ),
        MetricInfo(
            name="clip_fraction",
            title="Clip fraction",
            description="Share of samples cut by the clipped objective.",
            good="0.05 to 0.3.",
        ),
        MetricInfo(
            name="explained_variance",
            title="Explained variance",
            description="Share of the returns' variance the critic predicts; 1 is perfect.",
            good="Climbs towards 1; at or below 0 the critic has learned nothing.",
        ),
        MetricInfo(
            name="learning_rate",
            title="Learning rate",
            description="Step size of the optimiser.",
            good="As configured; falls to zero with a linear schedule.",
        ),
        MetricInfo(
            name="exploration_rate",
            title="Exploration rate",
            description="Share of random actions (epsilon).",
            good="Falls to its final value and stays.",
        ),
        MetricInfo(
            name="gradient_norm",
            title="Gradient norm",
            description="Length of the gradient before clipping.",
            good="Steady; growth without end means divergence.",
        ),
        MetricInfo(
            name="parameter_change",
            title="Parameter change",
            description="How far one update moved the weights: length of the difference (L2).",
            good="Falls slowly; zero means nothing is learned, a jump that the step was too large.",
        ),
        MetricInfo(
            name="relative_parameter_change",
            title="Relative parameter change",
            description="The parameter change divided by the length of all weights.",
            good="About 0.001 to 0.05 per update.",
        ),
        MetricInfo(
            name="advantage_mean",
            title="Advantage mean",
            description="Mean advantage of the last rollout, before it is normalised.",
            good="Near zero; far from it, the critic is biased.",
        ),
        MetricInfo(
            name="advantage_std",
            title="Advantage spread",
            description="Standard deviation of the advantages of the last rollout, before they are normalised.",
            good="Falls as the critic learns; depends on the scale of the rewards.",
        ),
        MetricInfo(
            name="q_mean",
            title="Mean Q-value",
            description="Mean of the best action's Q-value in the sampled batch; SAC and TD3: of the first critic.",
            good="Rises towards the discounted return; growth far beyond it is overestimation.",
        ),
        MetricInfo(
            name="q_max",
            title="Greatest Q-value",
            description="The greatest Q-value in the sampled batch.",
            good="Stays below the greatest discounted return that is possible.",
        ),
        MetricInfo(
            name="conservative_loss",
            title="Conservative loss",
            description="CQL: how much higher the values of other actions are than those of the dataset's.",
            good="Falls below zero; far above it, the policy chooses actions that the dataset does not contain.",
        ),
        MetricInfo(
            name="fps",
            title="Steps per second",
            description="Environment steps per second of training.",
            good="Steady.",
            unit="steps per second",
        ),
    )
}
