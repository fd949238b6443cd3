"""A statement that declares, changes or drops a table, or changes its rows: checked, and not yet executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Dialect, DialectName, Layout, LayoutName
from serializer.given_names import use_names
from tableapi.advice.copies import NotSent
from tableapi.explain_detail import ExplainDetail, check_details
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    from ir.commands.command import Command
    from tableapi.result import TableResult

__all__ = ["TableStatement"]


class RunsCommands(Protocol):
    """The part of an environment that executes and explains commands."""

    def run(self, command: Command) -> TableResult:
        """Execute a command, and return its result."""

    def explain(self, command: Command, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan of a command."""

    def text(self, command: Command, dialect: Dialect, layout: Layout, target: str | None) -> str:
        """Return a command as SQL, by default for the target of the environment."""

    def python_code(self, command: Command, names: tuple[str, str], line_length: int) -> str:
        """Return a command as Python code, with variables for the environment and the statement."""


@boundaries
class TableStatement(AdvisesOnMembers, NotSent):
    """A statement about a table, made with ``TableEnvironment.sql_statement`` or fluently.

    Everything that needs no Spark session is checked when it is made, so that it can be printed, compared and reviewed
    before it is executed. Two statements of the same meaning have the same command, whichever way they were made.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    >>> statement = te.sql_statement("truncate table sales.orders")
    >>> print(statement.as_serializable_string())
    TRUNCATE TABLE `memory`.`sales`.`orders`
    >>> statement.get_command() is te.sql_statement("TRUNCATE TABLE memory.sales.orders").get_command()
    True
    """

    _receiver = "statement"
    # The names that the text of the statement gives the relations of its queries.
    _names: RelationNames = NO_NAMES
    _instead = "It belongs to an environment of this process. Send its text: as_serializable_string()."

    def __init__(self, command: Command, environment: RunsCommands, names: RelationNames | None = None) -> None:
        self._command = command
        self._environment = environment
        if names is not None:
            self._names = names

    def get_command(self) -> Command:
        """Return the tree of the statement: an immutable node, equal only to itself."""
        return self._command

    def as_serializable_string(
        self,
        dialect: Dialect | DialectName = Dialect.SPARK,
        layout: Layout | LayoutName = Layout.MERGED,
        *,
        target: str | None = None,
    ) -> str:
        """Return the statement as SQL, for the environment's target or another one.

        Args:
            dialect: the dialect of the text.
            layout: the layout of the queries in the statement.
            target: the name of an engine with its version, such as ``spark-4.0``.

        Raises:
            TableException: a part of the statement has no equivalent SQL in the dialect, or the target lacks it; the
                message names the part and the remedy.
            ValidationException: there is no such target, or the dialect is not the target's.
        """
        with use_names(None, self._names):
            return self._environment.text(self._command, Dialect.of(dialect), Layout.of(layout), target)

    def to_python(self, environment: str = "env", name: str = "statement", *, line_length: int = 100) -> str:
        """Return Python code that makes the statement: by the fluent API where it has the statement, otherwise as SQL.

        >>> from tableapi import TableEnvironment
        >>> env = TableEnvironment.create()
        >>> _ = env.declare("orders", {"id": "BIGINT", "amount": "INT"})
        >>> print(env.sql_statement("UPDATE orders SET amount = amount + 1 WHERE id > 3").to_python())
        from tableapi.expressions import col
        <BLANKLINE>
        statement = env.update("orders").set(amount=col("amount") + 1).where(col("id") > 3)
        <BLANKLINE>

        In an environment with the same tables, the code gives an equal statement. It is formatted like ``ruff format``.

        Args:
            environment: the variable that holds the environment.
            name: the variable to which the code assigns the statement.
            line_length: the maximum length of a line, where a line can be broken.

        Raises:
            ValidationException: a name is not a valid Python name.
            TableException: a query in the statement reads data that exists only in this process.
        """
        return self._environment.python_code(self._command, (environment, name), line_length)

    def execute(self) -> TableResult:
        """Execute the statement.

        Raises:
            TableException: the catalog or the format of the table does not support the statement, in which case nothing
                was changed; or Spark rejects the statement, or fails.
        """
        with use_names(None, self._names):
            return self._environment.run(self._command)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan, without executing anything."""
        details = check_details(extra_details)
        with use_names(None, self._names):
            return self._environment.explain(self._command, details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print what ``explain`` returns."""
        print(self.explain(*extra_details))

    def __repr__(self) -> str:
        return f"TableStatement: {self._command.as_summary_string()}"


def names_in_statement(statement: TableStatement) -> RelationNames:
    """Return the names that the text of a statement gives the relations of its queries."""
    return statement._names
