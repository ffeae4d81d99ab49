"""A stand-in for the wandb package: calls of a script become events of the lab, without an account."""
