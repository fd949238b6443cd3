"""A query with the table that it writes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir.identifiers import ObjectIdentifier
from tableapi.advice.copies import StepOfTable
from tableapi.advice.refusals import add_refusals
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.queries.query import Query
from tableapi.result import TableResult
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.declarations.sinks import Insert
    from tableapi.queries.statement_runner import Statements
    from tableapi.table_descriptor import TableDescriptor

__all__ = ["TablePipeline"]


@boundaries
@add_refusals
class TablePipeline(StepOfTable):
    """A query that writes its rows when it is executed, made with ``Table.insert_into``.

    The constructor checks everything that needs no Spark session; the rest is checked before rows are written.
    """

    def __init__(
        self,
        query: Query,
        target: str | TableDescriptor,
        overwrite: bool,
        partition: Mapping[str, Any] | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        self._query = query
        self._target = target
        self._overwrite = overwrite
        self._partition = dict(partition) if isinstance(partition, Mapping) else partition
        self._columns = list(columns) if isinstance(columns, list | tuple) else columns
        if self._statements.is_known(target):
            self._insert()

    @property
    def _statements(self) -> Statements:
        return self._query.environment.statements

    def _insert(self) -> Insert:
        return self._statements.insert(
            self._query.operation,
            self._target,
            overwrite=self._overwrite,
            partition=self._partition,
            columns=self._columns,
        )

    def get_identifier(self) -> ObjectIdentifier | None:
        """Return the full name of the target table; None if it has no name."""
        return self._query.environment.identifier(self._target) if isinstance(self._target, str) else None

    def execute(self) -> TableResult:
        """Write the rows.

        Raises:
            TableException: the rows do not fit the target, Spark rejects the insert, or it fails at run time.
        """
        insert = self._insert()
        with self._query.naming():
            self._statements.check(insert)
            self._statements.run(insert)
        return TableResult.of_sinks([insert.sink.name])

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan, without writing.

        Raises:
            TableException: the rows do not fit the target.
        """
        details = check_details(extra_details)
        if not self._statements.is_known(self._target):
            # Explaining does not start a session, and only a session knows the target.
            query = self._query.explain(*extra_details)
            return f"== Sink ==\n{self._target}: not looked at, because no Spark session runs\n\n{query}"
        with self._query.naming():
            return self._statements.explain_insert(self._insert(), details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    def __repr__(self) -> str:
        return f"TablePipeline into {self._target}{' (overwrite)' if self._overwrite else ''}:\n{self._query!r}"


def query_of_pipeline(pipeline: TablePipeline) -> Query:
    """Return the query whose rows a pipeline writes."""
    return pipeline._query


def insert_of_pipeline(pipeline: TablePipeline) -> Insert:
    """Return the insert of a pipeline, with all checks that need no session."""
    return pipeline._insert()
