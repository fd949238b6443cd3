"""Loosened queries: with the influences of a query, and with rows where hardly any row meets all of its conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ir.call_expressions import Call
from ir.calls import call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.comparison import EQUALS, LESS_THAN
from ir.functions.definition import FunctionDefinition
from ir.functions.logic import OR
from ir.literals import literal
from ir.normalization.blocks import conjunction, conjuncts
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from ir.rewriting import rebuild_over_changed

# Of 8 rows that miss a condition, the loosened one keeps 5.
_OF, _KEPT = 8, 5


def loosened_texts(query: QueryOperation, namespace: str) -> Iterator[str]:
    """Yield texts of loosened queries: with all filters loosened, and with those outside of subqueries alone.

    Args:
        query: the original.
        namespace: the catalog and database of its tables, which the texts leave out.
    """
    prefix = re.compile(r"\.".join(f"`?{part}`?" for part in namespace.split(".")) + r"\.")
    outside = set(query.walk())
    for loosened in (loosen(query), loosen(query, outside)):
        yield prefix.sub("", loosened.as_serializable_string(layout=Layout.MERGED))


def loosen(query: QueryOperation, chosen: set[QueryOperation] | None = None) -> QueryOperation:
    """Return a query whose filters keep more rows, and read the same columns for it.

    A condition becomes ``condition OR PMOD(HASH(its columns), 8) < 5``. Comparisons of two columns, which join tables,
    stay as they are.

    Args:
        query: the original.
        chosen: the filters that are loosened, by default all. In a scalar subquery, more rows may be an error, and in
            NOT EXISTS, they leave fewer rows around it.
    """
    done: dict[QueryOperation, QueryOperation] = {}
    for current in query.walk_with_subqueries():
        made = rebuild_over_changed(current, done)
        if isinstance(made, Filter) and (chosen is None or current in chosen):
            made = made.evolve(condition=conjunction([_loosen(one) for one in conjuncts(made.condition)]))
        done[current] = made
    return done[query]


def _loosen(condition: ResolvedExpression) -> ResolvedExpression:
    columns = list(dict.fromkeys(part for part in condition.walk() if isinstance(part, FieldReference)))
    if not columns or _compares_columns(condition):
        return condition
    number = call(_function("pmod"), (call(_function("hash"), columns), literal(_OF)))
    return call(OR, (condition, call(LESS_THAN, (number, literal(_KEPT)))))


def _compares_columns(condition: ResolvedExpression) -> bool:
    is_equality = isinstance(condition, Call) and condition.function is EQUALS
    return is_equality and all(isinstance(child, FieldReference) for child in condition.children)


def _function(name: str) -> FunctionDefinition:
    found = BUILT_INS.find(name)
    assert found is not None
    return found
