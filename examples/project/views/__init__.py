"""The views of the shop that are written in Python; those in SQL are in ``catalog/sales/views``."""
