"""Resolution of calls of process table functions."""
