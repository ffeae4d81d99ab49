"""Arguments of commands that name something of the lab: a run, a checkpoint, a policy, a start."""
