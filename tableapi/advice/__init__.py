"""Error messages with suggestions: unknown names, misused methods, unsupported features."""
