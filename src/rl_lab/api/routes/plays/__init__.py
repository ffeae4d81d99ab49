"""Routes of plays: the player's socket, keys and high scores of environments."""
