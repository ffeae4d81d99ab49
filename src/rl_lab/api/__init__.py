"""The HTTP face of the lab: a router per noun, no logic."""
