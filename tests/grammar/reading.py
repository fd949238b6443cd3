"""Shared parts of the parser tests: the surroundings of the test programs, and queries with a single call."""

from __future__ import annotations

from collections.abc import Callable

from grammar.reading import Surroundings
from ir.call_expressions import Call
from ir.expressions import Expression, FieldReference, ResolvedExpression, SortOrder
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.time_window import TIME_WINDOWS
from ir.identifiers import ObjectIdentifier, quote
from ir.operations.aggregate import Aggregate
from ir.operations.join import JoinType
from ir.operations.lateral import lateral_join, right_columns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import project
from ir.operations.source import ReadOptions, Source
from ir.rendering import Dialect
from ir.resolution.windows.over import build_over
from ir.rewriting import replace
from ir.schema import ResolvedSchema
from ir.types import INT
from tableapi import TableEnvironment


def surroundings(env: TableEnvironment, dialect: Dialect = Dialect.SPARK) -> Surroundings:
    """Return surroundings that resolve table names in an environment."""

    def find(
        path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
    ) -> QueryOperation:
        at = {"version": version} if version is not None else {}
        found = env.from_path(".".join(map(quote, path)), **at).query_operation
        # Give the options to a table in memory as if Spark had it, since tables in memory accept none.
        return found.evolve(options=options) if options and isinstance(found, Source) else found

    return Surroundings(dialect=dialect, find_table=find, time_zone="UTC")


class OneCall:
    """Queries with one call each, over a table with the columns of its arguments."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, ...], QueryOperation] = {}

    def find(
        self, path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
    ) -> QueryOperation:
        return self._tables[path]

    def of(self, function: FunctionDefinition, call: ResolvedExpression) -> QueryOperation | None:
        """Return a query with a call; None if calls of the function cannot stand alone in a query."""
        fields = {p.name: p.type_ for p in call.walk() if isinstance(p, FieldReference)}
        for part in call.walk():
            if isinstance(part, TableReference):
                for source in part.operation.walk():
                    if isinstance(source, Source):
                        self._tables[tuple(filter(None, source.identifier.parts))] = source
        schema = ResolvedSchema.of(list(fields) or ["z"], list(fields.values()) or [INT])
        table = Source(ObjectIdentifier("t", "d", "c"), schema)
        self._tables["c", "d", "t"] = table
        columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(schema.columns)]
        index = {column.name: column for column in columns}
        placed = replace(call, lambda p: index[p.name] if isinstance(p, FieldReference) else None)
        if function in TIME_WINDOWS:
            return Aggregate(table, (placed,), (), ("r",))
        make = _MAKERS.get(function.kind)
        if function in KEY_FUNCTIONS or not isinstance(placed, Call):
            return None if function in KEY_FUNCTIONS else project(table, (placed,), ("r",))
        if make is not None and placed.function.kind is function.kind:
            return make(table, placed, columns)
        return project(table, (placed,), ("r",))


def _over(table: QueryOperation, call: Call, columns: list[FieldReference]) -> QueryOperation:
    return project(table, (build_over(call, (), (SortOrder(columns[0], True, True),)),), ("r",))


_MAKERS: dict[FunctionKind, Callable[[QueryOperation, Call, list[FieldReference]], QueryOperation]] = {
    FunctionKind.AGGREGATE: lambda table, call, columns: Aggregate(table, (), (call,), ("r",)),
    FunctionKind.WINDOW: _over,
    FunctionKind.TABLE: lambda table, call, columns: lateral_join(
        table, call, tuple([f"r{i}" for i in range(len(right_columns(call)))]), JoinType.INNER, None
    ),
}
