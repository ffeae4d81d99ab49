"""How long a training runs: the limits that end it, and estimates from the speed of past runs.

Imports `core/jobs/`, `core/runs.py` and `core/words/`.
"""
