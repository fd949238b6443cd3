"""Shared by the writers of commands: names, constants, expressions and queries in one notation and layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir.commands.command import Command
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from serializer.names import name_text, path_text

if TYPE_CHECKING:
    from serializer.notation import Notation
    from serializer.pieces import Scope


@attrs.frozen(eq=False)
class CommandWriting:
    """How the parts of one command are written."""

    notation: Notation
    layout: Layout

    def path(self, identifier: ObjectIdentifier) -> str:
        """Write the full name of an object of a catalog."""
        return path_text(identifier, self.notation)

    def name(self, name: str) -> str:
        """Write the name of a column, a constraint or a clustering."""
        return name_text(name, self.notation)

    def names(self, names: Iterable[str]) -> str:
        """Write names in parentheses."""
        return f"({', '.join(map(self.name, names))})"

    def string(self, text: str) -> str:
        """Write a string literal."""
        return self.notation.string_text(text)

    def properties(self, properties: Mapping[str, str] | Iterable[tuple[str, str]]) -> str:
        """Write keys and values in parentheses, sorted, each pair on its line."""
        pairs = sorted(properties.items() if isinstance(properties, Mapping) else properties)
        return "(\n" + ",\n".join(f"    {self.string(key)} = {self.string(value)}" for key, value in pairs) + "\n)"

    def expression(
        self,
        expression: ResolvedExpression,
        *,
        is_condition: bool = False,
        columns: Callable[[FieldReference], str] | None = None,
        around: Scope | None = None,
    ) -> str:
        """Write an expression.

        Args:
            expression: the expression.
            is_condition: whether it is a condition of rows.
            columns: returns the written form of a column, if that is not just its name.
            around: the alias of the rows, if subqueries refer to their columns.

        Raises:
            TableException: a part of the expression has no form in the dialect.
        """
        from serializer.nested import expression_text

        return expression_text(expression, self.notation, is_condition=is_condition, columns=columns, around=around)

    def command(self, command: Command) -> str:
        """Write a command within another one.

        Raises:
            TableException: the dialect lacks the command or a part of it.
        """
        write = self.notation.load_command_writers().get(type(command))
        if write is None:
            raise TableException(f"SQL of {self.notation.name.capitalize()} has no form of {command.called}.")
        return write(command, self)

    def query(self, operation: QueryOperation) -> str:
        """Write a query in the layout, or in NESTED where the dialect has no other.

        Raises:
            TableException: a part of the query has no form in the dialect.
        """
        if self.layout is Layout.NESTED or self.notation.separates_operations:
            from serializer.nested import nested_text

            return nested_text(operation, self.notation)
        from serializer.merged import merged_text

        return merged_text(operation, self.notation)
