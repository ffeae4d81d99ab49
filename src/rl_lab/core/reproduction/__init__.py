"""What lets others repeat and keep a result: packs, tables that leave the lab, where an imported run comes from.

May import the nouns of `core`; `core/runs.py` imports `origins.py` only.
"""
