"""The notebooks as pages without a kernel, whose live figures play what Python drew once."""
