"""Names of a SELECT's columns that stand for what is written there, once more: not for what has another value then."""

from __future__ import annotations

from grammar.errors import Misread
from ir.determinism import nondeterministic_call
from ir.expressions import Expression, ResolvedExpression, UnresolvedCall, written_parts
from ir.functions.definition import FunctionDefinition


def refuse_again(expression: Expression, position: int, name: str) -> None:
    """Refuse a name that stands for an expression which has another value each time that it is evaluated.

    Raises:
        Misread: it does.
    """
    for part in written_parts([expression]):
        if isinstance(part, UnresolvedCall) and isinstance(part.function, FunctionDefinition):
            again = not part.function.is_deterministic
            shown = part.function.sql_name
        elif isinstance(part, ResolvedExpression):
            call = nondeterministic_call(part)
            again, shown = call is not None, "" if call is None else call.function.sql_name
        else:
            continue
        if again:
            raise Misread(
                position,
                f"The column {name} would be computed once more here, and {shown} has another value each time. Select "
                f"it in a subquery, and use the column: SELECT … FROM (SELECT …, {shown}(…) AS {name} FROM …).",
            )
