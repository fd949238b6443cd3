"""Plans of queries against those of the same queries written with PySpark's DataFrame API."""
