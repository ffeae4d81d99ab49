"""Routes about many runs: studies, comparisons, verification and packs.

May import what the other routes may.
"""
