"""The workbench: user code is saved and tried, rewards are benched, protocols, derived metrics and alerts are kept.

May import `jobs`, `runs`, `viewing` and everything below them.
"""
