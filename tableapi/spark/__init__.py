"""Everything that touches Spark: the embedded session, settings, errors, catalog and execution.

The only folder that imports pyspark, and nothing outside imports it before a query has to run, so that building and
printing queries works in a process without a JVM.
"""
