"""The exercises, a package each."""
