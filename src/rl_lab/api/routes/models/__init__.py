"""Routes about trained policies: checkpoints of all runs, named models, lineage, packages, imports, the Hub.

May import what the other routes may.
"""
