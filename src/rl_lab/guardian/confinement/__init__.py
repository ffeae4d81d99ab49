"""Confinement of foreign programs: Landlock, seccomp and limits, applied between fork and exec.

Imports the standard library only.
"""
