"""What one notebook only needs: simulated rates (09) and regression in context (07)."""
