"""Readers of files written by other tools, one module per format: bytes in, curves, episodes and facts out.

They open nothing by name, execute nothing and load no pickle; each problem with a file becomes a message.
"""
