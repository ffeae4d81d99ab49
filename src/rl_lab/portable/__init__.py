"""What the lab's workers and captured scripts share: recorder, emitter, packing of actions, control.

Imports the standard library only (and `core/bounds.py`), and works with Python 3.10.
"""
