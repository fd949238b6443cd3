"""Finds the queries that a text reads in several places."""

from __future__ import annotations

from ir.contents import QUERY
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.source import Source


def find_repeated_queries(root: QueryOperation) -> set[QueryOperation]:
    """Return the operations that are read at least twice, except tables."""
    found = {root: 1}
    pending = [root]
    # The loop appends to the list.
    for operation in pending:
        for read in operation.inputs:
            if read in found:
                found[read] = 2
            else:
                found[read] = 1
                pending += (read,)
        if operation.subqueries:
            for read, times in _queries_in(operation).items():
                if read not in found:
                    pending += (read,)
                    found[read] = times
                else:
                    found[read] = 2
    return {operation for operation, times in found.items() if times > 1 and type(operation) is not Source}


def _queries_in(operation: QueryOperation) -> dict[QueryOperation, int]:
    """Return the number of references to each subquery in the expressions of an operation, at most 2."""
    found: dict[QueryOperation, int] = {}
    for expression in operation.expressions:
        if not expression.contents & QUERY:
            continue
        times = {expression: 1}
        # The walk visits each part after the parts that contain it.
        for part in reversed(list(expression.walk())):
            own = times[part]
            if type(part) is TableReference:
                found[part.operation] = 2 if own > 1 or part.operation in found else 1
            for child in part.children:
                times[child] = 2 if own > 1 or child in times else 1
    return found
