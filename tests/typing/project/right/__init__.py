"""Programs that are right: no type checker reports a line of them, and what needs no Spark runs."""
