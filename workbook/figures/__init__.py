"""The engine of the live figures: a scene says what moves; the stage lays out, draws, and listens to the hand."""
