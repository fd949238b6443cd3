"""Every flight that left New York City in 2013: fluent queries, stored as views, read by another process."""
