"""Name of a play's socket, in the folder of its attempt."""

SOCKET_FILE = "play.sock"
