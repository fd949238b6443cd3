"""Messages for mistakes: unknown names, misused methods, tracebacks without internal frames."""
