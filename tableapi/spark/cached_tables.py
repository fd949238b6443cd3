"""Queries whose rows Spark keeps, so that the queries built on them compute them no more than once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ir.errors import TableException, ValidationException, did_you_mean
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource
from ir.rewriting import over_changed
from ir.types import SpatialType
from tableapi.dataframes import dataframe_source
from tableapi.spark.errors import readable_errors
from tableapi.spark.settings import is_connect

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession


def _require_keepable(operation: QueryOperation) -> None:
    """Refuse rows that Spark only fails to keep when they are read first."""
    waiting = [(column, column.data_type) for column in operation.schema.columns]
    for column, data_type in waiting:
        if isinstance(data_type, SpatialType):
            raise TableException(
                f"The rows cannot be cached for the column {column!r}: Spark keeps no values of type {data_type.root}. "
                "Cache what ST_ASBINARY and ST_SRID make of it."
            )
        waiting += [(column, child) for child in data_type.children]


class CachedTables:
    """The queries of an environment whose rows Spark keeps, each with the DataFrame of which it does.

    A query is the same as another one if their trees are equal. So its rows are found in every query that has its tree
    as a part, however that is built.
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
        """Have Spark keep the rows of a query, which ``frame`` computes, from the first time on that they are read.

        Raises:
            TableException: Spark refuses.
        """
        _require_keepable(operation)
        self.remove(operation)
        name = self._new_name()
        with readable_errors("Caching a table"):
            # A server plans a DataFrame anew each time, with other random numbers, and a view once. Spark finds rows
            # that are kept by their plan.
            frame.createOrReplaceTempView(name)
            kept = self._session.table(name)
            kept = kept.persist() if level is None else kept.persist(level)
        self._names[operation] = name
        self._sources[operation] = dataframe_source(kept, operation.schema)

    def remove(self, operation: QueryOperation) -> None:
        """Have Spark forget the rows of a query, if it keeps them.

        Raises:
            TableException: Spark refuses.
        """
        source = self._sources.pop(operation, None)
        if source is None:
            return
        name = self._names.pop(operation)
        with readable_errors("Forgetting a cached table"):
            source.handle.unpersist()
            # On a server, DataFrames of queries that read the rows may still ask for the name.
            if not is_connect(self._session):
                self._session.catalog.dropTempView(name)

    def clear(self) -> None:
        """Have Spark forget the rows of all these queries.

        Raises:
            TableException: Spark refuses.
        """
        for operation in list(self._sources):
            self.remove(operation)

    def over(self, root: QueryOperation) -> QueryOperation:
        """Return the same query, which reads rows that are kept where it would compute them."""
        kept = self._sources
        if not kept:
            return root
        done: dict[QueryOperation, QueryOperation] = {}
        # What a kept query reads is looked at no more, so that of two within each other the outer one is read.
        for current in post_order(root, lambda part: () if part in kept else [*part.inputs, *part.subqueries]):
            done[current] = kept[current] if current in kept else over_changed(current, done)
        return done[root]


def storage_level(given: Any) -> StorageLevel | None:
    """Return the level that a name or Spark's own object means, None for Spark's default.

    Raises:
        ValidationException: it is neither.
    """
    from pyspark import StorageLevel

    if given is None or isinstance(given, StorageLevel):
        return given
    names = [name for name in vars(StorageLevel) if name.isupper()]
    found = getattr(StorageLevel, given.upper(), None) if isinstance(given, str) and given.upper() in names else None
    if isinstance(found, StorageLevel):
        return found
    raise ValidationException(
        f"cache has no storage level {given!r}. The levels are {', '.join(sorted(names))}."
        + (did_you_mean(given, names) if isinstance(given, str) else "")
    )
