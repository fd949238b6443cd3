"""Tables whose rows Spark keeps, since several queries read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ir.operations.operation import QueryOperation
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from typing import Self

    from pyspark import StorageLevel

    from tableapi.environment import TableEnvironment

StorageLevelName = Literal[
    "DISK_ONLY",
    "DISK_ONLY_2",
    "DISK_ONLY_3",
    "MEMORY_AND_DISK",
    "MEMORY_AND_DISK_2",
    "MEMORY_AND_DISK_DESER",
    "MEMORY_ONLY",
    "MEMORY_ONLY_2",
    "NONE",
    "OFF_HEAP",
]
"""The names of ``pyspark.StorageLevel`` as type checkers know them; at run time, any case is accepted."""


@boundaries
class CachedRows:
    """What a table says of keeping its rows; part of every table."""

    _environment: TableEnvironment
    _operation: QueryOperation

    def cache(self, storage_level: StorageLevelName | StorageLevel | None = None) -> Self:
        """Have Spark keep the rows, so that queries built on this table compute them once. Starts Spark.

        Nothing is computed yet: the first query that reads rows keeps them. The table itself stays as it is, with its
        SQL and its views: rows that are kept are read wherever a query of this environment has a part that is equal to
        this table, whoever built it. So a function that is called in it, or a ``rand()`` in it, has one value for all.
        Permanent views are read as they are stored, since other programs have to see the same.

        An insert by the same session into a table beneath makes Spark forget and compute the rows anew. What others
        write is not seen until ``uncache``.

        Args:
            storage_level: where: ``"MEMORY_AND_DISK_DESER"``, which is Spark's default, ``"DISK_ONLY"`` or another name
                or object of ``pyspark.StorageLevel``. A table that is cached already keeps its level where none is
                given, and otherwise gets the new one.

        Returns:
            This table.

        Raises:
            ValidationException: there is no such level, or two columns have the same name.
            TableException: Spark refuses the query, or it is over a stream, of which there are no rows to keep.

        Examples:
            active = orders.filter(col("state") == "active").join(customers, ...).cache()
            by_region = active.group_by(col("region")).select(col("region"), col("amount").sum)
            by_month = active.group_by(col("month")).select(col("month"), col("amount").sum)

        Source: https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.DataFrame.persist.html
        """
        self._operation.schema.require_distinct_names("A table that is cached")
        self._environment._execution.cache(self._operation, storage_level)
        return self

    def uncache(self) -> Self:
        """Have Spark forget the rows that ``cache`` keeps; of a table that is not cached nothing is to be done.

        Queries compute them from then on, as those did that were made before ``cache``.

        Returns:
            This table.

        Raises:
            TableException: Spark refuses.
        """
        started = self._environment._runtime.started
        if started is not None:
            started.cached.remove(self._operation)
        return self

    @property
    def is_cached(self) -> bool:
        """Whether Spark keeps the rows, or will from the first query on, after ``cache`` of this or an equal table."""
        started = self._environment._runtime.started
        return started is not None and self._operation in started.cached
