"""Lineage: which columns of tables influence the columns and the rows of a query, and how."""
