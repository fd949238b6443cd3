"""Lineage of tables, views and columns: the graph over several queries, and its forms for people and programs."""
