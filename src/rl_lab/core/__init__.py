"""Domain types, rules and the worker protocol. Pure: no input or output."""
