"""TensorBoard and W&B for runs of the lab.

May import runs, viewing and the rooms below them.
"""
