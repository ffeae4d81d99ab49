"""The process of a reward bench: simulates recorded episodes again, without pictures, and has their steps scored.

May import `rendering`, `environments` and `user_code`. User code is executed in its own process, never here.
"""
