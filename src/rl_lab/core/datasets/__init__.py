"""Datasets: episodes with a content hash, to learn from without the environment."""
