"""The `rl-lab` command. It speaks HTTP to a lab: the one that is running, or one it starts for itself."""
