"""The query in a table, and in each step between two tables."""

from __future__ import annotations

from ir.contents import EQUAL_NAMES, PROCESS, UNBOUNDED
from ir.implicit_notices import has_notices
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.relation_names import NO_NAMES, RelationNames
from serializer.given_names import use_names
from tableapi.lazy import lazy

if TYPE_CHECKING:
    import contextlib
    from contextlib import AbstractContextManager

    import pyarrow

    from ir import equal_names
    from ir.resolution.process import uids
    from ir.streaming import rules as stream_rules
    from tableapi import explain_detail as explain_details
    from tableapi import result as results
    from tableapi.display import prompts, rendering
    from tableapi.explain_detail import ExplainDetail
    from tableapi.queries import suspicious_casts
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.result import TableResult
else:
    contextlib = lazy(__name__, "contextlib")
    explain_details = lazy(__name__, "tableapi.explain_detail")
    equal_names = lazy(__name__, "ir.equal_names")
    uids = lazy(__name__, "ir.resolution.process.uids")
    stream_rules = lazy(__name__, "ir.streaming.rules")
    results = lazy(__name__, "tableapi.result")
    prompts = lazy(__name__, "tableapi.display.prompts")
    rendering = lazy(__name__, "tableapi.display.rendering")
    suspicious_casts = lazy(__name__, "tableapi.queries.suspicious_casts")


class Query:
    """A tree of operations with its environment and the names of its relations in SQL."""

    __slots__ = ("_fetched", "environment", "lookup", "names", "operation")

    def __init__(
        self, operation: QueryOperation, environment: EnvironmentParts, names: RelationNames = NO_NAMES
    ) -> None:
        contents = operation.contents
        if contents & EQUAL_NAMES:
            operation = equal_names.continue_query(operation)
        if contents & PROCESS:
            # Raises an error if two different calls have the same identifier.
            uids.calls_of(operation)
        if contents & UNBOUNDED:
            stream_rules.require_step(operation)
        if environment.runtime.preparation is not None:
            environment.runtime.preparation.check(operation)
        self.operation = operation
        self.environment = environment
        self.names = names
        self.lookup = environment.lookup
        # The first rows of the last execution, which a notebook shows with the table.
        self._fetched: rendering.FetchedRows | None = None

    def next(self, operation: QueryOperation, others: RelationNames = NO_NAMES) -> Query:
        """Return the query of an operation over this query.

        Args:
            operation: the operation, whose input is this query's operation.
            others: the names of the relations in the operation's other input.
        """
        if has_notices():
            suspicious_casts.check_step(operation, (self.operation,))
        return Query(operation, self.environment, self.names.combined(others))

    @property
    def is_stream(self) -> bool:
        """Whether the query reads a stream, so that its rows have no end."""
        return self.operation.is_unbounded

    def naming(self) -> AbstractContextManager[None]:
        """Return a context in which generated SQL uses the relation names of the query's original text."""
        return use_names(self.operation, self.names)

    def execute(self) -> TableResult:
        """Run the query once and return its rows."""
        if self.is_stream:
            with self.naming():
                rows = self.environment.streams.rows(self.operation)
            return results.TableResult(self.operation.schema, rows, [rows.running])
        with self.naming():
            result = results.TableResult(self.operation.schema, self.environment.execution.batches(self.operation))
        self._remember(result)
        return result

    def arrow(self) -> pyarrow.Table:
        """Run the query and return its rows as an Arrow table."""
        with self.naming():
            data = self.environment.execution.arrow(self.operation)
        self._remember(results.TableResult(self.operation.schema, data))
        return data

    def _remember(self, result: TableResult) -> None:
        """Keep the first rows of a result for the next display of the table, at a prompt and in a notebook."""
        if prompts.is_interactive():
            # A value that Python cannot represent is reported to those who read it, not to those who run the query.
            with contextlib.suppress(ArithmeticError, ValueError):
                self._fetched = results.first_rows(result)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan."""
        with self.naming():
            return self.environment.statements.explain(self.operation, explain_details.check_details(extra_details))

    def __repr__(self) -> str:
        with self.naming():
            return rendering.table_text(self.operation, self.environment.runtime.functions.hiding_names())

    def as_html(self) -> str:
        """Return the columns, the SQL and the first rows of the last execution as HTML."""
        with self.naming():
            hidden = self.environment.runtime.functions.hiding_names()
            return rendering.table_as_html(self.operation, hidden, self._fetched)
