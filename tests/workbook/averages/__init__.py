"""A second course, on another subject: the mean and the median."""
