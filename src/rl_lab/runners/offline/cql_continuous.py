"""Conservative Q-Learning for continuous actions: SAC whose values of actions outside the dataset are pushed down.

The penalty is estimated with random actions and with the policy's own, in this state and in the next one, each
divided by its probability density. Its gradient is the mean of these actions' gradients, each with its share in the
penalty; it passes back through a few of them, drawn by their shares, which gives the same gradient on average for a
third of the work. Critics, policy and entropy bonus use the values of before the update.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor

from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learning import LOG_STD, Metrics, OfflineLearner, make_actor, make_critics
from rl_lab.runners.offline.networks import FusedAdam, Parameters
from rl_lab.runners.offline.spaces import LearnedSpaces

CACHED = 1 << 18
"""Numbers of a layer that stay in the processor's cache: a batch has thousands of rows, so it passes in parts."""
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


class Drawn(NamedTuple):
    """Actions of a policy, one row per state; the first axis counts the draws."""

    actions: Tensor
    log_prob: Tensor
    noise: Tensor
    std: Tensor
    is_bounded: Tensor
    """Where the log of the standard deviation is not at a bound."""


class _Pushed(NamedTuple):
    """Some states of a batch, with what the penalty of their actions depends on."""

    inputs: Tensor
    """(1 + draws, states, numbers): the dataset's action first."""
    density: Tensor
    """(draws, states): the log-probability density of each other action."""
    goal: Tensor
    offset: Tensor
    """(states): between 0 and 1, where the drawing of actions begins."""


