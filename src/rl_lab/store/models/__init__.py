"""Trained policies in lab.db: pages of checkpoints over all runs, named models and their versions, lineage.

May import the other modules of `store`.
"""
