"""Resolution of windows over rows, times and row counts."""
