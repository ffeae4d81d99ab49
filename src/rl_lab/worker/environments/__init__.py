"""Environments inside a worker: list and make them, describe their spaces, check and draw them."""
