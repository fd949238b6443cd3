"""Statements that are written in SQL, executed by the means that the fluent API has for them."""
