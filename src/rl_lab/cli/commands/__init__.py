"""The commands of `rl-lab`, one noun per file; each registers itself on the Typer app."""
