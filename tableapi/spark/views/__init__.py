"""Storage of views in a Spark catalog: names, settings, statements, and their order."""
