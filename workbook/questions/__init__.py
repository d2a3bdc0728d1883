"""Questions: their texts, the widgets that show them, sketches; and the check of the set-up."""
