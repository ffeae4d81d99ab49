"""Scripts written for Gymnasium 0.29 on Gymnasium 1.x: vector environments and wrappers behave as they did there.

Loaded only when the script has imported gymnasium.
"""
