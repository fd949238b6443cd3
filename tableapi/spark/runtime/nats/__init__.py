"""The data source of NATS JetStream, which runs in Spark's workers and is pickled by value.

The modules here import only the standard library, pyspark, the runtime, and, when they connect, the package nats.
"""
