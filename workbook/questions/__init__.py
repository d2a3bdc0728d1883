"""The engine of the questions: their texts, the pieces that show them, sketches, the check of the set-up."""
