"""User code (rewards, evaluation code, environments), protocols, derived metrics and alerts: their nouns and rules.

May import the rest of `core`; executes nothing.
"""
