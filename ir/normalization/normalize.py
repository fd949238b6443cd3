"""The normal form of a query."""

from __future__ import annotations

from ir.equal_names import change_query
from ir.normalization.folding import fold
from ir.normalization.rebuilding import rebuild
from ir.normalization.value_names import standardize_value_names
from ir.operations.operation import QueryOperation


def normalize(operation: QueryOperation) -> QueryOperation:
    """Return an equivalent query with as few SELECT blocks as the layout MERGED writes.

    Queries with the same text in that layout have the same normal form, and the normal form is its own.
    """
    return change_query(operation, _normalize)


def _normalize(operation: QueryOperation) -> QueryOperation:
    while True:
        # Parts that become equal are shared from then on, which may prevent further folding.
        made = rebuild(fold(standardize_value_names(operation, by_position=True)))
        if made is operation:
            return made
        operation = made
