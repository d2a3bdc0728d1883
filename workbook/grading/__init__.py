"""Grade a class: the answers of each submission are run in a sandbox, and judged outside of it."""
