"""Resolution of windows: over rows, over times and over numbers of rows."""
