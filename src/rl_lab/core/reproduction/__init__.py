"""What lets others repeat and keep a result: snapshots, verifications, packs, tables, where an imported run comes from.

May import the nouns of `core`; `core/runs.py` imports `origins.py` only, `core/jobs/` `verifications.py` only.
"""
