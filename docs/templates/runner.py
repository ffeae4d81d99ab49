"""A runner that the lab offers next to its own: copy this file, replace the learner by your library's.

Copy it:      cp docs/templates/runner.py src/rl_lab/runners/template.py
Register it:  a line of RUNNERS in src/rl_lab/runners/registry.py:
              "template": "rl_lab.runners.template:TemplateRunner",
Use it:       rl-lab train CartPole-v1 --runner template -a reinforce -n 100000
Check it:     a line of CASES in tests/contract/test_runner_contract.py, then `pytest -k template` of that file:
              Case("template", "reinforce", "CartPole-v1", 600),

The example is REINFORCE with a linear policy, for discrete actions. The server imports this file to read `spec`, so
heavy libraries (torch, jax, gymnasium) are imported inside functions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Params, Preset, RunnerSpec, param
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.runner import Decision, Policy
from rl_lab.worker.session import Session


class ReinforceParams(Params):
    """Each field is an option of the command line, a field of the form and a line of the reference."""

    learning_rate: float = param(0.5, "Size of one update.", gt=0, le=10, scale="log")
    gamma: float = param(0.99, "How much later rewards count.", ge=0, le=1)


class TemplateRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="template",  # the name in the registry
        name="Template",
        description="A learner to copy.",
        # Promise what `train` and `load_policy` below do; the page hides the rest.
        capabilities=Capabilities(
            pause=True,
            checkpoint=True,
            resume=True,
            evaluate=True,
            record=True,
            thoughts=True,
            early_stop=True,
            vectors_only=True,
        ),
        algorithms=(
            AlgorithmSpec(
                id="reinforce",
                name="REINFORCE",
                description="Policy gradient with a linear policy.",
                action_kinds=("discrete",),
                params=ReinforceParams,
                presets=(
                    Preset(id="short", title="Short", question="how_long", total_timesteps=20_000),
                    Preset(id="long", title="Long", question="how_long", total_timesteps=200_000),
                ),
            ),
        ),
        checkpoint_suffix=".json",
    )

    def train(self, session: Session) -> None:
        """Runs in a process of its own; what it raises becomes the reason why the run failed."""
        config = session.train_config
        env = session.make_envs(1)[0]()  # recorded: live feed, replay and film come from here
        learner = Learner(ReinforceParams.model_validate(config.params), session)
        if session.job.resume_path is not None:
            learner.load(session.job.resume_path)
        else:
            learner.begin(env)
        timestep = session.job.timestep0
        dice = np.random.default_rng([config.start_seed, timestep])
        while timestep < session.step_limit:
            episode = play(env, learner.policy, session, session.step_limit - timestep, dice)
            timestep += len(episode)
            session.metrics(learner.update(episode), timestep)
            # Saves, pauses and reports progress as asked; True when the run must stop.
            if session.boundary(timestep, learner.save) or session.solved():
                break
        session.finish(learner.save, timestep)
        env.close()

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        """For evaluations, duels and forks."""
        return LinearPolicy(np.array(read(checkpoint)["weights"]))


Step = tuple[Any, int, float]
"""An observation as features, the action taken there, the reward for it."""


def play(
    env: Any, policy: LinearPolicy, session: Session, most: int, dice: np.random.Generator
) -> list[Step]:
    """One episode, or less of it when the run ends."""
    steps: list[Step] = []
    observation, _ = env.reset()  # without a seed: the lab gives each episode its own
    is_over = False
    while not is_over and len(steps) < most and not session.should_stop():
        features = policy.features(observation)
        probabilities = policy.probabilities(features)
        action = int(dice.choice(len(probabilities), p=probabilities))
        session.recorder.thought(0, None, float(probabilities[action]))
        observation, reward, terminated, truncated, _ = env.step(action)
        steps.append((features, action, float(reward)))
        is_over = terminated or truncated
    return steps


class Learner:
    """The policy and how it learns: the part to replace."""

    def __init__(self, params: ReinforceParams, session: Session) -> None:
        self.params = params
        self.best = session.best = BestScore()  # makes the session keep the best checkpoint
        self.recorder = session.recorder

    def begin(self, env: Any) -> None:
        from gymnasium.spaces import flatdim

        self.policy = LinearPolicy(np.zeros((int(env.action_space.n), flatdim(env.observation_space) + 1)))

    def update(self, episode: list[Step]) -> dict[str, float]:
        """One gradient step; returns metrics under the lab's names (docs/reference/metrics.md)."""
        returns = discounted([reward for _, _, reward in episode], self.params.gamma)
        advantages = (returns - returns.mean()) / (returns.std() + 1e-8)
        gradient, loss = np.zeros_like(self.policy.weights), 0.0
        for (features, action, _), advantage in zip(episode, advantages, strict=True):
            probabilities = self.policy.probabilities(features)
            loss -= advantage * float(np.log(probabilities[action]))
            gradient += advantage * np.outer(np.eye(len(probabilities))[action] - probabilities, features)
        self.policy.weights += self.params.learning_rate * gradient / max(1, len(episode))
        metrics = {"loss": loss / max(1, len(episode)), "learning_rate": self.params.learning_rate}
        mean = self.recorder.mean_reward
        return metrics if mean is None else {**metrics, "mean_reward": mean}

    def save(self, path: Path) -> None:
        """Writes everything that `load` needs to continue, to exactly this path."""
        state = {"weights": self.policy.weights.tolist(), "best": self.best.state()}
        path.write_text(json.dumps(state), "utf-8")

    def load(self, path: Path) -> None:
        state = read(path)
        self.policy = LinearPolicy(np.array(state["weights"]))
        self.best.improve(**state["best"])


class LinearPolicy:
    """A row of weights per action; the last weight of a row is its bias."""

    def __init__(self, weights: Any) -> None:
        self.weights = weights

    def features(self, observation: Any) -> Any:
        size = self.weights.shape[1] - 1
        numbers = np.eye(size)[observation] if np.ndim(observation) == 0 else np.ravel(observation)
        return np.append(numbers, 1.0)

    def probabilities(self, features: Any) -> Any:
        scores = self.weights @ features
        chances = np.exp(scores - scores.max())
        return chances / chances.sum()

    def act(self, observation: Any, deterministic: bool) -> Decision:
        chances = self.probabilities(self.features(observation))
        action = np.argmax(chances) if deterministic else np.random.choice(len(chances), p=chances)
        return Decision(int(action), probabilities=chances.tolist())


def discounted(rewards: list[float], gamma: float) -> Any:
    """The return from each step on."""
    returns, later = np.zeros(len(rewards)), 0.0
    for index in reversed(range(len(rewards))):
        returns[index] = later = rewards[index] + gamma * later
    return returns


def read(checkpoint: Path) -> Any:
    return json.loads(checkpoint.read_text("utf-8"))
