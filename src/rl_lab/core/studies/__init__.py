"""Studies: variants × seeds, sweeps that make variants, and what a comparison of their runs returns.

May import the nouns of `core`.
"""
