"""Readers of what other tools write, one file per format: bytes in, curves, episodes and facts out.

They open nothing by name, execute nothing and load no pickle; whatever is wrong with a file is said in words.
"""
