"""Random queries that combine joins, names, correlation and other clauses, judged by Spark."""
