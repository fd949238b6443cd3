"""Functions in a catalog of the Spark session."""
