"""Reject expressions that are nested too deeply for the stack of Spark's threads, before Spark sees them."""

from __future__ import annotations

from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.operations.operation import QueryOperation

# Measured on threads of 1 MB, the default. These ran: 800 terms of +, 700 nested calls or parenthesized AND and OR, and
# 500 CASE expressions, each in the ELSE of another. All of them fail with 1,000; Spark may take minutes to fail.
_LEVELS_OF_MEGABYTE = 800


def require_shallow(operation: QueryOperation, stack: int) -> None:
    """Check that Spark can parse each expression of a query on threads with ``stack`` kilobytes of stack.

    Raises:
        TableException: an expression is nested too deeply; the message gives its depth and a remedy.
    """
    most = _LEVELS_OF_MEGABYTE * stack // 1024
    depths: dict[ResolvedExpression, int] = {}
    for current in operation.walk_with_subqueries():
        for root in current.expressions:
            for part in root.walk() if root not in depths else ():
                depths[part] = 1 + max([depths[child] for child in part.children], default=0)
            if depths[root] > most:
                raise TableException(
                    f"{current.title}: an expression has {depths[root]:,} levels of operators and calls in each other; "
                    f"Spark takes about {most:,} with a stack of {stack // 1024 or 1} MB in its threads, as this "
                    "session has. Start Spark with a larger one (spark.driver.extraJavaOptions=-Xss64m), or nest less: "
                    "conditions joined by AND or OR count as one level, and so do the branches of one CASE."
                )
