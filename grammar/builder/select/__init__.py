"""The clauses of SELECT, in the order in which they take effect."""
