"""Plays: a person, a policy or both in turn act in an environment, live."""