class ContinuousCql(OfflineLearner):
    def __init__(self, spaces: LearnedSpaces, params: Any, generator: torch.Generator) -> None:
        super().__init__(spaces, params)
        size, draws = spaces.action_size, params.n_actions
        self.noise = size * (2 * (1 + draws) + draws) + 1
        self._critics = make_critics(spaces, params, params.n_critics)
        self._actor = make_actor(spaces, params, per_action=2)
        self.stacks = {"critic": self._critics, "actor": self._actor}
        self.parameters = Parameters([self._critics, self._actor], [1])
        for stack in self.stacks.values():
            stack.initialise(generator)
        self._log_bonus, self._log_bonus_gradient = self.parameters.free[0]
        self._critic_part, self._critic_gradient = self.parameters.parts[0]
        self._target = self._critic_part.clone()
        self._target_critics = make_critics(spaces, params, params.n_critics).bind(self._target)
        self._adam = FusedAdam(self.parameters.flat, self.parameters.gradient, params.learning_rate)
        self._random_log_prob = size * math.log(0.5)

    def backward(self, batch: StepBatch, wants_metrics: bool) -> Metrics:
        here, there, random = self._draw(batch)
        metrics = self._learn_values(batch, here, there, random)
        loss = self._improve(batch, here)
        if not wants_metrics:
            return {}
        named = metrics()
        return {**named, "loss": named["loss"] + loss, "policy_loss": loss, "entropy": -here.log_prob.mean()}

    def apply(self) -> None:
        self._adam.step()
        self._target.lerp_(self._critic_part, self.params.tau)

    def _draw(self, batch: StepBatch) -> tuple[Drawn, Drawn, Tensor]:
        """1 + n actions of the policy in each state and in the next, and n random ones."""
        draws, rows = self.params.n_actions, len(batch.rewards)
        noise = batch.noise[:, :-1].view(rows, -1, self.spaces.action_size).transpose(0, 1)
        first, second, rest = noise.split([1 + draws, 1 + draws, draws])
        there = _sample(self._actor.values(batch.following)[0], second)
        here = _sample(self._actor.forward(batch.seen)[0], first)
        return here, there, _uniform(rest)

    def _learn_values(self, batch: StepBatch, here: Drawn, there: Drawn, random: Tensor) -> Any:
        """Sets the critics' gradient; returns a function that gives the metrics."""
        p, rows = self.params, len(batch.rewards)
        after = self._target_critics.values(torch.cat((batch.following, there.actions[0]), 1))
        goal = torch.addcmul(batch.rewards, after.amin(0)[:, 0], batch.goes_on, value=p.gamma)
        actions = torch.cat((batch.actions.unsqueeze(0), random, there.actions[1:], here.actions[1:]))
        seen = batch.seen.expand(len(actions), *batch.seen.shape)
        density = torch.cat(
            (torch.full_like(random[:, :, 0], self._random_log_prob), there.log_prob[1:], here.log_prob[1:])
        )
        inputs, parts = (
            torch.cat((seen, actions), 2),
            max(1, CACHED // (len(actions) * max(p.net_arch, default=1))),
        )
        offset = (1 + _uniform(batch.noise[:, -1])) / 2
        gradient = torch.zeros_like(self._critic_gradient)
        q_values = []
        for some in zip(
            inputs.split(parts, 1),
            density.split(parts, 1),
            goal.split(parts),
            offset.split(parts),
            strict=True,
        ):
            q_values.append(self._push_down(_Pushed(*some), rows))
            gradient += self._critic_gradient
        self._critic_gradient.copy_(gradient)
        return lambda: self._metrics(torch.cat(q_values, 2), density, goal)

    def _push_down(self, pushed: _Pushed, rows: int) -> Tensor:
        """Sets the critics' gradient of some states of a batch; returns their values (critics, draws, states)."""
        alpha, states = self.params.alpha, len(pushed.goal)
        outputs = self._critics.forward(pushed.inputs.flatten(0, 1), "penalty")
        q_values = outputs.view(self._critics.count, len(pushed.inputs), states)
        upward = (q_values[:, :1] - pushed.goal) * (2 / rows) - alpha / rows
        shares = torch.softmax(q_values[:, 1:] - pushed.density, 1)
        draws, use = self.params.gradient_actions, "penalty"
        if 0 < draws < shares.shape[1]:
            drawn = draw_by_share(shares, draws, pushed.offset)
            own = torch.zeros_like(drawn[:, :1])
            numbers = torch.cat((own, drawn + 1), 1) * states + torch.arange(states)
            use = "drawn"
            self._critics.keep_rows(numbers.flatten(1), outputs.shape[1], "penalty", use)
            downward = torch.full_like(drawn, alpha / (rows * draws), dtype=torch.float32)
        else:
            downward = shares * (alpha / rows)
        gradient = torch.cat((upward, downward), 1)
        self._critics.backward(gradient.view(len(gradient), -1, 1), use)
        return q_values.clone()

    def _metrics(self, q_values: Tensor, density: Tensor, goal: Tensor) -> Metrics:
        difference = (q_values[:, 0] - goal).square().mean(1).sum()
        penalty = ((q_values[:, 1:] - density).logsumexp(1) - q_values[:, 0]).mean(1).sum()
        return {
            "loss": difference + self.params.alpha * penalty,
            "value_loss": difference,
            "conservative_loss": penalty,
            "q_mean": q_values[0, 0].mean(),
            "q_max": q_values[0, 0].max(),
        }

    def _improve(self, batch: StepBatch, here: Drawn) -> Tensor:
        """Sets the gradients of policy and entropy bonus; returns the policy's loss."""
        rows, size = len(batch.rewards), self.spaces.observation_size
        bonus = self._log_bonus.exp()
        action, log_prob, noise, std = (part[0] for part in here[:4])
        q_values = self._critics.forward(torch.cat((batch.seen, action), 1), "policy")
        least, which = q_values.min(0, keepdim=True)
        upward = torch.zeros_like(q_values).scatter_(0, which, -1 / rows)
        by_action = self._critics.input_gradient(upward, "policy")[:, :, size:].sum(0)
        # Through tanh; the log-probability grows by 2 tanh there, and falls with the log of the standard deviation.
        before = by_action * (1 - action.square()) + action * (2 * bonus / rows)
        spread = (before * noise * std - bonus / rows) * here.is_bounded
        self._actor.backward(torch.cat((before, spread), 1).unsqueeze(0))
        torch.neg((log_prob - self.spaces.action_size).mean(0, keepdim=True), out=self._log_bonus_gradient)
        return (bonus * log_prob - least[0, :, 0]).mean()

    @property
    def optimisers(self) -> dict[str, FusedAdam]:
        return {"all": self._adam}

    @property
    def targets(self) -> Mapping[str, Tensor]:
        return {"critics": self._target}


def draw_by_share(shares: Tensor, count: int, offset: Tensor) -> Tensor:
    """(critics, count, states): indices of actions, each as often as `count` times its share, rounded up or down.

    `shares` (critics, actions, states) add up to 1; evenly spaced points are put on their running sum.
    """
    points = (torch.arange(count).view(count, 1) + offset) / count
    ends = shares.cumsum(1).transpose(1, 2).contiguous()
    found = torch.searchsorted(ends, points.T.expand(len(ends), -1, -1).contiguous(), right=True)
    return found.clamp_(max=shares.shape[1] - 1).transpose(1, 2)  # a sum may be rounded to less than 1


def _uniform(normal: Tensor) -> Tensor:
    """Between −1 and 1."""
    return torch.erf(normal * math.sqrt(0.5))


def _sample(output: Tensor, noise: Tensor) -> Drawn:
    """Actions tanh(mean + std · noise) of a policy's output, with their log-probability density."""
    mean, log_std = output.chunk(2, 1)
    bounded = log_std.clamp(*LOG_STD)
    std = bounded.exp()
    actions = torch.addcmul(mean, std, noise).tanh_()
    inside = torch.log(1 - actions.square() + 1e-6)
    log_prob = -(0.5 * noise.square() + bounded + HALF_LOG_2PI + inside).sum(2)
    return Drawn(actions, log_prob, noise, std.expand_as(actions), bounded == log_std)
