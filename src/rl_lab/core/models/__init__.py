"""Trained policies: the checkpoints of all runs, named models and their versions, where a training started from.

May import the nouns of `core`; of this room `core/jobs/` imports `start_points.py` only.
"""
