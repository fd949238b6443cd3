"""Process table functions that people would use, each with data, its SQL and its result."""
