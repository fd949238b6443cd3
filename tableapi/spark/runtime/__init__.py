"""What runs in Spark's workers, which have neither this package nor the user's modules: it travels there by value.

The modules here import the standard library, pyarrow and pyspark only, and each other.
"""
