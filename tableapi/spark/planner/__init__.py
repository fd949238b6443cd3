"""From an operation tree to what Spark runs."""
