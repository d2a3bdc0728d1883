"""The engine of the live figures: a scene draws a state, an explorer sends its frame to the page."""
