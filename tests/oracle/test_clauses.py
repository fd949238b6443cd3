"""Clauses beside the calls of every function, under each of its names: DISTINCT, FILTER, IGNORE NULLS …

Each text is read here and analysed by Spark. Aggregates and window functions get each clause alone and a sample of
pairs of different kinds. Other functions accept none, so each of them gets one clause, a different one for each
function. If both accept a text, the types are compared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import combinations, product

import attrs
import pytest

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import ObjectIdentifier
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.types import BOOLEAN, INT, STRING, LogicalType, NullType
from tableapi import TableEnvironment
from tests.oracle.calls import COLUMNS, SOME_CALLS, argument_lists, call_or_none, usual_order
from tests.oracle.oracle import NOT_NULL, NULLABLE, TYPES, VIEW, Comparison, Oracle, holds_shapes
from tests.oracle.test_functions import OF_THE_JVM, text_of
from tests.programs.tables import environment_without_spark


def _column(data_type: LogicalType) -> str:
    return COLUMNS[TYPES.index(data_type)][0].as_serializable_string()


CONDITION, KEY, PARTITION = _column(BOOLEAN), _column(INT), _column(STRING)
# A call has at most one clause of each kind, written in this order.
INSIDE = ("DISTINCT ",)
ORDERS = (f" WITHIN GROUP (ORDER BY {KEY})", " WITHIN GROUP (ORDER BY {first})")
FILTERS = (f" FILTER (WHERE {CONDITION})",)
NULLS = (" IGNORE NULLS", " RESPECT NULLS")
WINDOWS = (
    " OVER ()",
    f" OVER (ORDER BY {KEY})",
    f" OVER (PARTITION BY {PARTITION} ORDER BY {KEY} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
)
KINDS = (INSIDE, ORDERS, FILTERS, NULLS, WINDOWS)
# The number of pairs of clauses for each function.
PAIRS = 8
# Functions of other kinds accept no clause.
OF_ROWS = (FunctionKind.AGGREGATE, FunctionKind.WINDOW)


def _clauses(most: int, kinds: Sequence[tuple[str, ...]] = KINDS) -> Iterator[tuple[str, ...]]:
    """Yield combinations of up to ``most`` clauses of different kinds; the text of an absent kind is empty."""
    for count in range(most + 1):
        for places in combinations(range(len(kinds)), count):
            yield from product(*[kind if place in places else ("",) for place, kind in enumerate(kinds)])


def _arguments(definition: FunctionDefinition) -> Iterator[tuple[ResolvedExpression, ...]]:
    """Yield accepted argument lists: for each number of arguments, the list with the most typed columns."""
    found: dict[int, tuple[int, tuple[ResolvedExpression, ...]]] = {}
    for given in argument_lists(definition, SOME_CALLS):
        if call_or_none(definition, given, order_by=usual_order(definition, given)) is not None:
            columns = sum(isinstance(a, FieldReference) and not isinstance(a.data_type, NullType) for a in given)
            if len(given) not in found or found[len(given)][0] < columns:
                found[len(given)] = columns, given
    yield from (given for _, given in found.values())


@attrs.frozen
class CallWithClauses:
    """The text of a call, its arguments, and the text of its clauses."""

    text: str
    arguments: tuple[ResolvedExpression, ...]
    clauses: tuple[str, ...]


def calls_with_clauses(definition: FunctionDefinition, names: Container[str]) -> Iterator[CallWithClauses]:
    """Yield calls with clauses; the first arguments of aggregates and window functions also get pairs of clauses."""
    lists = list(_arguments(definition))
    for name in definition.sql_names:
        if name not in names or not name.isidentifier() or BUILT_INS.find_in_sql(name) is not definition:
            continue
        for place, given in enumerate(lists if definition.kind in OF_ROWS else lists[:1]):
            written = [text_of(argument) for argument in given]
            if definition.kind in OF_ROWS:
                clauses = [*_clauses(1)]
                if place == 0:
                    chosen = random.Random(name)
                    clauses += chosen.sample([*_clauses(2)][len(clauses) :], PAIRS)
            else:
                turn = OTHERS.index(definition)
                clauses = [[*_clauses(1, [kind[:1] for kind in KINDS])][turn % (len(KINDS) + 1)]]
            for inside, order, condition, nulls, window in clauses:
                if None in written or ("{first}" in order and not written):
                    continue
                listed = ", ".join(map(str, written))
                text = (
                    f"{name}({inside}{listed}){order.replace('{first}', str(*written[:1]))}{condition}{nulls}{window}"
                )
                yield CallWithClauses(text, given, tuple(filter(None, (inside, order, condition, nulls, window))))


@cache
def environment_with_view() -> TableEnvironment:
    """Return an environment with the oracle's view."""
    env = environment_without_spark()
    columns = [*NULLABLE, *NOT_NULL]
    schema = ResolvedSchema.of([c.text for c in columns], [c.data_type for c in columns])
    env.create_temporary_view(VIEW, env.from_operation(Source(ObjectIdentifier(VIEW), schema)))
    return env


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    """The environment with the oracle's view."""
    return environment_with_view()


