"""Changes of a query that must keep its meaning, and the check that they do."""
