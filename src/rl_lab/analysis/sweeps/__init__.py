"""Sweeps: which point comes next (TPE), which variant is stopped early, and what the results show.

Pure functions over the variants of a study. Optuna is imported inside functions only: it takes 0.2 s to import.
"""
