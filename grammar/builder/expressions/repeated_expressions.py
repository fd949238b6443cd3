"""Rejects column names that repeat a nondeterministic expression of the SELECT."""

from __future__ import annotations

from grammar.errors import Misread
from ir.determinism import nondeterministic_call
from ir.expressions import Expression, ResolvedExpression
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.unresolved import UnresolvedCall, walk_written_parts


def refuse_again(expression: Expression, position: int, name: str, *, of_groups: bool = False) -> None:
    """Reject a name whose expression is nondeterministic, because the name would evaluate it again.

    ``of_groups`` says that equal aggregates are computed once, as those of SELECT and HAVING are.

    Raises:
        Misread: the expression is nondeterministic.
    """
    for part in walk_written_parts([expression]):
        if isinstance(part, UnresolvedCall) and isinstance(part.function, FunctionDefinition):
            is_once = of_groups and part.function.kind is FunctionKind.AGGREGATE
            again = not is_once and not part.function.is_deterministic
            shown = part.function.sql_name
        elif isinstance(part, ResolvedExpression):
            call = nondeterministic_call(part, or_ordered_aggregate=True)
            again, shown = call is not None, "" if call is None else call.function.sql_name
        else:
            continue
        if again:
            raise Misread(
                position,
                f"The column {name} would be computed once more here, and {shown} has another value each time. Select "
                f"it in a subquery, and use the column: SELECT … FROM (SELECT …, {shown}(…) AS {name} FROM …).",
            )
