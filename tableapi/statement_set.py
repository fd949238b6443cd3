"""Several inserts that are checked together before the first of them writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from ir.errors import TableException, ValidationException
from ir.resolution.process.uids import calls_of, merged
from tableapi.advice.copies import NotSent
from tableapi.advice.refusals import refuses
from tableapi.declarations.sinks import Insert
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.result import TableResult
from tableapi.table import Table, own_query, require_own
from tableapi.table_descriptor import TableDescriptor
from tableapi.table_pipeline import TablePipeline, insert_of_pipeline, query_of_pipeline
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts

__all__ = ["StatementSet"]


class Texts(Protocol):
    """Reads and explains inserts that are written in SQL."""

    def insert_of_text(self, text: str) -> TablePipeline | str:
        """Return the insert that a statement is, or its text where that is for Spark."""

    def explain(self, text: str, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and the plans of a statement."""


_INSERT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*INSERT\b", re.IGNORECASE | re.DOTALL)


@boundaries
@refuses
class StatementSet(NotSent):
    """Inserts that are executed one after the other; made with ``TableEnvironment.create_statement_set``.

    Spark writes each table by itself, so that the set is not one transaction: if an insert fails, those before it have
    written. All of them are checked before the first one writes, and an error says which have written.
    """

    _instead = "It belongs to an environment of this process. Make another one with create_statement_set()."

    def __init__(self, environment: EnvironmentParts, texts: Texts) -> None:
        self._environment = environment
        self._texts = texts
        self._statements: list[TablePipeline | str] = []

    def add(self, table_pipeline: TablePipeline) -> StatementSet:
        """Add what ``Table.insert_into`` returned.

        Raises:
            ValidationException: it is something else, or of another environment; or it calls a process table function
                under an identifier that another call of the set has.
        """
        if not isinstance(table_pipeline, TablePipeline):
            raise ValidationException(f"add takes what Table.insert_into returns, but was given {table_pipeline!r}.")
        require_own(self._environment, query_of_pipeline(table_pipeline), "add")
        add_insert(self, table_pipeline)
        return self

    def add_insert(
        self, target_path_or_descriptor: str | TableDescriptor, table: Table, overwrite: bool = False
    ) -> StatementSet:
        """Add the insert of a table into a path or into the files of a description."""
        query = own_query(self._environment, table, "add_insert")
        return self.add(TablePipeline(query, target_path_or_descriptor, overwrite))

    def add_insert_sql(self, stmt: str) -> StatementSet:
        """Add an INSERT statement.

        Raises:
            SqlParserException: it does not parse.
            ValidationException: it does not begin with INSERT, or something in it is wrong.
        """
        if not isinstance(stmt, str) or not _INSERT.match(stmt):
            raise ValidationException(f"add_insert_sql takes an INSERT statement, but was given {stmt!r}.")
        add_insert(self, self._texts.insert_of_text(stmt))
        return self

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return what ``explain`` says of each insert; nothing is written.

        Raises:
            ValidationException: the set is empty.
        """
        check_details(extra_details)
        self._require_statements()
        return "\n\n".join(
            f"-- Statement {number} of {len(self._statements)}\n{self._explained(statement, extra_details)}"
            for number, statement in enumerate(self._statements, 1)
        )

    def _explained(self, statement: TablePipeline | str, details: tuple[ExplainDetail, ...]) -> str:
        if isinstance(statement, str):
            return self._texts.explain(statement, check_details(details))
        return statement.explain(*details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    def execute(self) -> TableResult:
        """Check all inserts, run them in their order, and empty the set.

        Raises:
            ValidationException: the set is empty; or an insert reads what another one writes. Nothing was written.
            TableException: Spark refuses an insert, and nothing was written; or one failed while it ran, and the
                message says which have written.
        """
        self._require_statements()
        statements, self._statements = self._statements, []
        runner = self._environment.statements
        inserts: list[Insert | str] = []
        for number, statement in enumerate(statements, 1):
            try:
                insert = statement if isinstance(statement, str) else insert_of_pipeline(statement)
                runner.check(insert)
            except TableException as error:
                raise _about(error, f"Statement {number} of {len(statements)}") from None
            inserts.append(insert)
        self._refuse_reading_what_is_written(inserts)
        # What inserts share by its uid, a process table function, runs once and feeds all of them.
        with runner.computed_once([insert for insert in inserts if isinstance(insert, Insert)]):
            for number, insert in enumerate(inserts, 1):
                try:
                    runner.run(insert)
                except TableException as error:
                    raise _about(error, f"Statement {number} of {len(inserts)}", _progress(inserts, number)) from None
        return TableResult.of_sinks([_name(insert) for insert in inserts])

    def _refuse_reading_what_is_written(self, inserts: list[Insert | str]) -> None:
        """Refuse inserts of which one could see rows of another: in Flink all of them read what was there before."""
        prepared = [(number, insert) for number, insert in enumerate(inserts, 1) if isinstance(insert, Insert)]
        for number, insert in prepared:
            for other_number, other in prepared:
                if other is not insert and self._environment.statements.reads(insert, other.sink):
                    raise ValidationException(
                        f"Statement {number} of the set reads {other.sink.name}, which statement {other_number} "
                        "writes. What it would read depends on their order; execute them by themselves. Nothing was "
                        "written."
                    )

    def _require_statements(self) -> None:
        if not self._statements:
            raise ValidationException("The statement set is empty; add an insert first.")

    def __repr__(self) -> str:
        return f"StatementSet of {len(self._statements)} inserts"


def add_insert(statements: StatementSet, insert: TablePipeline | str) -> None:
    """Add an insert to a set, or the text of one that is for Spark.

    Raises:
        ValidationException: it calls a process table function under an identifier that another call of the set has.
    """
    if isinstance(insert, TablePipeline):
        pipelines = [*[one for one in statements._statements if isinstance(one, TablePipeline)], insert]
        # A call with one identifier in several inserts is one call, and has to be the same.
        merged([calls_of(query_of_pipeline(pipeline).operation) for pipeline in pipelines])
    statements._statements.append(insert)


def _name(insert: Insert | str) -> str:
    return "statement" if isinstance(insert, str) else insert.sink.name


def _progress(inserts: list[Insert | str], failed: int) -> str:
    written = [f"{number} ({_name(insert)})" for number, insert in enumerate(inserts[: failed - 1], 1)]
    waiting = [f"{number} ({_name(insert)})" for number, insert in enumerate(inserts[failed:], failed + 1)]
    return (
        f"Written before it: {', '.join(written) or 'none'}. Not begun: {', '.join(waiting) or 'none'}. "
        "The set is empty now."
    )


def _about(error: TableException, what: str, rest: str = "") -> TableException:
    error.args = (f"{what}: {error} {rest}".rstrip(), *error.args[1:])
    return error
