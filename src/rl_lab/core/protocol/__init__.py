"""The worker protocol: events, lines, ticks and metric names."""
