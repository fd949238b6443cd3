"""Resolution of set operations."""

from __future__ import annotations

from ir.casts import cast_is_nullable, set_operation_type, union_type
from ir.contents import CHANGES
from ir.errors import ValidationException
from ir.messages import Term, message
from ir.operations.keys import require_comparable
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.schema import Column
from ir.types import CharacterType, LogicalType


def combine_sets(
    left: QueryOperation, right: QueryOperation, kind: SetOperationType, keep_duplicates: bool
) -> SetOperation:
    """Return the union, intersection or difference of two operations, whose columns are matched by position.

    Raises:
        ValidationException: the numbers of columns differ, the types at a position have no common type, or rows that
            are changes would be compared without their kinds.
    """
    name = kind.value.lower()
    if len(left.schema) != len(right.schema):
        raise ValidationException(
            f"The {name} operation on two tables of different column sizes: {len(left.schema)} and "
            f"{len(right.schema)} is not supported. Select the same number of columns on both sides. Left: "
            f"{left.schema!r}, right: {right.schema!r}.",
            condition="NUM_COLUMNS_MISMATCH",
        )
    types = []
    is_text_cast = False
    common_type = union_type if kind is SetOperationType.UNION else set_operation_type
    for position, (ours, theirs) in enumerate(zip(left.schema.columns, right.schema.columns, strict=True)):
        common = common_type(ours.data_type, theirs.data_type)
        if common is None:
            raise ValidationException(
                message(
                    "Column {position} of both sides of {name} has no common type: on the left it is {ours!r}, on the "
                    "right {theirs!r}. Cast one of the two columns to the type of the other.",
                    position=position + 1,
                    name=Term(name, kind.value),
                    ours=ours,
                    theirs=theirs,
                ),
                condition="INCOMPATIBLE_COLUMN_TYPE",
            )
        nullable = _infer_set_nullability(ours, theirs, common, kind)
        sides = isinstance(ours.data_type, CharacterType), isinstance(theirs.data_type, CharacterType)
        is_text_cast = is_text_cast or sides[0] != sides[1]
        types.append(common.with_nullability(nullable))
    schema = left.schema.with_types(types)
    if kind is not SetOperationType.UNION or not keep_duplicates:
        joins = kind is not SetOperationType.UNION and not keep_duplicates
        require_comparable(schema, f"{kind.value}{' ALL' if keep_duplicates else ''}", joins=joins)
    made = SetOperation(kind, keep_duplicates, left, right, schema)
    if made.compares_rows and made.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_rows

        for side in made.inputs:
            refuse_retractions_in_rows(side, name, f"{kind.value}{' ALL' if keep_duplicates else ''}")
    if is_text_cast:
        from ir.calls.implicit_casts import notice_column_casts

        notice_column_casts(made)
    return made


def _infer_set_nullability(ours: Column, theirs: Column, common: LogicalType, kind: SetOperationType) -> bool:
    """Return whether a result column is nullable, as in Spark's ``SetOperation.output`` after the casts."""
    if kind is SetOperationType.UNION:
        return common.nullable
    of_left = cast_is_nullable(ours.data_type, common)
    return of_left and (kind is SetOperationType.MINUS or cast_is_nullable(theirs.data_type, common))
