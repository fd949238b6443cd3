"""Recursive queries: their columns and types."""

from __future__ import annotations

from collections.abc import Sequence

from ir import types as t
from ir.cast_rules import differ_at_most_in_nullability
from ir.common_types import set_operation_type
from ir.errors import ValidationException
from ir.operations.operation import QueryOperation
from ir.operations.recursion import Recursion, RecursiveReference, references
from ir.operations.set_operation import SetOperationType
from ir.resolution.operations import rename_all
from ir.resolution.set_operations import combine_sets
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType


def reference_to(name: str, base: QueryOperation, names: Sequence[str]) -> RecursiveReference:
    """Return the reference of a recursive query to itself: the columns of the base, all nullable."""
    types = [_nullable(column.data_type) for column in base.schema.columns]
    return RecursiveReference(name, ResolvedSchema.of(list(names), types))


def recursion(
    name: str, base: QueryOperation, step: QueryOperation, names: Sequence[str], limit: int | None
) -> QueryOperation:
    """Return the rows of ``base`` and those that ``step`` repeatedly computes from them.

    Raises:
        ValidationException: base and step have different columns, or the step refers to the query where Spark cannot.
    """
    if all(reference.name != name for reference in references(step)):
        return rename_all(combine_sets(base, step, SetOperationType.UNION, True), names)
    if len(base.schema) != len(step.schema):
        raise ValidationException(
            f"The recursive query {name!r} begins with {len(base.schema)} columns and goes on with {len(step.schema)}."
        )
    columns = []
    for given, first, next_ in zip(names, base.schema.columns, step.schema.columns, strict=True):
        common = set_operation_type(first.data_type, next_.data_type)
        if common is None or not differ_at_most_in_nullability(common, first.data_type):
            raise ValidationException(
                f"The column {given!r} of the recursive query {name!r} begins as {first.data_type.as_summary_string()} "
                f"and goes on as {next_.data_type.as_summary_string()}, which that cannot hold. Cast one to the type "
                "of the other."
            )
        columns.append(Column(given, common))
    return Recursion(name, base, step, limit, ResolvedSchema(tuple(columns)))


def _nullable(data_type: LogicalType) -> LogicalType:
    """Return a type with all its parts nullable; iterate, so that depth costs no recursion."""
    done: list[LogicalType] = []
    pending: list[tuple[LogicalType, bool]] = [(data_type, False)]
    while pending:
        current, ready = pending.pop()
        if not ready and current.children:
            pending.append((current, True))
            pending += [(child, False) for child in reversed(current.children)]
        else:
            count = len(current.children)
            inner = done[len(done) - count :]
            del done[len(done) - count :]
            done.append(_replace_children(current, inner).as_nullable())
    return done[0]


def _replace_children(data_type: LogicalType, children: Sequence[LogicalType]) -> LogicalType:
    match data_type:
        case t.ArrayType():
            return data_type.evolve(element=children[0])
        case t.MapType():
            return data_type.evolve(key=children[0].not_null(), value=children[1])
        case t.RowType():
            fields = [f.evolve(data_type=child) for f, child in zip(data_type.fields, children, strict=True)]
            return data_type.evolve(fields=tuple(fields))
        case _:
            return data_type
