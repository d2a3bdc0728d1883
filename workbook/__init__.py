"""How it is taught: checks, live figures, grading, notebooks and their site, for any course in Python."""
