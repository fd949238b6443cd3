"""Questions for each supported version of Spark, and what the answers say about its SQL."""
