"""Life inside the child processes: the guardian, the worker it guards, and short worker calls."""
