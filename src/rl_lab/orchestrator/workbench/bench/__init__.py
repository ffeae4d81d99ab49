"""The reward bench: which episodes it scores, the processes that simulate them, and the stream of its results."""
