"""Lowering of aggregate functions that Spark lacks: ``SUM0(x)`` becomes ``COALESCE(SUM(x), 0)``."""

from __future__ import annotations

from ir import calls
from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.functions.aggregate import SUM, SUM0
from ir.functions.logic import COALESCE
from ir.lowerings.floating_point import zero_of
from ir.lowerings.lowering import Lowering


def _lower_sum0(sum0: Call) -> ResolvedExpression:
    total = calls.call(SUM, sum0.arguments, calls.Clauses(sum0.distinct, sum0.filter))
    return Call(COALESCE, (total, zero_of(total.data_type)), sum0.data_type)


def _raise_sum0(coalesce: Call) -> ResolvedExpression | None:
    if len(coalesce.arguments) != 2:
        return None
    total, zero = coalesce.arguments
    if isinstance(total, Over) and total.call.function is SUM and zero is zero_of(total.data_type):
        call = calls.call(SUM0, total.call.arguments, calls.Clauses(filter=total.call.filter))
        return total.evolve(call=call)
    if isinstance(total, Call) and total.function is SUM and zero is zero_of(total.data_type):
        return calls.call(SUM0, total.arguments, calls.Clauses(total.distinct, total.filter))
    return None


LOWERINGS = (Lowering(SUM0, COALESCE, _lower_sum0, _raise_sum0),)
