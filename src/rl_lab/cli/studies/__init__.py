"""What commands about studies and comparisons share: naming one, creating one, printing one.

May import what the commands may, but no command.
"""
