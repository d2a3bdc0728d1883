"""Live figures on pages without a kernel: what Python drew once, in a file that plays by itself."""
