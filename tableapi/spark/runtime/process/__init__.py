"""Process table functions in Spark's workers: what travels there imports the standard library and Spark's own only."""
