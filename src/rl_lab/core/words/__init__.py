"""Names and texts that people read: of runs, parameters, observations and actions, and of wrong values.

Imports only `core`.
"""
