"""Expressions that are nested too deeply for the stack of Spark's threads, refused before Spark sees them."""

from __future__ import annotations

from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.operations.operation import QueryOperation

# Measured on threads of 1 MB, the default: 800 terms of +, 700 calls in each other or parentheses of AND and OR ran, of
# 500 CASE each is the ELSE of the next one; none of them with 1,000. Spark may take minutes to find that out by itself.
_LEVELS_OF_MEGABYTE = 800


def require_shallow(operation: QueryOperation, stack: int) -> None:
    """Refuse a query with an expression that Spark cannot parse on threads with a stack of so many kilobytes.

    Raises:
        TableException: there is one; the message says how deep it is, and what helps.
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
