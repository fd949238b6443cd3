"""The names that Spark gives to columns without an alias."""
