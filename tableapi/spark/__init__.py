"""Everything that touches Spark: the embedded session, settings, errors, catalog and execution.

This is the only package that imports PySpark. Other packages import it only to run a query, so that building and
printing queries works in a process without a JVM.
"""
