"""The hand-written gradients of the offline learners are those of their losses, as autograd computes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from rl_lab.runners.offline import cql, cql_continuous, layers
from rl_lab.runners.offline.batches import StepBatch
from rl_lab.runners.offline.learner import make_learner
from rl_lab.runners.offline.networks import FusedAdam, Stack
from rl_lab.runners.offline.params import BcParams, CqlParams, IqlParams, Td3BcParams
from rl_lab.runners.offline.spaces import LearnedSpaces

ROWS = 16
DISCRETE = LearnedSpaces(5, 0, 0, 3, True, 0, [], [], ())
CONTINUOUS = LearnedSpaces(5, 0, 0, 2, False, 0, [-1, -1], [1, 1], (2,))
SMALL: dict[str, Any] = {"net_arch": [8, 8], "precision": "float32"}


def network(stack: Stack, flat: Tensor) -> Callable[[Tensor], Tensor]:
    weights, biases = stack._views(flat)

    def run(x: Tensor) -> Tensor:
        x = x.expand(stack.count, *x.shape)
        for number, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            x = torch.baddbmm(bias, F.relu(x) if number else x, weight)
        return x

    return run


def chosen(q_values: Tensor, actions: Tensor) -> Tensor:
    return q_values.gather(2, actions.view(1, -1, 1).expand(len(q_values), -1, 1))[..., 0]


def unlikelihood(mean: Tensor, log_std: Tensor, actions: Tensor) -> Tensor:
    return (0.5 * ((mean - actions) / log_std.exp()) ** 2 + log_std).sum(1)


def bc_loss(learner: Any, b: StepBatch, parts: Any) -> Tensor:
    output = network(learner.stacks["actor"], parts[0])(b.seen)[0]
    if learner.spaces.is_discrete:
        return F.cross_entropy(output, b.actions)
    mean = output.tanh()
    return F.mse_loss(mean, b.actions) + unlikelihood(mean.detach(), parts[1], b.actions).mean()


def iql_loss(learner: Any, b: StepBatch, parts: Any) -> Tensor:
    p, is_discrete, critics = learner.params, learner.spaces.is_discrete, learner.stacks["critic"]
    inputs = b.seen if is_discrete else torch.cat((b.seen, b.actions), 1)

    def of_actions(q: Tensor) -> Tensor:
        return chosen(q, b.actions) if is_discrete else q[..., 0]

    best = of_actions(network(critics, learner.targets["critics"])(inputs)).amin(0)
    value = network(learner.stacks["value"], parts[1])
    advantage = best - value(b.seen)[0, :, 0]
    fit = (torch.where(advantage < 0, 1 - p.expectile, p.expectile) * advantage**2).mean()
    goal = b.rewards + p.gamma * b.goes_on * value(b.following)[0, :, 0].detach()
    difference = ((of_actions(network(critics, parts[0])(inputs)) - goal) ** 2).mean()
    output = network(learner.stacks["actor"], parts[2])(b.seen)[0]
    weights = torch.exp(p.temperature * advantage.detach()).clamp(max=100)
    if is_discrete:
        loss = F.cross_entropy(output, b.actions, reduction="none")
    else:
        loss = unlikelihood(output.tanh(), parts[3], b.actions)
    return fit + difference + (weights * loss).mean()


def discrete_cql_loss(learner: Any, b: StepBatch, parts: Any) -> Tensor:
    p, critics = learner.params, learner.stacks["critic"]
    q_network = network(critics, parts[0])
    best = q_network(b.following).argmax(2, keepdim=True)
    after = network(critics, learner.targets["critics"])(b.following).gather(2, best).amin(0)[:, 0]
    goal = (b.rewards + p.gamma * b.goes_on * after).detach()
    q_values = q_network(b.seen)
    of_actions = chosen(q_values, b.actions)
    difference = sum(F.huber_loss(q, goal) for q in of_actions)
    return difference + p.alpha * (q_values.logsumexp(2) - of_actions).mean(1).sum()


def continuous_cql_loss(learner: Any, b: StepBatch, parts: Any) -> Tensor:
    p, size, critics = learner.params, learner.spaces.action_size, learner.stacks["critic"]
    draws = p.n_actions
    noise = b.noise[:, :-1].view(ROWS, -1, size).transpose(0, 1)
    first, second, rest = noise.split([1 + draws, 1 + draws, draws])
    actor, q_network = network(learner.stacks["actor"], parts[1]), network(critics, parts[0])

    def sample(output: Tensor, drawn: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_std = output.chunk(2, 1)
        before = mean + log_std.exp() * drawn
        inside = 2 * (math.log(2) - before - F.softplus(-2 * before))
        log_prob = -0.5 * drawn**2 - log_std - 0.5 * math.log(2 * math.pi) - inside
        return before.tanh(), log_prob.sum(2)

    def values(of: Callable[[Tensor], Tensor], actions: Tensor) -> Tensor:
        return torch.stack([of(torch.cat((b.seen, one), 1))[..., 0] for one in actions], 1)

    (here, here_log), (there, there_log) = (
        sample(actor(b.seen)[0], first),
        sample(actor(b.following)[0], second),
    )
    random = torch.erf(rest * math.sqrt(0.5))
    after = network(critics, learner.targets["critics"])(torch.cat((b.following, there[0]), 1))
    goal = (b.rewards + p.gamma * b.goes_on * after.amin(0)[:, 0]).detach()
    others = torch.cat((random, there[1:], here[1:])).detach()
    density = torch.cat(
        (torch.full((draws, ROWS), size * math.log(0.5)), there_log[1:], here_log[1:])
    ).detach()
    of_actions = values(q_network, b.actions.unsqueeze(0))[:, 0]
    penalty = ((values(q_network, others) - density).logsumexp(1) - of_actions).mean(1).sum()
    fixed = values(network(critics, parts[0].detach()), here[:1])[:, 0]
    policy = (parts[2].detach().exp() * here_log[0] - fixed.amin(0)).mean()
    bonus = -(parts[2] * (here_log[0] - size).detach()).mean()
    return ((of_actions - goal) ** 2).mean(1).sum() + p.alpha * penalty + policy + bonus


def td3_bc_loss(learner: Any, b: StepBatch, parts: Any) -> Tensor:
    p, critics, actor = learner.params, learner.stacks["critic"], learner.stacks["actor"]
    old_critics, old_actor = learner.targets["all"].split([critics.size, actor.size])
    noise = (b.noise * p.target_policy_noise).clamp(-p.target_noise_clip, p.target_noise_clip)
    following = (network(actor, old_actor)(b.following)[0].tanh() + noise).clamp(-1, 1)
    after = network(critics, old_critics)(torch.cat((b.following, following), 1)).amin(0)[:, 0]
    goal = b.rewards + p.gamma * b.goes_on * after
    q_values = network(critics, parts[0])(torch.cat((b.seen, b.actions), 1))[..., 0]
    action = network(actor, parts[1])(b.seen)[0].tanh()
    of_policy = network(critics, parts[0].detach())(torch.cat((b.seen, action), 1))[0]
    factor = p.alpha / of_policy.abs().mean().detach()
    return ((q_values - goal) ** 2).mean(1).sum() - factor * of_policy.mean() + F.mse_loss(action, b.actions)


CASES: dict[str, tuple[str, LearnedSpaces, Any, Callable[..., Tensor]]] = {
    "bc discrete": ("bc", DISCRETE, BcParams(**SMALL), bc_loss),
    "bc continuous": ("bc", CONTINUOUS, BcParams(**SMALL), bc_loss),
    "iql discrete": ("iql", DISCRETE, IqlParams(**SMALL), iql_loss),
    "iql continuous": ("iql", CONTINUOUS, IqlParams(**SMALL), iql_loss),
    "cql discrete": ("cql", DISCRETE, CqlParams(**SMALL), discrete_cql_loss),
    "cql continuous": ("cql", CONTINUOUS, CqlParams(**SMALL, gradient_actions=0), continuous_cql_loss),
    "td3_bc": ("td3_bc", CONTINUOUS, Td3BcParams(**SMALL, policy_delay=1), td3_bc_loss),
}


@pytest.mark.parametrize("is_onednn_quicker", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_the_loss(
    case: str, is_onednn_quicker: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    algorithm, spaces, params, loss_of = CASES[case]
    monkeypatch.setattr(layers, "is_onednn_quicker", lambda: is_onednn_quicker)
    monkeypatch.setattr(layers, "WIDE", SMALL["net_arch"][0])
    monkeypatch.setattr(cql_continuous, "CACHED", 700)  # a batch passes in several parts of unlike sizes
    monkeypatch.setattr(FusedAdam, "step", lambda _: None)
    monkeypatch.setattr(cql, "HUBER", 1.0)  # some of the batch's errors are larger
    learner = make_learner(algorithm, spaces, params, seed=1)
    batch = random_batch(spaces, learner.noise)
    flat = learner.parameters.flat.clone().requires_grad_(True)
    loss = loss_of(learner, batch, flat.split([len(values) for values, _ in learner.parameters.parts]))
    loss.backward()
    metrics = learner.backward(batch, wants_metrics=True)
    assert flat.grad is not None and flat.grad.abs().max() > 0.01
    assert torch.allclose(learner.parameters.gradient, flat.grad, rtol=1e-3, atol=2e-5)
    assert all(math.isfinite(float(value)) for value in metrics.values()) and "loss" in metrics


@pytest.mark.parametrize("case", CASES)
def test_networks_without_a_hidden_layer_learn(case: str) -> None:
    algorithm, spaces, params, _ = CASES[case]
    learner = make_learner(algorithm, spaces, params.model_copy(update={"net_arch": []}), seed=1)
    before = learner.parameters.flat.clone()
    metrics = learner.update(random_batch(spaces, learner.noise), wants_metrics=True)
    assert math.isfinite(float(metrics["loss"])) and not torch.equal(before, learner.parameters.flat)


def test_the_penalty_through_drawn_actions_has_the_same_gradient_on_average() -> None:
    """Over every place where drawing can begin; each single one differs."""
    found = []
    for count in (0, 4):
        learner = make_learner("cql", CONTINUOUS, CqlParams(**SMALL, gradient_actions=count), seed=1)
        batch = random_batch(CONTINUOUS, learner.noise)
        gradients = []
        for offset in torch.arange(0.005, 1, 0.01):
            batch.noise[:, -1] = torch.erfinv(2 * offset - 1) * math.sqrt(2)
            learner.backward(batch, wants_metrics=False)
            gradients.append(learner.parameters.gradient.clone())
        found.append(torch.stack(gradients))
    whole, drawn = found
    of_one = (drawn - whole).norm(dim=1).mean()
    assert of_one > 0.001 * whole[0].norm()
    assert (drawn.mean(0) - whole.mean(0)).norm() < 0.1 * of_one


def test_an_action_is_drawn_as_often_as_its_share() -> None:
    shares = torch.tensor([[[0.5], [0.0], [0.1], [0.4]]])
    counts = [
        torch.bincount(
            cql_continuous.draw_by_share(shares, 10, torch.tensor([offset])).flatten(), minlength=4
        )
        for offset in (0.01, 0.5, 0.99)
    ]
    assert [count.tolist() for count in counts] == [[5, 0, 1, 4]] * 3


def test_drawn_actions_give_the_same_gradient_in_parts_and_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 13 and 5 states: 13 actions each of the second part are as many rows as 5 drawn ones each of the first."""
    found = []
    for cached in (1 << 18, 13 * 13 * 8):
        monkeypatch.setattr(cql_continuous, "CACHED", cached)
        learner = make_learner("cql", CONTINUOUS, CqlParams(**SMALL), seed=1)
        batch = random_batch(CONTINUOUS, learner.noise, rows=18)
        for _ in range(3):
            learner.backward(batch, wants_metrics=False)
            found.append(learner.parameters.gradient.clone())
    assert all(torch.allclose(found[0], other, rtol=1e-4, atol=1e-6) for other in found[1:])


