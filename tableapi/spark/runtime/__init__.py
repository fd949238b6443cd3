"""Code that runs in Spark's workers, which lack this package and the modules of the user: it is pickled by value.

The modules here import only the standard library, pyarrow, pyspark, and each other.
"""
