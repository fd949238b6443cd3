"""The query in a table, and in each step between two tables."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ir.contents import EQUAL_NAMES, PROCESS
from ir.implicit_notices import has_notices
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames
from serializer.given_names import use_names
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.lazy import lazy
from tableapi.result import TableResult

if TYPE_CHECKING:
    from ir import equal_names
    from ir.resolution.process import uids
    from tableapi.display import rendering
    from tableapi.queries import suspicious_casts
    from tableapi.queries.environment_parts import EnvironmentParts
else:
    equal_names = lazy(__name__, "ir.equal_names")
    uids = lazy(__name__, "ir.resolution.process.uids")
    rendering = lazy(__name__, "tableapi.display.rendering")
    suspicious_casts = lazy(__name__, "tableapi.queries.suspicious_casts")


class Query:
    """A tree of operations with its environment and the names of its relations in SQL."""

    __slots__ = ("environment", "lookup", "names", "operation")

    def __init__(
        self, operation: QueryOperation, environment: EnvironmentParts, names: RelationNames = NO_NAMES
    ) -> None:
        contents = operation.contents
        if contents & EQUAL_NAMES:
            operation = equal_names.continue_query(operation)
        if contents & PROCESS:
            # Raises an error if two different calls have the same identifier.
            uids.calls_of(operation)
        if environment.runtime.preparation is not None:
            environment.runtime.preparation.check(operation)
        self.operation = operation
        self.environment = environment
        self.names = names
        self.lookup = environment.lookup

    def next(self, operation: QueryOperation, others: RelationNames = NO_NAMES) -> Query:
        """Return the query of an operation over this query.

        Args:
            operation: the operation, whose input is this query's operation.
            others: the names of the relations in the operation's other input.
        """
        if has_notices():
            suspicious_casts.check_step(operation, (self.operation,))
        return Query(operation, self.environment, self.names.combined(others))

    def naming(self) -> AbstractContextManager[None]:
        """Return a context in which generated SQL uses the relation names of the query's original text."""
        return use_names(self.operation, self.names)

    def execute(self) -> TableResult:
        """Run the query once and return its rows."""
        with self.naming():
            return TableResult(self.operation.schema, self.environment.execution.batches(self.operation))

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan."""
        with self.naming():
            return self.environment.statements.explain(self.operation, check_details(extra_details))

    def __repr__(self) -> str:
        with self.naming():
            return rendering.table_text(self.operation, self.environment.runtime.functions.hiding_names())
