"""Process table functions for everyday tasks, each with data, its SQL and its result."""
