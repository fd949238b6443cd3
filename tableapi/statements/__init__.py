"""SQL statements, executed by the same code as the methods of the fluent API."""
