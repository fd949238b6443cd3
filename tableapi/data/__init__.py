"""Data of this process as expressions and as sources of queries."""
