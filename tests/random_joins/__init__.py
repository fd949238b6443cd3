"""Random queries in which joins, names, correlation and what stands around them meet, judged by Spark."""
