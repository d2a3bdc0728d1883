"""Grade a class: only the answers of a submission are taken, run in a sandbox, and judged outside of it."""
