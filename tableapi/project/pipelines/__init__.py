"""Spark Declarative Pipelines: writes the views of a project as a pipeline, and checks pipelines without Spark."""
