"""Jobs that use a trained policy: evaluation, fork, duel, film, export."""
