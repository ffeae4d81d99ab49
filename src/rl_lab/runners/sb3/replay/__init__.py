"""The replay buffer of DQN, SAC and TD3: `files` stores it next to checkpoints, `prefill` begins it with a dataset.

May import what the rest of `runners/sb3` may.
"""