def inferred_type(env: TableEnvironment, query: str) -> LogicalType | None:
    """Return the type of the first column of a query; None if this library rejects the query."""
    try:
        return env.sql_query(query).query_operation.schema.columns[0].data_type
    except TableException:
        return None


# CASE is no call, and TRY_ELEMENT_AT of a map becomes m[k] here, which accepts more key types.
NOT_ASKED = frozenset({"CASE", "TRY_ELEMENT_AT"})
# Calls that Spark accepts and this library rejects, by the beginning of the text, with the reason.
ON_PURPOSE = {
    "ANY_VALUE(DISTINCT ": "any of the different values is any value, and Spark takes DISTINCT for a name or a type "
    "there wherever anything but a name follows it",
    "SCHEMA_OF_VARIANT_AGG(DISTINCT ": "the query would fail as it runs: values of type VARIANT have no order",
}


def _is_never_cast(env: TableEnvironment, query: str) -> bool:
    """Whether a query is rejected for a constant whose cast fails in Spark; test_text_casts compares such queries."""
    try:
        env.sql_query(query)
    except TableException as refused:
        return refused.condition == "CAST_INVALID_INPUT"
    return False


def _has_different_shapes(text: str) -> bool:
    """Whether a call applies DISTINCT to geometries, so that the query would fail at run time."""
    shapes = {o.text for o in (*NULLABLE, *NOT_NULL) if holds_shapes(o.data_type)}
    return "(DISTINCT " in text and not shapes.isdisjoint(re.findall(r"\w+", text))


def _disagreements(env: TableEnvironment, oracle: Oracle, functions: Sequence[FunctionDefinition]) -> list[str]:
    names = {row[0].upper() for row in oracle.spark.sql("SHOW SYSTEM FUNCTIONS").collect()} - NOT_ASKED
    texts = [call.text for function in functions for call in calls_with_clauses(function, names)]
    queries = [f"SELECT {text} AS made FROM {VIEW}" for text in texts]
    found = Comparison()
    types = [inferred_type(env, query) for query in queries]
    actual_types = oracle.types_of_queries(queries, types)
    for text, query, inferred, actual in zip(texts, queries, types, actual_types, strict=True):
        agreed = inferred is None and (
            text.startswith(tuple(ON_PURPOSE)) or _has_different_shapes(text) or _is_never_cast(env, query)
        )
        found.add(text, actual if agreed else inferred, actual)
    assert found.asked > 0
    return found.disagreements


AGGREGATES = [d for d in BUILT_INS if d.emission.in_spark and d.kind in OF_ROWS and d not in KEY_FUNCTIONS]
# REFLECT asks the JVM whether it has a class and a method.
OTHERS = [d for d in BUILT_INS if d.emission.in_spark and d.kind is FunctionKind.SCALAR and d not in OF_THE_JVM]
AT_ONCE = 200


@pytest.mark.parametrize("definition", AGGREGATES, ids=lambda d: d.name)
def test_functions_of_rows(env: TableEnvironment, oracle: Oracle, definition: FunctionDefinition) -> None:
    assert _disagreements(env, oracle, [definition]) == []


@pytest.mark.parametrize("start", range(0, len(OTHERS), AT_ONCE))
def test_other_functions(env: TableEnvironment, oracle: Oracle, start: int) -> None:
    assert _disagreements(env, oracle, OTHERS[start : start + AT_ONCE]) == []
