"""A training that is repeated to be compared: in one piece, broken and resumed, tensor by tensor."""
