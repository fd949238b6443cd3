"""SQL text as query operations."""
