"""The routes, one file per noun: parse, call one function of a room, return."""
