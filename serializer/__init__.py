"""Serializes query operations, expressions and types as SQL, and queries as JSON documents.

The modules of each kind, such as those of the layout NESTED or MERGED, are loaded with the first text of that kind.
"""

from __future__ import annotations

from ir import rendering
from ir.errors import ValidationException
from ir.light_typing import TYPE_CHECKING
from ir.rendering import Dialect, Layout, Quoting

if TYPE_CHECKING:
    from ir.commands.command import Command
    from ir.expressions import ResolvedExpression
    from ir.functions.definition import FindFunction
    from ir.operations.operation import QueryOperation
    from ir.targets.target import Target
    from ir.types import LogicalType
    from serializer.notation import Notation


def notation_of(dialect: Dialect, target: Target | None = None, quoting: Quoting = Quoting.ALL) -> Notation:
    """Return how the SQL of a dialect is written, by default for the newest version of its engine.

    The notations of Flink and of older versions, and those with few quotes, are loaded with their first texts.
    """
    if quoting is Quoting.NEEDED:
        from serializer.quoting import with_needed_quotes

        return with_needed_quotes(notation_of(dialect, target), target)
    if target is not None and not target.is_newest:
        from serializer.spark_versions import notation_for

        return notation_for(target)
    if dialect is Dialect.SPARK:
        from serializer.spark_notation import SPARK

        return SPARK
    from serializer.flink.notation import FLINK

    return FLINK


def _find_target(dialect: Dialect, name: str) -> Target:
    """Return the target of a name.

    Raises:
        ValidationException: there is no such target, or the dialect is not the target's.
    """
    # Only texts for older engines need this.
    from ir.targets.target import Target

    target = Target.of(name)
    if dialect is Dialect.FLINK:
        raise ValidationException(
            f"The target {target.name} runs SQL of Spark, and the dialect is FLINK. Leave out one of them."
        )
    return target


def _for_target(
    operation: QueryOperation, dialect: Dialect, name: str, quoting: Quoting
) -> tuple[QueryOperation, Notation]:
    """Return the equivalent query with features of the target only, and the notation of its SQL.

    Raises:
        TableException: the target lacks a part of the query that has no equivalent.
        ValidationException: there is no such target, or the dialect is not the target's.
    """
    from ir.targets.preparation import Preparation

    target = _find_target(dialect, name)
    return Preparation(target).prepare(operation), notation_of(dialect, target, quoting)


class _Serializer:
    """Implements ``as_serializable_string`` of every node."""

    def operation(
        self,
        operation: QueryOperation,
        dialect: Dialect,
        layout: Layout,
        target: str | None = None,
        quoting: Quoting = Quoting.ALL,
    ) -> str:
        if target is None:
            notation = notation_of(dialect, quoting=quoting)
        else:
            operation, notation = _for_target(operation, dialect, target, quoting)
        if layout is Layout.NESTED:
            from serializer.nested import nested_text

            return nested_text(operation, notation)
        from serializer.merged import merged_text

        return merged_text(operation, notation)

    def command(self, command: Command, dialect: Dialect, layout: Layout, target: str | None = None) -> str:
        from serializer.commands import command_text

        found = None if target is None else _find_target(dialect, target)
        return command_text(command, notation_of(dialect, found), layout, found)

    def normal_form(self, operation: QueryOperation) -> QueryOperation:
        from ir.normalization.normalize import normalize

        return normalize(operation)

    def expression(self, expression: ResolvedExpression, dialect: Dialect) -> str:
        from serializer.nested import expression_text

        return expression_text(expression, notation_of(dialect))

    def data_type(self, data_type: LogicalType, dialect: Dialect) -> str:
        from serializer.types import argument_type_text

        return argument_type_text(data_type, notation_of(dialect))

    def write_json(self, operation: QueryOperation) -> str:
        from serializer.tree_json.writing import write_tree

        return write_tree(operation)

    def read_json(self, text: str, find_function: FindFunction | None) -> QueryOperation:
        from serializer.tree_json.reading import read_tree

        return read_tree(text, find_function).operation


rendering.register(_Serializer())
