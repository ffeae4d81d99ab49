"""Routes about many runs: studies, comparisons, verifications, packs and saved views.

May import what the other routes may.
"""
