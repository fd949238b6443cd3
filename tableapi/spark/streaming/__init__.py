"""Queries over streams: starting them, their sinks, checkpoints, and what can be asked while they run."""
