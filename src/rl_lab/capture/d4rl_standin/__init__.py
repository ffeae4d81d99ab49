"""Stand-ins for `d4rl` and for `gym` 0.23, for scripts that learn from one of the lab's datasets (CORL).

The dataset's files take the place of D4RL's downloads, Gymnasium's environments that of the old package's.
Used only in a run that names a dataset. numpy and gymnasium are imported when the script first needs them.
"""
