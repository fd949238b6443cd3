"""How the views of a Spark catalog are stored: names, settings, statements, and their order."""
