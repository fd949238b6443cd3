"""Calls that can raise at run time for some values: a division by zero, an invalid number in a string.

A condition that drops such rows has to be evaluated first. Overflow is ignored, since every sum could overflow.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.expressions import ResolvedExpression


def may_fail(root: ResolvedExpression) -> bool:
    """Whether an expression can raise an error at run time.

    >>> from ir.functions.arithmetic import DIVIDE, PLUS
    >>> from ir.calls import call
    >>> from ir.literals import literal
    >>> may_fail(call(PLUS, (literal(6), literal(3)))), may_fail(call(DIVIDE, (literal(6), literal(3))))
    (False, True)
    """
    return any(isinstance(part, Call) and _can_fail(part) for part in root.walk())


def _can_fail(call: Call) -> bool:
    can_fail = call.function.can_fail
    return can_fail if isinstance(can_fail, bool) else can_fail(call.arguments)
