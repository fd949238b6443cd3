"""Plan the execution of a query: turn its operations into operations that Spark can run."""
