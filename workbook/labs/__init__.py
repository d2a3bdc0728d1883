"""Experiments of single lessons: regression in context (09), a small transformer (11), rates of convergence (13)."""
