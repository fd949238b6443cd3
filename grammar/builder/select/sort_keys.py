"""Builds the keys of ORDER BY and similar clauses over the columns of the SELECT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from grammar import syntax as s
from grammar.builder.scopes import Column
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import contains_part, is_aggregate, is_over
from grammar.builder.select.item_columns import find_first_duplicates
from grammar.errors import Misread
from grammar.language import Form, Language
from ir import light_attrs as attrs
from ir.column_references import column_references
from ir.errors import listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.subquery import SCALAR
from ir.identifiers import fold
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import Project
from ir.unresolved import UnresolvedCall, walk_written_parts


def _is_identity(operation: QueryOperation, items: list[Item], names: Sequence[str]) -> bool:
    """Whether a SELECT passes on all columns of an operation unchanged."""
    columns = operation.schema.columns
    return len(items) == len(columns) and all(
        item.expression is field_of(operation, i) and names[i] == columns[i].name for i, item in enumerate(items)
    )


def field_of(operation: QueryOperation, index: int) -> FieldReference:
    """Return the reference to a column of an operation."""
    column = operation.schema.columns[index]
    return FieldReference(column.name, column.data_type, 0, index)


Place = int | Expression
"""The index of a column of the SELECT, or an expression over these columns."""
Key = tuple[s.SortItem, Place]
"""A key's syntax, and its place in the columns of the SELECT."""