@pytest.mark.parametrize("size", [5, 130])
@pytest.mark.parametrize(
    ("algorithm", "params"),
    [("bc", BcParams), ("iql", IqlParams), ("td3_bc", Td3BcParams), ("cql", CqlParams)],
)
def test_rounded_products_of_wide_layers_give_almost_the_same_gradients(
    algorithm: str, params: Any, size: int
) -> None:
    """Of 130 numbers, the first layer is wide too."""
    found, spaces = [], replace(CONTINUOUS, observation_size=size)
    for precision in ("float32", "bfloat16"):
        wide = params(net_arch=[128, 128, 128], precision=precision)
        learner = make_learner(algorithm, spaces, wide, seed=1)
        for _ in range(2):
            learner.backward(random_batch(spaces, learner.noise), wants_metrics=False)
        found.append(learner.parameters.gradient.clone())
    assert 0 < (found[0] - found[1]).norm() < 0.1 * found[0].norm()


def random_batch(spaces: LearnedSpaces, noise: int, rows: int = ROWS) -> StepBatch:
    draw = torch.Generator().manual_seed(2)
    actions = (
        torch.randint(spaces.action_size, (rows,), generator=draw)
        if spaces.is_discrete
        else 1.8 * torch.rand(rows, spaces.action_size, generator=draw) - 0.9
    )
    return StepBatch(
        torch.randn(rows, spaces.observation_size, generator=draw),
        torch.randn(rows, spaces.observation_size, generator=draw),
        actions,
        torch.randn(rows, generator=draw),
        (torch.rand(rows, generator=draw) > 0.2).float(),
        torch.randn(rows, noise, generator=draw),
    )
