"""Joins the table functions in a SELECT list to the rows that they are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from grammar import syntax as s
from grammar.builder.scopes import Relation, wrong_count
from grammar.builder.select.modifiers import Modifiers
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.expressions import Expression, FieldReference
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.names import make_distinct
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.unresolved import UnresolvedAlias, UnresolvedCall, walk_written_parts


@attrs.define(eq=False)
class Item:
    """A column of a SELECT: its expression, its name, and its position in the text.

    Attributes:
        by_alias: The first lateral alias in it, which an earlier column of the same SELECT defines.
        is_aggregate: Whether its own expression has an aggregate, besides those in lateral aliases; set only if it has
            a lateral alias.
        of_star: Whether the column, or an argument in it, comes from a star.
        is_nothing: Whether it is the placeholder of a SELECT without columns, whose rows count.
    """

    expression: Expression
    name: str
    position: int
    aliased: bool
    by_alias: s.Path | None = None
    of_star: bool = False
    is_aggregate: bool = False
    is_nothing: bool = False


@attrs.define(eq=False)
class GroupedTableFunction:
    """A table function in a grouped SELECT, which is computed from the columns of the groups.

    Attributes:
        inputs: Its arguments as columns of the groups; an argument that needs no column stays in the call.
    """

    function: UnresolvedCall
    given: Sequence[s.Name] | None
    position: int
    index: int
    inputs: list[Item] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.inputs = [
            Item(argument, f"_gen_input_{i}", self.position, True)
            for i, argument in enumerate(self.function.arguments)
            if _is_computed(argument)
        ]

    def over(self, fields: Sequence[FieldReference]) -> UnresolvedCall:
        """Return the call with its arguments replaced by the columns that hold them."""
        following = iter(fields)
        arguments = [next(following) if _is_computed(a) else a for a in self.function.arguments]
        return attrs.evolve(self.function, arguments=tuple(arguments))


def _is_computed(argument: Expression) -> bool:
    """Whether an argument depends on columns or rows."""
    for part in walk_written_parts([argument]):
        if isinstance(part, FieldReference):
            return True
        function = part.function if isinstance(part, UnresolvedCall) else None
        if isinstance(function, FunctionDefinition) and function.kind is FunctionKind.AGGREGATE:
            return True
    return False


def is_generator(expression: Expression) -> TypeGuard[UnresolvedCall]:
    """Whether an unresolved expression is a call of a table function."""
    return (
        isinstance(expression, UnresolvedCall)
        and isinstance(expression.function, FunctionDefinition)
        and expression.function.kind is FunctionKind.TABLE
    )


class Generators(Modifiers):
    """Joins the rows of table functions in a SELECT list."""

    def join_table_function(
        self,
        operation: QueryOperation,
        function: UnresolvedCall,
        given: Sequence[s.Name] | None,
        position: int,
    ) -> tuple[QueryOperation, list[Item]]:
        """Join the rows of a table function to each input row, and return its columns."""
        from ir.operations.lateral import right_columns
        from ir.resolution.lateral import join_lateral

        resolver = ExpressionResolver(ResolverScope((operation.schema,)), self.lookup, table_function=function)
        resolved = self.call_resolver(position, resolver.resolve, function)
        assert isinstance(resolved, Call)
        columns = right_columns(resolved)
        shown = [column.name for column in columns] if given is None else [name.text for name in given]
        if len(shown) != len(columns):
            message, _ = wrong_count(len(shown), [column.name for column in columns])
            raise Misread(given[0].position if given else position, message, "UDTF_ALIAS_NUMBER_MISMATCH")
        first = len(operation.schema)
        unique = make_distinct(shown, operation.schema.names)
        right = UnresolvedAlias(function, unique[0], tuple(unique[1:]))
        joined = self.call_resolver(
            position, join_lateral, operation, right, JoinType.INNER, None, self.lookup, "A table function in SELECT"
        )
        made = joined.schema.columns
        return joined, [
            Item(FieldReference(made[i].name, made[i].data_type, 0, i), name, position, True)
            for i, name in enumerate(shown, first)
        ]

    def join_grouped_table_function(
        self, late: Sequence[GroupedTableFunction], groups: Relation, items: Sequence[Item]
    ) -> tuple[list[Item], QueryOperation]:
        """Join the rows of a table function to each group, and return all columns of the SELECT.

        Raises:
            Misread: a grouped SELECT has several table functions.
        """
        if len(late) > 1:
            message = "A SELECT of groups takes one table function. Write the others in a query around it."
            raise Misread(late[1].position, message, "UNSUPPORTED_GENERATOR.MULTI_GENERATOR")
        generator, columns = late[0], groups.operation.schema.columns
        fields = [FieldReference(column.name, column.data_type, 0, i) for i, column in enumerate(columns)]
        before, after = generator.index, generator.index + len(generator.inputs)
        function = generator.over(fields[before:after])
        operation, given = self.join_table_function(groups.operation, function, generator.given, generator.position)
        kept = [Item(field, i.name, i.position, True) for field, i in zip(fields, items, strict=False)]
        return [*kept[:before], *given, *kept[after:]], operation
