"""The parts of an environment that tables and statements use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ir.identifiers import ObjectIdentifier
from ir.light_typing import TYPE_CHECKING, Any, Protocol
from ir.operations.operation import QueryOperation
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime

if TYPE_CHECKING:
    from ir.engine_version import EngineVersion
    from tableapi.queries import sql_reader
    from tableapi.queries import statement_runner as statements
    from tableapi.queries import streams as stream_queries
    from tableapi.queries import tables as table_queries
    from tableapi.queries.sql_reader import SqlReader
    from tableapi.queries.statement_runner import Statements
    from tableapi.queries.streams import Streams
    from tableapi.queries.tables import Tables
    from tableapi.spark.execution import SparkExecution
else:
    table_queries = lazy(__name__, "tableapi.queries.tables")
    # Loaded lazily, because a program that only builds queries needs neither.
    sql_reader = lazy(__name__, "tableapi.queries.sql_reader")
    statements = lazy(__name__, "tableapi.queries.statement_runner")
    stream_queries = lazy(__name__, "tableapi.queries.streams")


class FluentEnvironment(Protocol):
    """The methods of ``TableEnvironment`` that tables call."""

    def from_call(self, f: Any, /, *arguments: Any, **named: Any) -> Any:
        """Return the result of a process table function."""

    def from_operation(self, operation: QueryOperation) -> Any:
        """Return the table of a query."""

    def sql_query(self, query: str) -> Any:
        """Return the table of an SQL query."""

    def from_spark(self, df: Any) -> Any:
        """Return the table of a Spark DataFrame."""


def _describe_nothing(old: str, new: QueryOperation) -> str | None:
    return None


class EnvironmentParts:
    """The catalogs, the session, the SQL reader and the statement runner of one environment."""

    def __init__(self, fluent: FluentEnvironment, runtime: Runtime) -> None:
        self.fluent = fluent
        self.runtime = runtime
        # The environment sets it: the difference of queries is known above the rooms that run them.
        self.describe_changes: Callable[[str, QueryOperation], str | None] = _describe_nothing
        self.lookup = runtime.lookup

    @cached_property
    def tables(self) -> Tables:
        """The tables and views, by name."""
        return table_queries.Tables(self.runtime)

    @cached_property
    def reader(self) -> SqlReader:
        """The reader of SQL queries."""
        return sql_reader.SqlReader(self.runtime, self.tables)

    @cached_property
    def statements(self) -> Statements:
        """The statement runner."""
        return statements.Statements(self.runtime, self.tables)

    @cached_property
    def streams(self) -> Streams:
        """The starter of queries over streams."""
        return stream_queries.Streams(self.runtime, self.describe_changes, self.fluent.from_spark)

    @property
    def execution(self) -> SparkExecution:
        """The Spark session's execution of queries, started on first use."""
        return self.runtime.execution

    @property
    def spark_version(self) -> EngineVersion:
        """The version of the session's Spark; before a session runs, the newest supported version."""
        return self.runtime.spark_version

    def identifier(self, path: str) -> ObjectIdentifier:
        """Return the full name of the object that a path refers to."""
        temporary = self.runtime.manager.temporary(path)
        return self.runtime.manager.qualify(path) if temporary is None else ObjectIdentifier(temporary.name)
