"""Queries whose rows Spark caches, so that queries built on them do not recompute the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ir.errors import TableException, ValidationException, did_you_mean
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource
from ir.rewriting import rebuild_over_changed
from ir.types import SpatialType
from tableapi.data.dataframes import dataframe_source
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    import pyspark
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession
else:
    pyspark = lazy(__name__, "pyspark")


def _require_keepable(operation: QueryOperation) -> None:
    """Check that Spark can cache the rows; it would otherwise fail only at the first read."""
    waiting = [(column, column.data_type) for column in operation.schema.columns]
    for column, data_type in waiting:
        if isinstance(data_type, SpatialType):
            raise TableException(
                f"The rows cannot be cached for the column {column!r}: Spark keeps no values of type {data_type.root}. "
                "Cache what ST_ASBINARY and ST_SRID make of it."
            )
        waiting += [(column, child) for child in data_type.children]


class CachedTables:
    """The cached queries of an environment, each with its cached DataFrame.

    Queries are the same if their trees are equal. So every query that contains the tree of a cached query uses the
    cached rows, however it was built.
    """

    def __init__(self, session: SparkSession, new_name: Callable[[], str]) -> None:
        self._session = session
        self._new_name = new_name
        self._sources: dict[QueryOperation, InlineSource] = {}
        self._names: dict[QueryOperation, str] = {}

    def __contains__(self, operation: QueryOperation) -> bool:
        return operation in self._sources

    def __len__(self) -> int:
        return len(self._sources)

    def add(self, operation: QueryOperation, frame: DataFrame, level: StorageLevel | None) -> None:
        """Make Spark cache the rows of a query at their first read; ``frame`` computes them.

        Raises:
            TableException: Spark rejects the request.
        """
        _require_keepable(operation)
        self.remove(operation)
        name = self._new_name()
        with readable_errors("Caching a table"):
            # Spark finds cached rows by their plan. A Connect server plans a DataFrame each time anew, with other
            # random seeds, but a view only once.
            frame.createOrReplaceTempView(name)
            kept = self._session.table(name)
            kept = kept.persist() if level is None else kept.persist(level)
        self._names[operation] = name
        self._sources[operation] = dataframe_source(kept, operation.schema)

    def remove(self, operation: QueryOperation) -> None:
        """Drop the cached rows of a query if there are any.

        Raises:
            TableException: Spark rejects the request.
        """
        source = self._sources.pop(operation, None)
        if source is None:
            return
        name = self._names.pop(operation)
        with readable_errors("Forgetting a cached table"):
            source.handle.unpersist()
            # On a Connect server, DataFrames of queries that read the rows may need the name later.
            if not is_connect(self._session):
                self._session.catalog.dropTempView(name)

    def clear(self) -> None:
        """Drop the cached rows of all queries.

        Raises:
            TableException: Spark rejects the request.
        """
        for operation in list(self._sources):
            self.remove(operation)

    def over(self, root: QueryOperation) -> QueryOperation:
        """Rewrite a query so that it reads cached rows wherever possible."""
        kept = self._sources
        if not kept:
            return root
        done: dict[QueryOperation, QueryOperation] = {}
        # Do not descend into a cached query, so that the outermost of nested cached queries is read.
        for current in post_order(root, lambda part: () if part in kept else [*part.inputs, *part.subqueries]):
            done[current] = kept[current] if current in kept else rebuild_over_changed(current, done)
        return done[root]


def storage_level(given: Any) -> pyspark.StorageLevel | None:
    """Return the storage level for a name or a PySpark object; None stands for Spark's default.

    Raises:
        ValidationException: the storage level is unknown.
    """
    if given is None or isinstance(given, pyspark.StorageLevel):
        return given
    levels = pyspark.StorageLevel
    names = [name for name in vars(levels) if name.isupper()]
    found = getattr(levels, given.upper(), None) if isinstance(given, str) and given.upper() in names else None
    if isinstance(found, levels):
        return found
    raise ValidationException(
        f"cache has no storage level {given!r}. The levels are {', '.join(sorted(names))}."
        + (did_you_mean(given, names) if isinstance(given, str) else "")
    )
