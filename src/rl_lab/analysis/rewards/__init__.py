"""Compares rewards by how they rank episodes: correlations, flips, outcomes, signs of hacking, influence of terms.

Numpy only; may import `core`.
"""
