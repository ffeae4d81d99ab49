"""User code runs in a process of its own, confined, and gets copies of what it looks at: nothing else is in its reach.

`process.py` and `results.py` are that process; `code_process.py` and `scorer.py` are its counterpart in workers.
Nothing here may import runners or rendering.
"""
