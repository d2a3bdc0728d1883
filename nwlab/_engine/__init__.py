"""Arrays of any library, checks of the arguments, the weights, and blocks that keep memory bounded."""
