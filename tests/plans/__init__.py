"""Plans of queries compared with plans of the same queries in PySpark's DataFrame API."""
