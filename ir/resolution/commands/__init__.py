"""Makes commands from their parts, with the checks that SQL and the fluent API share."""
