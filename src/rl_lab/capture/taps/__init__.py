"""One tap per library: what a captured script uses (gymnasium, SB3, TensorBoard, W&B, multiprocessing) becomes events.

Imports the standard library only; a tapped library is used once the script has imported it.
"""
