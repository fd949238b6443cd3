"""What may be a key of groups or of a sort, and of which rows duplicates can be found."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir.casts import is_groupable, is_orderable
from ir.errors import ValidationException, listing
from ir.expressions import ResolvedExpression
from ir.schema import ResolvedSchema
from ir.types import LogicalType


def require_groupable(keys: Iterable[ResolvedExpression]) -> None:
    """Refuse group keys whose values cannot be grouped; maps can.

    Raises:
        ValidationException: a key is or contains a VARIANT.
    """
    _require(keys, is_groupable, "group_by cannot group by {}: values of type VARIANT cannot be grouped.")


def require_orderable(keys: Iterable[ResolvedExpression]) -> None:
    """Refuse sort keys whose values have no order.

    Raises:
        ValidationException: a key is or contains a MAP or a VARIANT.
    """
    _require(keys, is_orderable, "order_by cannot sort by {}: values of type MAP or VARIANT have no order.")


def require_comparable(schema: ResolvedSchema, operation: str) -> None:
    """Refuse an operation that finds equal rows where a column cannot be compared.

    Raises:
        ValidationException: a column is or contains a MAP or a VARIANT.
    """
    refused = [repr(column) for column in schema.columns if not is_orderable(column.data_type)]
    if refused:
        raise ValidationException(
            f"{operation} compares whole rows, and values of type MAP or VARIANT cannot be compared: "
            f"{listing(refused)}. Leave such columns out before."
        )


def _require(keys: Iterable[ResolvedExpression], accepts: Callable[[LogicalType], bool], message: str) -> None:
    for key in keys:
        if not accepts(key.data_type):
            shown = f"{key.as_summary_string()} of type {key.data_type.as_summary_string()}"
            raise ValidationException(message.format(shown))
