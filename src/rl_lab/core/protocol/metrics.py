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
            name="length",
            title="Episode length",
            description="Steps of one finished episode.",
            good="Depends on the task: longer is better where surviving is the goal.",
            unit="steps",
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
            name="fps",
            title="Steps per second",
            description="Environment steps per second of training.",
            good="Steady.",
            unit="steps per second",
        ),
    )
}
