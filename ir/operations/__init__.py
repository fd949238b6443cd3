"""Query operations: one file each."""
