"""Writes Flink's SQL: the notation, and what differs from Spark's text."""
