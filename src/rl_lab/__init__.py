"""RL Lab: launch, watch, replay, evaluate, compare and reproduce any reinforcement-learning learner."""
