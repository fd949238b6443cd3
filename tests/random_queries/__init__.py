"""Random queries, each built twice: with this library and with PySpark's DataFrame API."""
