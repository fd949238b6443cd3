"""Spark sessions whose catalog is in memory, beside the embedded session, which has a metastore.

Spark asks the metastore three times about each table that a query names. For the small queries of the tests, this takes
half of the JVM's time. Spark's analysis and its rows are the same with either catalog.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_IMPLEMENTATION = "spark.sql.catalogImplementation"


def session_in_memory(spark: SparkSession, warehouse: Path) -> SparkSession:
    """Make a session of the same JVM with an empty catalog in memory, for tests that do not ask about the metastore.

    Such tests must not call ``newSession()`` on it, because Spark would build that session for a metastore.

    Args:
        spark: the embedded session.
        warehouse: a directory for the files of its tables.
    """
    from pyspark.sql import SparkSession

    context: Any = spark.sparkContext
    settings = context._jsc.sc().conf()
    embedded = settings.get(_IMPLEMENTATION)
    options = context._jvm.java.util.HashMap()
    options.put("spark.sql.warehouse.dir", warehouse.as_uri())
    settings.set(_IMPLEMENTATION, "in-memory")
    try:
        made = context._jvm.org.apache.spark.sql.classic.SparkSession(context._jsc.sc(), options)
        # Spark builds both on first use, from the kind of catalog that is set at that time.
        made.sharedState().externalCatalog()
        made.sessionState()
    finally:
        settings.set(_IMPLEMENTATION, embedded)
    return SparkSession(context, made)
