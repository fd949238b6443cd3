"""The form of each call in which Flink must read it to mean what it means here."""

from __future__ import annotations

from ir.call_expressions import Call, Over
from ir.errors import TableException
from ir.expressions import Lambda, ResolvedExpression
from ir.flink import aggregates, arithmetic, collections, comparisons, hashing, mathematics, temporal, text
from ir.flink.arguments import (
    Forms,
    add_casts,
    reject,
)
from ir.flink.casts import NoForm
from ir.flink.collections import is_empty_collection
from ir.flink.windows import WINDOW_FORMS, build_flink_over, picking_call
from ir.functions import aggregate as agg
from ir.functions import comparison as cmp
from ir.functions.collection import CARDINALITY, GET, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.time_window import TIME_WINDOWS
from ir.lowerings import lower_for_spark
from ir.rewriting import transform
from ir.types import ArrayType

# Functions that accept any type, so that Spark adds no implicit casts.
_AS_GIVEN = (GET, ROW, CARDINALITY, cmp.IS_NULL, cmp.IS_NOT_NULL, agg.COUNT)


def form_of(part: ResolvedExpression) -> ResolvedExpression:
    """Return the form of one call whose arguments already have their forms; the types stay those of Spark."""
    try:
        if isinstance(part, Over):
            return build_flink_over(part, form_of(picking_call(part.call)))
        if isinstance(part, Lambda):
            raise NoForm("Flink's SQL has no lambdas")
    except NoForm as reason:
        raise refusal(part, reason) from None
    if not isinstance(part, Call):
        return part
    try:
        if part.function not in (CAST, TRY_CAST) and any(map(is_empty_collection, part.arguments)):
            raise NoForm(UNTYPED_COLLECTION)
        if part.function in WINDOW_FORMS:
            return WINDOW_FORMS[part.function](add_casts(part))
        if not part.function.emission.in_flink:
            raise NoForm(part.function.documentation.difference.rstrip(".") or "Flink has no such function")
        if part.order_by:
            raise NoForm("its aggregates take no order by WITHIN GROUP")
        special = _FORMS.get(part.function)
        if special is not None:
            return special(part)
        return part if part.function in _AS_GIVEN else add_casts(part)
    except NoForm as reason:
        raise refusal(part, reason) from None


def refusal(part: ResolvedExpression, reason: NoForm) -> TableException:
    """Return the error about a part that has no form."""
    return TableException(
        f"{part.as_summary_string()} has no text in Flink's SQL that means the same: {reason}. Serialise it with the "
        "dialect SPARK."
    )


UNTYPED_COLLECTION = "an empty collection has no type there; cast it to one"


def _sum0(part: Call) -> ResolvedExpression:
    # Flink's SQL lacks SUM0, too.
    return transform(lower_for_spark(part), form_of)


def _get(part: Call) -> ResolvedExpression:
    if isinstance(part.arguments[0].data_type, ArrayType):
        raise NoForm("it takes no field of each row of an array")
    return part


_FORMS: Forms = {
    **arithmetic.FORMS,
    **mathematics.FORMS,
    **hashing.FORMS,
    **comparisons.FORMS,
    **text.FORMS,
    **temporal.FORMS,
    **aggregates.FORMS,
    **collections.FORMS,
    agg.SUM0: _sum0,
    GET: _get,
    **dict.fromkeys(TIME_WINDOWS, reject("{name} is a table function there, which the text of a query has")),
}
