"""A stand-in for the wandb package: a script's calls become events of the lab, without an account."""
