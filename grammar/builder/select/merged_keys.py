"""Determines whether names of merged join keys are ambiguous behind a SELECT.

A SELECT may name a key that USING or NATURAL has merged, with its relation: ``b.k`` after ``a JOIN b USING (k)``. Spark
then adds the key to the columns of FROM, so that ``k`` is ambiguous. It does so between two passes of its analyzer, and
resolves HAVING and the sort keys in the pass in which it has resolved the SELECT. So ``k`` is ambiguous if the SELECT
takes a pass more than its names: for a call of a function of columns, a window, a subquery or an implicit cast. An
alias in GROUP BY is resolved as late as these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions.within import parts_within
from grammar.builder.scopes import Scope
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import contains_part, is_aggregate
from grammar.errors import Misread
from ir.expressions import Expression, FieldReference, ValueLiteral
from ir.functions.arithmetic import DIV, DIVIDE, MINUS, MOD, PLUS, TIMES
from ir.functions.collection import ROW
from ir.functions.comparison import (
    BETWEEN,
    EQUALS,
    GREATER_THAN,
    GREATER_THAN_OR_EQUAL,
    IN,
    IS_DISTINCT_FROM,
    IS_NOT_DISTINCT_FROM,
    LESS_THAN,
    LESS_THAN_OR_EQUAL,
    NOT_BETWEEN,
    NOT_EQUALS,
)
from ir.functions.string import CONCAT
from ir.identifiers import fold
from ir.operations.operation import TableReference
from ir.operations.outer_references import outer_references
from ir.types import CharacterType, NumericType
from ir.unresolved import UnresolvedCall, walk_written_parts

if TYPE_CHECKING:
    from ir.resolution.grouping import Grouping

# Functions that cast a number beside a string, or the string.
_OF_ONE_TYPE = frozenset(
    {
        PLUS,
        MINUS,
        TIMES,
        DIVIDE,
        MOD,
        DIV,
        EQUALS,
        NOT_EQUALS,
        GREATER_THAN,
        GREATER_THAN_OR_EQUAL,
        LESS_THAN,
        LESS_THAN_OR_EQUAL,
        IS_DISTINCT_FROM,
        IS_NOT_DISTINCT_FROM,
        IN,
        CONCAT,
    }
)


def scope_behind(
    scope: Scope,
    items: Sequence[Item],
    node: s.Select,
    group: s.Clause | None,
    grouping: Grouping | None,
    having: Expression | None = None,
) -> Scope:
    """Return the scope of the clauses behind the items of a SELECT.

    Without ``having``, it is the scope of HAVING itself. With it, it is the scope of the sort keys.
    """
    if not any(column.hidden for column in scope.columns):
        return scope
    has_late_keys = _has_late_keys(group, items, scope)
    if has_late_keys and having is None:
        return scope
    expressions = [*[item.expression for item in items], *(() if grouping is None else grouping.keys)]
    hidden = {column.field for column in scope.columns if column.hidden}
    parts = set(walk_written_parts(expressions if having is None else [*expressions, having]))
    outer = {r.name for part in parts if isinstance(part, TableReference) for r in outer_references(part.operation)}
    used = {field for field in hidden if field in parts or field.name in outer}
    if not used:
        return scope
    casts = _calls_with_casts(items, () if grouping is None else grouping.keys)
    if any(item.by_alias is not None for item in items):
        # Lateral aliases are resolved as late as a cast, unless the cast is of a merged key.
        is_late = any(used.intersection(call.arguments) for call in casts)
    elif having is not None and (has_late_keys or contains_part([having], is_aggregate)):
        # Sort keys wait for the aggregates of HAVING.
        is_late = True
    else:
        has_subquery = any(isinstance(part, TableReference) for part in walk_written_parts(expressions))
        is_late = has_subquery or bool(casts) or any(map(_is_late, parts_within([node.items, group])))
    return scope.showing(used) if is_late else scope


def _is_late(part: s.Syntax) -> bool:
    """Whether Spark resolves a part of a SELECT in a pass after the names in it."""
    if type(part) is not s.Call or (part.filter is None and _is_built_by_parser(part)):
        return type(part) is s.Over
    if any(type(argument) is s.Star and argument.qualifier is not None for argument in part.arguments):
        return True
    # A star within another call, such as ``max(struct(b.*))``, is replaced a pass earlier than a name.
    inner = parts_within(part.arguments, lambda inner: type(inner) is not s.Star)
    return any(type(argument) is s.Path for argument in inner)


def _is_built_by_parser(call: s.Call) -> bool:
    """Whether a call has a syntax of its own in Spark, whose parser looks up no function for it."""
    name = call.function.names[-1]
    has_syntax = bool(call.form) or any(type(argument) is s.Typed for argument in call.arguments)
    return has_syntax or (not name.quoted and fold(name.text) in ("first", "last", "any_value", "struct"))


def _calls_with_casts(items: Sequence[Item], keys: Sequence[Expression]) -> list[UnresolvedCall]:
    """Return the calls with an implicit cast, as far as the types of columns and literals show it."""
    written = walk_written_parts([*[item.expression for item in items if not item.of_star], *keys])
    return [part for part in written if isinstance(part, UnresolvedCall) and _has_cast(part)]


def _has_cast(call: UnresolvedCall) -> bool:
    """Whether arguments of a call have several types and the function needs one.

    BETWEEN counts as such a call, because Spark looks it up as a function.
    """
    if call.function is ROW:
        return False
    if call.function in (BETWEEN, NOT_BETWEEN):
        return True
    values = [argument for argument in call.arguments if isinstance(argument, FieldReference | ValueLiteral)]
    numbers = {value.data_type.as_nullable() for value in values if isinstance(value.data_type, NumericType)}
    has_string = any(isinstance(value.data_type, CharacterType) for value in values)
    return len(numbers) > 1 or (bool(numbers) and has_string and call.function in _OF_ONE_TYPE)


def _has_late_keys(group: s.Clause | None, items: Sequence[Item], scope: Scope) -> bool:
    """Whether GROUP BY has an alias of the SELECT, or is ALL."""
    if group is None:
        return False
    aliases = {fold(item.name) for item in items if item.aliased}
    return group.detail == "ALL" or any(_is_alias(item, aliases, scope) for item in group.items)


def _is_alias(item: Any, aliases: set[str], scope: Scope) -> bool:
    if type(item) is not s.Path or fold(item.names[0].text) not in aliases:
        return False
    try:
        return scope.column(item) is None
    except Misread:
        # Several columns of FROM have the name.
        return False
