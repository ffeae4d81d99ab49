"""The capture layer: runs an unmodified script in the user's own Python and turns what it does into events.

Everything here imports the standard library only and works with Python 3.10: the interpreter may have nothing of
the lab. What a script imports (gymnasium, torch, wandb …) is touched only once it has imported it.
"""
