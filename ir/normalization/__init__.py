"""Folding of operations into SELECT blocks, and the normal form of queries that follows from it."""
