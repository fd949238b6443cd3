"""Members of fluent expressions, and the arguments that they take."""
