"""Nouns, rules and the worker protocol: pure, no input or output."""
