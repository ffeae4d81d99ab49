"""Datasets: their versions, the jobs that make them, and how much room they take.

Imports the rooms below: `jobs`, `runs`, `viewing` and what all rooms share.
"""
