"""Writes operations whose SELECT differs in Flink's SQL."""
