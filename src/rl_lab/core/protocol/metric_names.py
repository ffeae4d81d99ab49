"""What other tools call the lab's metrics, by their whole names: for adopted folders and SB3's logger.

Scripts invent names, so what they log is known by its last part: `capture/metric_names.py`. Adopted folders use both.
"""

from __future__ import annotations

RETURN_NAMES = frozenset({"charts/episodic_return", "charts/episode_reward", "episodic_return"})
"""One value per finished episode."""
LENGTH_NAMES = frozenset({"charts/episodic_length", "episodic_length"})

METRIC_NAMES: dict[str, str] = {
    # Stable-Baselines3
    "rollout/ep_rew_mean": "mean_reward",
    "rollout/ep_len_mean": "mean_length",
    "rollout/exploration_rate": "exploration_rate",
    "time/fps": "fps",
    "train/loss": "loss",
    "train/policy_gradient_loss": "policy_loss",
    "train/policy_loss": "policy_loss",
    "train/actor_loss": "policy_loss",
    "train/value_loss": "value_loss",
    "train/critic_loss": "value_loss",
    "train/approx_kl": "kl",
    "train/clip_fraction": "clip_fraction",
    "train/explained_variance": "explained_variance",
    "train/learning_rate": "learning_rate",
    # CleanRL
    "charts/SPS": "fps",
    "charts/learning_rate": "learning_rate",
    "charts/epsilon": "exploration_rate",
    "losses/policy_loss": "policy_loss",
    "losses/actor_loss": "policy_loss",
    "losses/value_loss": "value_loss",
    "losses/qf_loss": "value_loss",
    "losses/td_loss": "loss",
    "losses/loss": "loss",
    "losses/entropy": "entropy",
    "losses/approx_kl": "kl",
    "losses/clipfrac": "clip_fraction",
    "losses/explained_variance": "explained_variance",
    # RLlib and Ray Tune
    "episode_reward_mean": "mean_reward",
    "episode_return_mean": "mean_reward",
    "env_runners/episode_reward_mean": "mean_reward",
    "env_runners/episode_return_mean": "mean_reward",
    "episode_len_mean": "mean_length",
    "env_runners/episode_len_mean": "mean_length",
    "info/learner/default_policy/learner_stats/total_loss": "loss",
    "info/learner/default_policy/learner_stats/policy_loss": "policy_loss",
    "info/learner/default_policy/learner_stats/vf_loss": "value_loss",
    "info/learner/default_policy/learner_stats/entropy": "entropy",
    "info/learner/default_policy/learner_stats/kl": "kl",
    "info/learner/default_policy/learner_stats/vf_explained_var": "explained_variance",
    "info/learner/default_policy/learner_stats/cur_lr": "learning_rate",
    "learners/default_policy/total_loss": "loss",
    "learners/default_policy/policy_loss": "policy_loss",
    "learners/default_policy/vf_loss": "value_loss",
    "learners/default_policy/entropy": "entropy",
    "learners/default_policy/mean_kl_loss": "kl",
    "learners/default_policy/vf_explained_var": "explained_variance",
}
"""Name in the other tool → name in `core/protocol/metrics.py`."""

REWARD_NAMES: dict[str, str] = {
    # Tianshou
    "train/returns_stat/mean": "mean_reward",
    "training/returns_stat/mean": "mean_reward",
    "train/lens_stat/mean": "mean_length",
    "training/lens_stat/mean": "mean_length",
    "test/returns_stat/mean": "eval/mean_reward",
    "test/returns_stat/std": "eval/std_reward",
    "test/lens_stat/mean": "eval/mean_ep_length",
    # Lightning Fabric, SheepRL
    "rewards/rew_avg": "mean_reward",
    "game/ep_len_avg": "mean_length",
    # RSL-RL, skrl, rl_games, ML-Agents, Spinning Up
    "train/mean_reward": "mean_reward",
    "train/mean_episode_length": "mean_length",
    "reward / total reward (mean)": "mean_reward",
    "episode / total timesteps (mean)": "mean_length",
    "rewards/step": "mean_reward",
    "episode_lengths/step": "mean_length",
    "environment/cumulative reward": "mean_reward",
    "environment/episode length": "mean_length",
    "averageepret": "mean_reward",
    "eplen": "mean_length",
    # Names that loops of one's own use
    "mean_return": "mean_reward",
    "train/mean_return": "mean_reward",
    "avg_return": "mean_reward",
    "avg_reward": "mean_reward",
    "train/avg_reward": "mean_reward",
    "average_return": "mean_reward",
    "train/average_return": "mean_reward",
    "return": "reward",
    "returns": "reward",
    "train/return": "reward",
    "train/reward": "reward",
    "episode_return": "reward",
    "episode_reward": "reward",
    "episode/return": "reward",
    "episode/reward": "reward",
    "train/episode_return": "reward",
    "train/episode_reward": "reward",
    "rollout/return": "reward",
    "rollout/episode_reward": "reward",
}
"""Rewards and lengths, in lower case. A name that does not say what it averages becomes `reward`, without episodes."""

NEGATED: dict[str, str] = {"train/entropy_loss": "entropy"}
"""The same with the sign turned round: SB3 logs the entropy as a loss. In SB3's own files only: others multiply it."""
SB3_NAMES = frozenset({"train/n_updates", "time/fps", "time/total_timesteps", "rollout/ep_rew_mean"})
"""A file with one of these was written by SB3's logger."""
