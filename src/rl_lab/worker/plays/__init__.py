"""A play: a person, a policy or both in turn act in an environment. May import `worker.jobs` and below."""