@attrs.define(eq=False)
class OutputColumns:
    """The columns of a SELECT, which the keys of ORDER BY and similar clauses refer to.

    ``columns`` are those of its FROM.
    """

    items: list[Item]
    columns: Sequence[Column]
    names: Sequence[str]
    operation: QueryOperation
    is_grouped: bool
    is_distinct: bool
    hidden: list[Expression]
    # If a group key contains a subquery, a sort key may be the same subquery, because it is a column of the groups.
    has_query_keys: bool = False
    _positions: dict[str, set[int]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._positions = {}
        items = self.items[: self.count]
        for item, first in zip(items, find_first_duplicates(items, self.columns), strict=True):
            self._positions.setdefault(fold(item.name), set()).add(first)

    @property
    def count(self) -> int:
        """The number of columns."""
        return 0 if len(self.items) == 1 and self.items[0].is_nothing else len(self.items)

    def position(self, name: str) -> int | None:
        """Return the index of the column with a name, None if there is none or several different ones."""
        found = self._positions.get(fold(name), set())
        return min(found) if len(found) == 1 else None

    def is_ambiguous(self, name: str) -> bool:
        """Whether several different columns have a name."""
        return len(self._positions.get(fold(name), set())) > 1

    def find_renamed(self, keys: Iterable[Key]) -> frozenset[int]:
        """Return the positions of the columns that a key names by a FROM name that differs from the SELECT name."""
        return frozenset(
            place
            for written, place in keys
            if isinstance(place, int)
            and place < self.count
            and isinstance(written.expression, s.Path)
            and fold(written.expression.names[-1].text) != fold(self.items[place].name)
        )

    def key(self, expression: Expression, clause: str, position: int) -> int | Expression:
        """Return a key over the columns of the SELECT. Any other key becomes a hidden column.

        Raises:
            Misread: SELECT DISTINCT allows no hidden column.
        """
        if not self.is_grouped and _is_identity(self.operation, self.items, self.names):
            return expression
        for index, item in enumerate(self.items):
            # After DISTINCT, only the alias denotes an aliased column.
            if item.expression is expression and not (self.is_distinct and item.aliased):
                return index
        replaced = _rewrite_over_outputs(expression, self.items, self.names)
        # What is left of the key may be no aggregate and no window: these are of the rows before the SELECT.
        if replaced is not None and not any(contains_part([replaced], kind) for kind in (is_aggregate, is_over)):
            return replaced
        if self.is_distinct:
            raise Misread(
                position,
                f"After SELECT DISTINCT, {clause} takes columns of the SELECT alone; they are [{listing(self.names)}].",
                "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            )
        self.hidden.append(expression)
        return len(self.items) + len(self.hidden) - 1


def walk_other_parts(expression: Expression, others: Sequence[Expression]) -> Iterator[Expression]:
    """Yield the parts of an expression that are not parts of some others."""
    known = {id(part) for part in walk_written_parts(others)}
    return (part for part in walk_written_parts([expression]) if id(part) not in known)


def require_key(expression: Expression, clause: str, position: int, columns: OutputColumns, language: Language) -> None:
    """Reject a key with a subquery, window call or aggregate that Spark does not support in the clause.

    Raises:
        Misread: the key has such a part.
    """
    if contains_part([expression], is_query) and not columns.has_query_keys:
        own = list(walk_other_parts(expression, [item.expression for item in columns.items]))
        refuse_queries(own, clause, position)
    if Form.WINDOW_IN_KEY in language.refused and contains_part([expression], is_over):
        own = list(walk_other_parts(expression, [item.expression for item in columns.items]))
        if any(map(is_over, own)):
            language.refuse(Form.WINDOW_IN_KEY, position, clause=clause)
    if contains_part([expression], _is_sql_of_spark):
        message = f"{clause} takes no function of SQL that Spark has stored: give it a name in SELECT, and write that."
        raise Misread(position, message, "UNSUPPORTED_SQL_UDF_USAGE")
    if clause == "ORDER BY":
        return
    if contains_part([expression], is_over):
        what = "value over a window"
    elif clause != "SORT BY" and contains_part([expression], is_aggregate):
        what = "aggregate"
    else:
        return
    message = f"{clause} takes no {what}: give it a name in SELECT, and write that."
    raise Misread(position, message, "UNSUPPORTED_EXPR_FOR_OPERATOR")


def require_sorted_by_columns(made: QueryOperation, keys: Sequence[Key], columns: OutputColumns) -> None:
    """Refuse an aggregate that only ORDER BY uses, if HAVING also uses more than the columns of the SELECT.

    Spark puts the additional values of HAVING below another projection, and finds no aggregate across a projection.

    Raises:
        Misread: ORDER BY contains such an aggregate.
    """
    projections: Sequence[ResolvedExpression] = made.projections if isinstance(made, Project) else ()
    groups = made.input if isinstance(made, Project) else made
    if not isinstance(groups, Filter):
        return
    shown = (projections or column_references(groups.schema))[: columns.count]
    from ir.normalization.facts import refers_besides

    if not refers_besides(groups.condition, shown):
        return
    for written, place in keys:
        if not isinstance(place, int) or place < len(columns.items):
            continue
        key = columns.hidden[place - len(columns.items)]
        if any(map(is_aggregate, walk_other_parts(key, [item.expression for item in columns.items]))):
            raise Misread(
                written.position,
                "ORDER BY takes no aggregate here, since HAVING asks for something that is no column of the SELECT. "
                "Give the aggregate a name in SELECT, and write that.",
                "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            )


def _is_sql_of_spark(part: Expression) -> bool:
    function = part.function if isinstance(part, UnresolvedCall) else None
    return isinstance(function, FunctionDefinition) and function.is_sql_of_spark


def is_query(part: Expression) -> bool:
    """Whether an expression is a subquery argument."""
    return isinstance(part, TableReference)


def refuse_queries(
    parts: Iterable[Expression], clause: str, position: int, advice: str = "give it a name in SELECT, and write that"
) -> None:
    """Refuse IN, EXISTS and a correlated scalar subquery in a clause in which Spark takes none of them.

    Raises:
        Misread: the clause contains such a call.
    """
    for part in parts:
        if not isinstance(part, UnresolvedCall) or not any(map(is_query, part.arguments)):
            continue
        if part.function is SCALAR:
            if not any(isinstance(a, TableReference) and outer_references(a.operation) for a in part.arguments):
                continue
            kind, what = "UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY", "query that refers to columns of the one around it"
        else:
            kind, what = "UNSUPPORTED_IN_EXISTS_SUBQUERY", "IN or EXISTS with a query"
        message = f"{clause} takes no {what}: {advice}."
        raise Misread(position, message, f"UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.{kind}")


def place_key(place: Place, operation: QueryOperation) -> Expression:
    """Return a key over the columns of an operation."""
    return field_of(operation, place) if isinstance(place, int) else _bind_to(place, operation)


@attrs.frozen(eq=False)
class _Output(Expression):
    """In a sort key, the column of the SELECT at an index."""

    index: int


def _rewrite_over_outputs(expression: Expression, items: list[Item], unique: Sequence[str]) -> Expression | None:
    """Rewrite a sort key over the columns of the SELECT; return None if it needs other columns."""
    if isinstance(expression, FieldReference):
        return None
    by_field = {id(item.expression): index for index, item in reversed(list(enumerate(items)))}
    made = _rewritten(expression, lambda part: _Output(by_field[id(part)]) if id(part) in by_field else None)
    return made if all(isinstance(leaf, (_Output, *_CONSTANTS)) for leaf in _walk_leaves(made)) else None


_CONSTANTS = (ValueLiteral, TypeLiteral, SymbolLiteral)


def _walk_leaves(root: Expression) -> Iterator[Expression]:
    """Yield the leaves of an expression, below all calls."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, UnresolvedCall) and part.filter is None and not part.order_by:
            stack += part.arguments
        else:
            yield part


def _rewritten(root: Expression, find: Callable[[Expression], Expression | None]) -> Expression:
    """Replace parts of an expression. The walk uses a stack."""
    done: dict[int, Expression] = {}
    stack: list[tuple[Expression, bool]] = [(root, False)]
    while stack:
        part, ready = stack.pop()
        if id(part) in done:
            continue
        found = None if ready else find(part)
        if found is not None or not isinstance(part, UnresolvedCall):
            done[id(part)] = part if found is None else found
        elif not ready:
            stack.append((part, True))
            stack += [(argument, False) for argument in part.arguments]
        else:
            arguments = tuple([done[id(argument)] for argument in part.arguments])
            done[id(part)] = attrs.evolve(part, arguments=arguments)
    return done[id(root)]


def _bind_to(expression: Expression, operation: QueryOperation) -> Expression:
    return _rewritten(expression, lambda part: field_of(operation, part.index) if isinstance(part, _Output) else None)
