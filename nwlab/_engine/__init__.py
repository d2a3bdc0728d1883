"""How the numbers are made: whose array it is, what came in, the weights, and blocks that keep memory bounded."""
