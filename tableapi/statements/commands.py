"""Executes and explains commands: in Spark for tables of its catalogs, and in the catalog itself for the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ir.commands.command import Command
from ir.identifiers import ObjectIdentifier
from ir.rendering import Dialect, Layout
from tableapi.explain_detail import ExplainDetail
from tableapi.result import TableResult

if TYPE_CHECKING:
    from tableapi.queries.environment_parts import EnvironmentParts


class Commands:
    """Executes and explains the commands of one environment."""

    def __init__(self, environment: EnvironmentParts) -> None:
        self.environment = environment

    def run(self, command: Command) -> TableResult:
        """Execute a command.

        Raises:
            TableException: the catalog or the format of the table does not support the command, in which case nothing
                was changed; or Spark rejects the statement, or fails.
        """
        handler = None if self._is_in_spark(command.target) else _HANDLERS.get(type(command))
        if handler is not None:
            return handler(self, command)
        # If the table is in no catalog of Spark, this is refused with the alternatives.
        return self.environment.statements.execute_sql(self._text_to_run(command))

    def explain(self, command: Command, details: tuple[ExplainDetail, ...]) -> str:
        """Return the tree, the SQL and, if the session already runs, Spark's plan of a command."""
        in_spark, text = self._is_in_spark(command.target), self._text_to_run(command)
        return self.environment.statements.explain_command(command, text, details, in_spark=in_spark)

    def text(self, command: Command, dialect: Dialect, layout: Layout, target: str | None) -> str:
        """Return a command as SQL, by default for the target of the environment.

        Raises:
            TableException: a part of the command has no equivalent in the dialect or the target.
        """
        found = self.environment.runtime.target_of(dialect) if target is None else target
        return command.as_serializable_string(dialect, layout, found)

    def _text_to_run(self, command: Command) -> str:
        return self.text(command, Dialect.SPARK, Layout.MERGED, None)

    def _is_in_spark(self, target: ObjectIdentifier) -> bool:
        return target.catalog is None or self.environment.runtime.is_in_spark(target)


_HANDLERS: Final[Mapping[type[Command], Callable[[Commands, Any], TableResult]]] = {}
"""What executes a command on a table of a catalog that Spark does not have, by the class of the command."""
