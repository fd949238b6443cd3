"""Run process table functions in workers. The modules here import only the standard library, pyarrow and PySpark."""
