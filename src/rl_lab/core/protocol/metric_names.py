"""What other tools call the lab's metrics, by their whole names: for adopted folders and SB3's logger.

Scripts invent names, so what they log is known by its last part instead: `capture/metric_names.py`.
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

NEGATED: dict[str, str] = {"train/entropy_loss": "entropy"}
"""The same with the sign turned round: SB3 logs the entropy as a loss."""
