"""Resolution: turn unresolved expressions and calls into typed operations, for the fluent API and the parser."""
