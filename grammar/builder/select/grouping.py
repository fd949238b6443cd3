"""Builds the grouping of GROUP BY: keys, ALL, ROLLUP, CUBE and GROUPING SETS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions.repeated_expressions import refuse_again
from grammar.builder.from_clause.window_functions import grouped_windows
from grammar.builder.paths import called_all
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.select.generators import Item
from grammar.errors import Misread
from grammar.language import Form
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.contents import QUERY
from ir.expressions import Expression
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.subquery import SCALAR
from ir.identifiers import fold
from ir.operations.aggregate import cube_sets, rollup_sets
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import Project
from ir.unresolved import UnresolvedCall, UnresolvedOver, walk_written_parts

_MOST_SETS = 4096

Sets = list[list[Expression]]


def contains_part(expressions: Iterable[Expression], test: Callable[[Expression], bool]) -> bool:
    """Whether one of the unresolved expressions, or a part of one, satisfies a test."""
    return any(map(test, walk_written_parts(expressions)))


def is_aggregate(expression: Expression) -> bool:
    """Whether an unresolved expression is a call of an aggregate function."""
    return (
        isinstance(expression, UnresolvedCall)
        and isinstance(expression.function, FunctionDefinition)
        and expression.function.kind is FunctionKind.AGGREGATE
    )


def refuse_queries_of_groups(made: QueryOperation, items: Sequence[Item]) -> None:
    """Refuse a correlated scalar subquery in the SELECT of groups that is neither a key nor in an aggregate.

    Keys and aggregates are computed below the projection of the groups.

    Raises:
        Misread: an item contains such a subquery.
    """
    if not isinstance(made, Project):
        return
    for item, projection in zip(items, made.projections, strict=False):
        for part in projection.walk() if projection.contents & QUERY else ():
            if not isinstance(part, Call) or part.function is not SCALAR:
                continue
            if any(isinstance(a, TableReference) and outer_references(a.operation) for a in part.arguments):
                raise Misread(
                    item.position,
                    "A scalar subquery that refers to columns of the query around it is neither a key of GROUP BY nor "
                    "in an aggregate here. Make it a key, or compute it in a query over this one.",
                    "SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION",
                )


def is_aggregate_of_rows(expression: Expression) -> bool:
    """Whether an unresolved expression calls an aggregate of rows, rather than GROUPING or another function of keys."""
    return is_aggregate(expression) and getattr(expression, "function", None) not in KEY_FUNCTIONS


def walk_outside_aggregates(root: Expression) -> Iterator[Expression]:
    """Yield the parts of an unresolved expression, except those within calls of aggregate functions."""
    stack = [root]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, UnresolvedCall) and not is_aggregate(part):
            stack += part.arguments


def is_over(expression: Expression) -> bool:
    """Whether an unresolved expression is a window call with OVER."""
    return isinstance(expression, UnresolvedOver)


def _calls_aggregate(expression: Expression) -> bool:
    """Whether an unresolved expression calls an aggregate function, of a group or over a window."""
    return is_aggregate(expression.call if isinstance(expression, UnresolvedOver) else expression)


def group_keys(
    builder: QueryParts,
    clause: s.Clause,
    items: Sequence[Item],
    operation: QueryOperation,
    names: ClauseNames,
    tables: Tables,
) -> Steps:
    """Build the grouping of GROUP BY. A number or an alias denotes an item of the SELECT."""
    from ir.resolution.grouping import Grouping, grouping_sets

    named = called_all(clause.position)
    is_name = names.scope.column(named) is not None or any(item.aliased and fold(item.name) == "all" for item in items)
    if clause.detail == "ALL" and is_name:
        clause = s.Clause(clause.position, clause.kind, [named])
    if clause.detail == "ALL":
        own = [item for item in items if not contains_part([item.expression], _calls_aggregate)]
        for item in own:
            refuse_again(item.expression, item.position, item.name)
        for item in items:
            if not item.is_aggregate:
                _refuse_by_alias(item, item.position)
        keys = [item.expression for item in own]
        return Grouping(tuple(keys))
    reader = _Keys(builder, items, names, tables)
    if isinstance(clause.detail, s.GroupingSets):
        # The list before GROUPING SETS names the keys of the sets, and possibly further keys.
        first = []
        for item in clause.items:
            first.append((yield reader.key(item)))
        sets = yield reader.sets_of(clause.detail)
        first, sets = grouped_windows(first), [grouped_windows(keys) for keys in sets]
        if sets == [[]] and not first:
            return Grouping((), is_of_sets=True)
        return builder.call_resolver(clause.position, grouping_sets, operation, sets, builder.lookup, first)
    if clause.detail is not None:
        written: list[Any] = [_function(clause.detail, clause.items)]
    else:
        written = clause.items
    if any(map(_is_empty, written)):
        builder.language.refuse(Form.EMPTY_GROUP_KEY, clause.position)
    if not any(_is_analytic(item) for item in written):
        plain = []
        for item in written:
            plain.append((yield reader.key(item)))
        return Grouping(tuple(grouped_windows(plain)))
    product: Sets = [[]]
    for item in written:
        sets = yield reader.sets_of(item, in_set=False)
        product = [[*left, *right] for left in product for right in sets]
        if len(product) > _MOST_SETS:
            raise Misread(clause.position, f"GROUP BY makes more than {_MOST_SETS} grouping sets.")
    if product == [[]]:
        return Grouping((), is_of_sets=True)
    product = [grouped_windows(keys) for keys in product]
    return builder.call_resolver(clause.position, grouping_sets, operation, product, builder.lookup)


def _refuse_by_alias(item: Item, position: int) -> None:
    """Reject a group key that is computed from a lateral alias, as Spark does.

    Raises:
        Misread: the item has a lateral alias.
    """
    if item.by_alias is None:
        return
    alias = item.by_alias.names[0].text
    message = (
        f"The key {item.name} is computed of {alias}, which is an alias of the same SELECT. Write in GROUP BY what it "
        f"is computed of, or select {alias} in a subquery."
    )
    raise Misread(position, message, "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_GROUP_BY")


def _function(name: str, arguments: list[Any]) -> s.Call:
    position = arguments[0].position
    return s.Call(position, s.Path(position, [s.Name(position, name, False)]), arguments)


def _is_analytic(item: Any) -> bool:
    return isinstance(item, s.GroupingSets) or _name(item) in ("rollup", "cube") or _is_empty(item)


def _is_empty(item: Any) -> bool:
    return isinstance(item, s.Row) and not item.items


def _name(item: Any) -> str:
    if isinstance(item, s.Call) and len(item.function.names) == 1 and not item.function.names[0].quoted:
        return fold(item.function.names[0].text)
    return ""


class _Keys:
    """Reads the keys of one GROUP BY."""

    def __init__(self, builder: QueryParts, items: Sequence[Item], names: ClauseNames, tables: Tables) -> None:
        self._builder = builder
        self._items = items
        # Items of the SELECT by name, for names that are no columns of FROM.
        called = {fold(item.name): item.expression for item in reversed(items)}
        self._called = {fold(item.name): item for item in reversed(items)}
        self._names = attrs.evolve(names, aliases={**called, **names.aliases})
        self._tables = tables

    def key(self, item: Any, in_set: bool = False) -> Steps:
        """Build a key. A number or an alias denotes an item of the SELECT if no column has the name.

        In a grouping set, a number may count the columns of a star, because Spark has expanded the star before.
        """
        ordinal = self._builder.ordinal(item, len(self._items), "GROUP BY")
        if ordinal is not None:
            selected = self._items[ordinal]
            star = next((other for other in self._items if other.of_star), None)
            if star is not None and not in_set:
                message = "A number in GROUP BY means an item of SELECT, among which there is no star then."
                raise Misread(item.position, message, "STAR_GROUP_BY_POS")
            refuse_again(selected.expression, item.position, selected.name)
            _refuse_by_alias(selected, item.position)
            return selected.expression
        names = attrs.evolve(self._names, by_alias=[])
        made = yield self._builder.expression(item, names, self._tables)
        for path, _ in names.by_alias:
            chosen = self._called.get(fold(path.names[0].text))
            if chosen is not None:
                _refuse_by_alias(chosen, path.position)
        return made

    def set_of(self, item: Any, in_set: bool = True) -> Steps:
        """Build one grouping set."""
        parts = item.items if isinstance(item, s.Row) else [item.inner if isinstance(item, s.Parenthesised) else item]
        made: list[Expression] = []
        for part in parts:
            made.append((yield self.key(part, in_set)))
        return made

    def sets_of(self, item: Any, in_set: bool = True) -> Steps:
        """Build the grouping sets of an element of GROUP BY or GROUPING SETS."""
        made: Sets = []
        if isinstance(item, s.GroupingSets):
            for element in item.sets:
                made += yield self.sets_of(element)
            return made
        if _name(item) in ("rollup", "cube"):
            if not item.arguments:
                raise Misread(item.position, f"{_name(item).upper()} takes one key at least.", "UNRESOLVED_ROUTINE")
            parts: Sets = []
            for argument in item.arguments:
                parts.append((yield self.set_of(argument)))
            chosen = rollup_sets(len(parts)) if _name(item) == "rollup" else cube_sets(len(parts))
            return [[key for position in positions for key in parts[position]] for positions in chosen]
        return [(yield self.set_of(item, in_set))]
