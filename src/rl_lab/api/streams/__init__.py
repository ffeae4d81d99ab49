"""Live data for clients: SSE and WebSockets, with one feed per topic for any number of clients."""
