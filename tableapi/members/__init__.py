"""Members of fluent expressions, and their arguments."""
