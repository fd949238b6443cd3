"""Changes of a query that must not change what it means, and the check that they do not."""
