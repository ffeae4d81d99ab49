"""Live data for clients: SSE and the WebSocket, with one feed per topic however many clients there are."""
