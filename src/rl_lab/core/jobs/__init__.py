"""Trainings and jobs as they are asked for: what a user may choose for each kind, and what its worker reads."""
