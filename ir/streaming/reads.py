"""The streams that an operation reads: its inputs, and the right side of a semi join."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.operations.semi_join import find_matches


def list_streams(operation: QueryOperation) -> list[QueryOperation]:
    """Return the inputs of an operation whose rows do not end, and the right side of a semi join with a stream."""
    found = [read for read in operation.inputs if read.is_unbounded]
    matches = find_matches(operation)
    return found if matches is None else [*found, matches.input]
