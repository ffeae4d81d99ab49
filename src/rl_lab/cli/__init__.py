"""The `rl-lab` command line. It talks HTTP to the running lab, or starts a lab for the duration of the command."""
