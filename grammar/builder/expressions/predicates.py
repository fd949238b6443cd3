"""Builds predicates with keywords, such as BETWEEN, IN, LIKE and IS NULL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions import calls
from grammar.builder.expressions.operands import (
    Make,
    TableOf,
    is_value_of_query,
    membership_of,
    negate_if,
    operator,
    symmetric_between,
)
from grammar.builder.expressions.patterns import build_like_several, refuse_no_patterns
from grammar.builder.select.stars import star_of
from grammar.errors import Misread
from grammar.language import Form, Language
from ir.expressions import Expression
from ir.functions import comparison as c
from ir.functions import logic as lg
from ir.identifiers import fold
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions
from grammar.builder.clause_names import ClauseNames


def predicate(
    builder: BuildsExpressions, node: s.Predicate, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
) -> None:
    """Schedule the building of a predicate."""
    make, children = _parts(builder, node, names)

    def marked(operands: list[Expression]) -> Expression:
        made = make(operands)
        assert isinstance(made, UnresolvedCall)
        if node.negated and made.function is lg.NOT:
            builder.places.mark(made.arguments[0], node.position, children)
        return made

    builder.push(work, marked, children, inside, node.position)


def _parts(builder: BuildsExpressions, node: s.Predicate, names: ClauseNames) -> tuple[Make, list[Any]]:
    negated, operands = node.negated, node.operands
    if node.kind == "between":
        function = c.NOT_BETWEEN if negated else c.BETWEEN
        if node.detail:
            form = Form.BETWEEN_SYMMETRIC if node.detail == "SYMMETRIC" else Form.BETWEEN_ASYMMETRIC
            builder.language.refuse(form, node.position)
        if node.detail == "SYMMETRIC":
            return (lambda o: symmetric_between(o, function, negated)), operands
        return (lambda o: UnresolvedCall(function, tuple(o))), operands
    if node.kind == "in":
        return membership_of(negated), _members(builder, node, names)
    if node.kind == "like":
        refuse_no_patterns(node)
        function = operator(_LIKE.get(node.detail, node.detail))
        return negate_if(lambda o: UnresolvedCall(function, tuple(o)), negated), operands
    if node.kind == "like_any":
        return build_like_several(builder, node)
    if node.kind == "is_null":
        function = c.IS_NOT_NULL if negated else c.IS_NULL
    elif node.kind == "is_truth":
        function = _TRUTHS[node.detail, negated]
    elif node.kind == "is_distinct":
        function = c.IS_NOT_DISTINCT_FROM if negated else c.IS_DISTINCT_FROM
    elif node.kind == "is_json":
        function = operator(f"IS JSON {node.detail}".rstrip())
        return negate_if(lambda o: UnresolvedCall(function, tuple(o)), negated), operands
    elif node.kind == "overlaps":
        from ir.functions.time_units import TEMPORAL_OVERLAPS

        return (lambda o: UnresolvedCall(TEMPORAL_OVERLAPS, tuple(o))), _periods(node)
    else:
        function = operator(_PREDICATES[node.kind])
        return negate_if(lambda o: UnresolvedCall(function, tuple(o)), negated), operands
    return (lambda o: UnresolvedCall(function, tuple(o))), operands


def _members(builder: BuildsExpressions, node: s.Predicate, names: ClauseNames) -> list[Any]:
    """Return the operands of IN: the value, and either the listed values with stars expanded, or a subquery.

    Raises:
        Misread: neither values nor a query follow IN.
    """
    value, right = node.operands
    text = builder.places.text
    if is_value_of_query(right, text):
        return [value, right]
    if type(right) is s.ScalarSubquery:
        _refuse_call_of_values(builder.language, right.query)
        return [value, TableOf(right.query)]
    if type(right) is s.Parenthesised:
        return [value, right.inner]
    if type(right) is s.Row:
        items = right.items
    elif type(right) is s.Star and text[: right.position].rstrip().endswith("("):
        items = [right]
    else:
        message = "After IN stand values or a query in parentheses."
        if type(right) is s.Call and [fold(name.text) for name in right.function.names] == ["unnest"]:
            message += " For the elements of an array write ARRAY_CONTAINS(array, value)."
        raise Misread(right.position, message, "PARSE_SYNTAX_ERROR")
    members: list[Any] = []
    for item in items:
        members += [column.field for column in star_of(item, names)] if type(item) is s.Star else [item]
    return [calls.name_fields_by_position(value), *map(calls.name_fields_by_position, members)]


def _refuse_call_of_values(language: Language, query: Any) -> None:
    """Reject a parenthesised VALUES row directly after IN, because Spark reads it as a call of a function VALUES.

    Raises:
        Misread: the query is such a VALUES.
    """
    if type(query) is s.InlineValues and type(query.rows[0]) in (s.Row, s.Parenthesised):
        language.refuse(Form.VALUES_AFTER_IN, query.position)


def _periods(node: s.Predicate) -> list[Any]:
    """Return the four operands of OVERLAPS.

    Raises:
        Misread: the operands are not two pairs.
    """
    pairs = [operand.items for operand in node.operands if type(operand) is s.Row and len(operand.items) == 2]
    if len(pairs) != 2:
        raise Misread(node.position, "OVERLAPS stands between two periods: (start, end) OVERLAPS (start, length).")
    return [*pairs[0], *pairs[1]]


_LIKE = {"REGEXP": "RLIKE"}
_PREDICATES = {"similar": "SIMILAR TO"}
_TRUTHS = {
    ("TRUE", False): lg.IS_TRUE,
    ("TRUE", True): lg.IS_NOT_TRUE,
    ("FALSE", False): lg.IS_FALSE,
    ("FALSE", True): lg.IS_NOT_FALSE,
    ("UNKNOWN", False): lg.IS_UNKNOWN,
    ("UNKNOWN", True): lg.IS_NOT_UNKNOWN,
}
