"""What every route shares: dependencies, errors, security, sessions, static files."""
