"""Random queries, each built both with this library and with PySpark's DataFrame API."""
