"""What the notebooks are made of: lessons, figures and exercises, and the machinery that builds and grades them."""
