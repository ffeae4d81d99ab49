"""What each hyper-parameter does to training: its label, what too high and too low look like, the usual range.

One table for all runners, by the name of the parameter. A parameter whose name means something else in one algorithm
names its entry with `param(…, help_key=…)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class ParamHelp(NamedTuple):
    label: str
    too_high: str = ""
    too_low: str = ""
    usual: str = ""
    when: str = ""
    """For switches and choices, which have no high and low: when to use which."""


PARAM_HELP: Mapping[str, ParamHelp] = {
    "learning_rate": ParamHelp(
        "Learning rate",
        "the reward jumps up and down or collapses, and KL and loss spike",
        "the reward hardly moves, however long it trains",
        "0.0001 to 0.003; change it by factors of three",
    ),
    "schedule": ParamHelp(
        "Learning rate schedule",
        when="linear for a calm end of a run whose length is fixed; constant if you may train it further.",
    ),
    "anneal_to": ParamHelp(
        "Final share of the learning rate",
        "updates stay large to the end, and the reward still wobbles when it should settle",
        "learning stops before the end of the run",
        "0 to 0.3 for a calm end, 1 to keep the rate",
    ),
    "gamma": ParamHelp(
        "Discount factor",
        "values grow large and noisy, and learning is slow",
        "the agent is short-sighted: it takes small rewards now and misses later ones",
        "0.98 to 0.999; 0.99 looks about 100 steps ahead",
    ),
    "n_envs": ParamHelp(
        "Parallel environments",
        "few updates for the same number of steps, so the curve rises late",
        "updates see similar situations, and the curve is noisy",
        "8 to 64",
    ),
    "normalize_observations": ParamHelp(
        "Normalise observations",
        when="on if observations have very different sizes (positions, angles); off for images and small tables.",
    ),
    "normalize_reward": ParamHelp(
        "Normalise rewards",
        when="on if rewards are far from 1, such as −100 or 1,000; off if they already are about −1 to 1.",
    ),
    "net_arch": ParamHelp(
        "Hidden layers",
        "slow steps, and learning needs more data",
        "the reward stops early at a mediocre level",
        "64, 64 for simple tasks, 256, 256 for robots",
    ),
    "hidden": ParamHelp(
        "Units per hidden layer",
        "slow steps, and learning needs more data",
        "the reward stops early at a mediocre level",
        "32 to 256",
    ),
    "activation": ParamHelp(
        "Activation function",
        when="tanh is smooth and usual for PPO and A2C; relu is faster and usual with replay buffers.",
    ),
    "n_steps": ParamHelp(
        "Steps per rollout",
        "updates are rare: the curve moves in a few late jumps",
        "each update sees too little: the curve is noisy and may collapse",
        "16 to 256 with many environments, 1,024 to 2,048 with one",
    ),
    "n_step_return": ParamHelp(
        "Length of n-step returns",
        "noisy values, because old actions count as if they were new",
        "rewards travel back slowly, and learning starts late",
        "1 to 5",
    ),
    "batch_size": ParamHelp(
        "Batch size",
        "few and cautious gradient steps: slow progress",
        "noisy gradient steps: the curve shakes",
        "64 to 512",
    ),
    "n_epochs": ParamHelp(
        "Passes per rollout",
        "KL and clip fraction rise, and the policy overfits its last experience",
        "experience is wasted, and progress is slow",
        "3 to 20",
    ),
    "gae_lambda": ParamHelp(
        "Advantage smoothing (GAE λ)",
        "noisy advantages: the curve shakes",
        "trusts an untrained critic: slow or wrong progress",
        "0.9 to 0.98",
    ),
    "clip_range": ParamHelp(
        "Clip range",
        "single updates change the policy abruptly, and the reward may collapse",
        "the policy hardly moves per update",
        "0.1 to 0.3",
    ),
    "clip_range_vf": ParamHelp(
        "Clip range of the critic",
        "no effect",
        "the critic learns too slowly, and explained variance stays low",
        "empty (off), unless rewards are scaled to about 1",
    ),
    "ent_coef": ParamHelp(
        "Entropy bonus",
        "the policy stays random: entropy does not fall, and the reward stays low",
        "the policy commits too early: entropy drops to 0 while the reward is still low",
        "0 to 0.02",
    ),
    "sac_ent_coef": ParamHelp(
        "Entropy coefficient",
        "actions stay random, and the reward stays low",
        "the policy commits early and stops finding better actions",
        "auto; as a number 0.01 to 0.2",
    ),
    "target_entropy": ParamHelp(
        "Target entropy",
        "actions stay random",
        "exploration ends early",
        "auto: minus the number of action dimensions",
    ),
    "log_std_init": ParamHelp(
        "Initial action noise (log)",
        "actions are almost random at the start: falls and crashes",
        "the agent hardly tries anything new",
        "−2 to 0",
    ),
    "use_sde": ParamHelp(
        "State-dependent exploration (gSDE)",
        when="on for robots, where noise that changes at every step only shakes the joints.",
    ),
    "sde_sample_freq": ParamHelp(
        "Steps between gSDE noise samples",
        "the same noise for long: exploration in few directions",
        "noise at every step, as without gSDE",
        "−1 (once per rollout) or 4 to 64",
    ),
    "squash_output": ParamHelp(
        "Squash actions",
        when="on to start with a policy that was learned from a dataset, or if actions often leave their bounds.",
    ),
    "use_sde_at_warmup": ParamHelp(
        "gSDE before learning starts",
        when="on if random actions at the start are too jerky to reach anything.",
    ),
    "vf_coef": ParamHelp(
        "Weight of the critic's loss",
        "the critic takes over, and the policy learns slowly",
        "explained variance stays near 0, and the policy learns from noise",
        "0.25 to 1",
    ),
    "max_grad_norm": ParamHelp(
        "Largest gradient",
        "rare huge updates get through: the reward may collapse suddenly",
        "every update is cut short: slow progress",
        "0.5 for PPO and A2C, 10 for DQN",
    ),
    "target_kl": ParamHelp(
        "KL limit of an update",
        "no effect",
        "updates stop after one pass, and progress is slow",
        "0.01 to 0.05, or off",
    ),
    "normalize_advantage": ParamHelp(
        "Normalise advantages",
        when="on, unless batches are tiny: then the scaling is noise.",
    ),
    "ortho_init": ParamHelp("Orthogonal initial weights", when="on, unless gSDE is used."),
    "buffer_size": ParamHelp(
        "Replay buffer size",
        "much memory, and old experience dilutes the new",
        "rare events are forgotten: the reward rises and falls again",
        "50,000 to 1,000,000",
    ),
    "learning_starts": ParamHelp(
        "Steps before learning starts",
        "a long flat start",
        "the first updates overfit a handful of episodes",
        "1,000 to 10,000",
    ),
    "train_freq": ParamHelp(
        "Steps between training rounds",
        "few updates: progress is slow",
        "much computing per step, and the network overfits what it has",
        "1 to 16",
    ),
    "gradient_steps": ParamHelp(
        "Gradient steps per round",
        "values overestimate and the reward collapses",
        "experience is wasted: progress is slow",
        "about as many as steps between rounds",
    ),
    "tau": ParamHelp(
        "Target network update rate",
        "values chase themselves: losses grow",
        "learning lags behind",
        "0.005 to 0.02",
    ),
    "dqn_tau": ParamHelp(
        "Share copied to the target network",
        "nothing bad: 1 is a full copy, the classic choice",
        "learning lags behind",
        "1, with a target update interval",
    ),
    "target_update_interval": ParamHelp(
        "Steps between target updates",
        "learning lags behind",
        "values chase themselves: losses grow and the reward collapses",
        "250 to 10,000 for DQN, 1 for SAC",
    ),
    "exploration_fraction": ParamHelp(
        "Share of the run with falling exploration",
        "random actions for most of the run hide what was learnt",
        "exploration ends before the goal was ever seen",
        "0.1 to 0.5",
    ),
    "exploration_steps": ParamHelp(
        "Steps of falling exploration",
        "random actions for most of the run hide what was learnt",
        "exploration ends before the goal was ever seen",
        "a tenth to a half of the run",
    ),
    "exploration_initial_eps": ParamHelp(
        "Random actions at the start",
        "the start of the curve stays flat for longer",
        "the first guess of the network decides what is seen",
        "0.5 to 1",
    ),
    "exploration_final_eps": ParamHelp(
        "Random actions at the end",
        "single random actions end good episodes: the reward stays below its best",
        "nothing new is tried any more",
        "0.01 to 0.1",
    ),
    "use_rms_prop": ParamHelp("RMSprop optimiser", when="on as in the A2C paper; off uses Adam."),
    "rms_prop_eps": ParamHelp(
        "Epsilon of RMSprop",
        "small gradients are ignored: slow progress",
        "huge steps where gradients are tiny",
        "1e-5",
    ),
    "adam_beta2": ParamHelp(
        "Memory of Adam's step size",
        "reacts late when gradients change: spikes after quiet times",
        "step sizes jump with every batch",
        "0.99 to 0.999",
    ),
    "n_critics": ParamHelp(
        "Critics",
        "cautious values and slower steps",
        "with 1, values overestimate and the reward may collapse",
        "2",
    ),
    "action_noise": ParamHelp(
        "Action noise",
        when="normal for TD3; ornstein-uhlenbeck where pushes must last for several steps.",
    ),
    "action_noise_sigma": ParamHelp(
        "Size of the action noise",
        "actions are dominated by noise, and good episodes are rare",
        "nothing new is tried",
        "0.1 to 0.3",
    ),
    "policy_delay": ParamHelp(
        "Critic updates per actor update",
        "the policy learns slowly",
        "the policy follows values that are still wrong",
        "2",
    ),
    "target_policy_noise": ParamHelp(
        "Noise in the critics' targets",
        "values blur, and fine control is not learnt",
        "the policy exploits errors of the critics",
        "0.1 to 0.3",
    ),
    "target_noise_clip": ParamHelp(
        "Limit of the target noise",
        "rare large noise blurs the values",
        "the noise has no effect",
        "0.5",
    ),
    "reward_scale": ParamHelp(
        "Reward scale",
        "losses and gradients are huge, and updates are cut",
        "rewards vanish next to noise",
        "so that returns are about 1 to 10",
    ),
    "precision": ParamHelp(
        "Precision of wide layers",
        when="auto for most; float32 where results should depend less on the processor.",
    ),
    "best_share": ParamHelp(
        "Share of the best episodes",
        "bad episodes are imitated too",
        "too few steps are left to learn from, and the policy fails where they have not been",
        "1, or 0.1 to imitate the best tenth of mixed episodes",
    ),
    "td3_bc_alpha": ParamHelp(
        "Weight of the critic (α)",
        "the policy leaves the dataset's actions, and Q-values run away",
        "the policy only imitates the dataset",
        "1 to 10; 2.5 in the paper",
    ),
    "expectile": ParamHelp(
        "Expectile (τ)",
        "values of lucky steps are taken for good ones",
        "bad actions count as much as good ones: the policy is no better than the dataset",
        "0.7 to 0.9",
    ),
    "temperature": ParamHelp(
        "Preference for good actions (β)",
        "a few steps of the dataset decide everything, and the policy is unreliable elsewhere",
        "the policy imitates bad actions too",
        "1 to 10",
    ),
    "cql_alpha": ParamHelp(
        "Weight of the penalty (α)",
        "the policy only imitates the dataset",
        "Q-values run away, and the policy chooses actions that the dataset does not contain",
        "0.1 to 10",
    ),
    "n_actions": ParamHelp(
        "Actions per penalty",
        "slow updates",
        "a noisy penalty",
        "4 to 10",
    ),
    "gradient_actions": ParamHelp(
        "Actions per gradient of the penalty",
        "slow updates",
        "noisy gradients",
        "4, or 0 to compute as others do",
    ),
    "online_steps": ParamHelp(
        "Steps in the environment at the end",
        when="some, to improve a policy from a dataset by playing; 0 if the environment must not be touched.",
    ),
    "processes": ParamHelp(
        "Simulation processes",
        "processes wait for each other and for cores",
        "cores stay idle",
        "0: one per core",
    ),
}


def describe_param(name: str, key: str | None = None) -> dict[str, Any]:
    """The help of a parameter as fields of its JSON schema; at least a readable label."""
    entry = PARAM_HELP.get(key or name)
    if entry is None:
        return {"title": name.replace("_", " ").capitalize()}
    hints = {
        "x-too-high": entry.too_high,
        "x-too-low": entry.too_low,
        "x-usual": entry.usual,
        "x-when": entry.when,
    }
    return {"title": entry.label, **{field: text for field, text in hints.items() if text}}


def help_sentences(field: Mapping[str, Any]) -> list[str]:
    """The help in a parameter's JSON schema, as sentences for a terminal and the reference."""
    beginnings = {
        "x-too-high": "Too high looks like: ",
        "x-too-low": "Too low looks like: ",
        "x-usual": "Usual: ",
    }
    sentences = [f"{start}{field[name]}." for name, start in beginnings.items() if field.get(name)]
    return [*sentences, *([_capital(field["x-when"])] if field.get("x-when") else [])]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
