"""What one notebook only needs: simulated rates (13) and regression in context (09)."""
