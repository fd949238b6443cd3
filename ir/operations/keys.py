"""Checks the types of group keys, sort keys, and rows that are compared."""

from __future__ import annotations

from collections.abc import Iterable

from ir.casts import has_equality, is_groupable, is_orderable, name_unordered_type, ungroupable_type
from ir.errors import ValidationException, listing
from ir.expressions import ResolvedExpression
from ir.messages import Term, message
from ir.schema import ResolvedSchema


def require_groupable(keys: Iterable[ResolvedExpression]) -> None:
    """Reject group keys whose type cannot be grouped. Maps can.

    Raises:
        ValidationException: a key is or contains a VARIANT, GEOMETRY or GEOGRAPHY.
    """
    for key in keys:
        if not is_groupable(key.data_type):
            kind = ungroupable_type(key.data_type)
            raise ValidationException(
                message(
                    "{GROUP_BY} cannot group by {key}: values of type {kind} cannot be grouped.",
                    key=_describe_key(key),
                    kind=kind,
                ),
                clause="GROUP BY",
                condition="GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE",
                part=key,
            )


def require_orderable(keys: Iterable[ResolvedExpression], method: str = "order_by", clause: str = "ORDER BY") -> None:
    """Reject sort keys whose type has no order.

    Raises:
        ValidationException: a key is or contains a MAP, VARIANT, GEOMETRY or GEOGRAPHY.
    """
    for key in keys:
        if not is_orderable(key.data_type):
            raise ValidationException(
                message(
                    "{clause} cannot sort by {key}: values of type {kind} have no order.",
                    clause=Term(method, clause),
                    # In SQL, a key that is no column of the SELECT has a generated name.
                    key=Term(_describe_key(key), f"a value of type {key.data_type.as_summary_string()}"),
                    kind=name_unordered_type(key.data_type),
                ),
                condition="DATATYPE_MISMATCH.INVALID_ORDERING_TYPE",
                part=key,
            )


def require_comparable(schema: ResolvedSchema, operation: str, *, joins: bool = False) -> None:
    """Reject an operation that compares rows if a column cannot be compared.

    Spark runs some of these operations as joins (``joins``), whose conditions only compare values with an order.

    Raises:
        ValidationException: a column is or contains a MAP, VARIANT, GEOMETRY or GEOGRAPHY.
    """
    accepted = is_orderable if joins else has_equality
    refused = [repr(column) for column in schema.columns if not accepted(column.data_type)]
    if refused:
        unordered = next(name_unordered_type(c.data_type) for c in schema.columns if not accepted(c.data_type))
        raise ValidationException(
            f"{operation} compares whole rows, and values of type {unordered} cannot be compared: "
            f"{listing(refused)}. Leave such columns out before.",
            condition="UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE",
        )


def _describe_key(key: ResolvedExpression) -> str:
    return f"{key.as_summary_string()} of type {key.data_type.as_summary_string()}"
