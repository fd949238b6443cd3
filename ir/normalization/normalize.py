"""The normal form of a query."""

from __future__ import annotations

from ir.contents import EQUAL_NAMES
from ir.equal_names import give_equal_names, make_names_distinct
from ir.normalization.folding import fold
from ir.normalization.rebuilding import rebuild
from ir.normalization.value_names import without_names_of_values
from ir.operations.operation import QueryOperation


def normalize(operation: QueryOperation) -> QueryOperation:
    """Return the query that has the same rows and is made of as few SELECT blocks as the layout MERGED.

    Queries whose text in that layout is the same have the same normal form; it is its own.
    """
    if operation.schema.holds & EQUAL_NAMES:
        return give_equal_names(normalize(make_names_distinct(operation)), operation.schema.names)
    while True:
        # Parts that become equal are shared from then on, which may keep them from being folded.
        made = rebuild(fold(without_names_of_values(operation, by_position=True)))
        if made is operation:
            return made
        operation = made
