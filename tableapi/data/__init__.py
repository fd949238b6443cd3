"""Data of the Python process as expressions and as query sources."""
