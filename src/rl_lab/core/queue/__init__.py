"""The queue's rules: lanes and slots, the order of waiting runs, what a run needs of the machine, which runs start.

Pure functions of rows; `store/queue.py` reads them, `orchestrator/execution/queue.py` acts on the result.
"""
