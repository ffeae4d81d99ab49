"""Routes about many runs: studies, the queue, comparisons, verifications, packs and saved views.

May import what the other routes may.
"""
