"""What follows a whole query: its order, how its rows are spread, and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.expressions import NamesOf
from grammar.builder.operands import order_of
from grammar.builder.parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope
from grammar.errors import Misread
from ir.expressions import (
    Call,
    Expression,
    FieldReference,
    Ordering,
    ResolvedExpression,
    UnresolvedCall,
    ValueLiteral,
)
from ir.functions.arithmetic import MINUS, PLUS, TIMES
from ir.functions.conversion import CAST
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.operations import order_rows, skip_rows, take_rows
from ir.resolution.partitions import distribute_rows, sort_partitions
from ir.types import IntegralType

# In the order in which they stand; what they do, they do in this order, but for LIMIT after OFFSET.
_CLAUSES = ("order by", "cluster by", "distribute by", "sort by", "window", "limit", "offset")
_IN_EFFECT = ("order by", "cluster by", "distribute by", "sort by", "window", "offset", "limit")
# What of them says in which order rows are or where they go: of these, a query has one, or DISTRIBUTE BY and SORT BY.
_KEYED = ("order by", "cluster by", "distribute by", "sort by")
_WITH_ORDINALS = ("order by", "sort by")


class Modifiers(QueryParts):
    """Builds what follows a whole query."""

    def modified(self, relation: Relation, modifiers: Sequence[Any], parent: Scope | None, tables: Tables) -> Steps:
        """Return a relation in order and with a limit, by what its own columns are called."""
        operation = relation.operation
        for clause in self.ordered_modifiers(modifiers):
            if clause.kind in _KEYED:
                keys = yield self._keys_of_outputs(clause, relation, parent, tables)
                operation = self.keyed(operation, clause, keys)
            elif clause.kind != "window":
                operation = yield self.limited(operation, clause)
        return Relation(operation, relation.columns)

    def keyed(
        self, operation: QueryOperation, clause: s.Clause, keys: Sequence[Expression], **near: Any
    ) -> QueryOperation:
        """Return the rows of an operation in the order, or in the partitions, that a clause with keys says."""
        if clause.kind in ("cluster by", "distribute by"):
            spread_by = [key.expression if isinstance(key, Ordering) else key for key in keys]
            operation = self.made(clause.position, distribute_rows, operation, spread_by, self.lookup, **near)
        if clause.kind != "distribute by":
            make = order_rows if clause.kind == "order by" else sort_partitions
            operation = self.made(clause.position, make, operation, keys, self.lookup, **near)
        return operation

    def keyed_modifiers(self, modifiers: Sequence[Any]) -> list[s.Clause]:
        """Return those of the modifiers that have keys, in the order in which they take effect."""
        return [clause for clause in self.ordered_modifiers(modifiers) if clause.kind in _KEYED]

    def _keys_of_outputs(self, clause: s.Clause, relation: Relation, parent: Scope | None, tables: Tables) -> Steps:
        names = NamesOf(Scope(relation.columns, parent))
        visible = [column.field for column in relation.columns if not column.hidden]
        keys: list[Expression] = []
        for item in self.sort_items(clause, visible):
            if isinstance(item.expression, FieldReference):
                expression: Expression = item.expression
            else:
                position = self.ordinal_key(clause, item.expression, len(visible))
                if position is None:
                    expression = yield self.expression(item.expression, names, tables)
                else:
                    expression = visible[position]
            keys.append(self.key_of(clause, item, expression))
        return keys

    def key_of(self, clause: s.Clause, item: s.SortItem, expression: Expression) -> Expression:
        """Return a key of a clause; one that says where rows go has no direction."""
        return expression if clause.kind == "distribute by" else order_of(item, expression)

    def sort_items(self, clause: s.Clause, outputs: Sequence[Any]) -> list[s.SortItem]:
        """Return the keys of ORDER BY and the like; ALL means every column."""
        if clause.detail is not None:
            order = clause.detail
            return [s.SortItem(order.position, output, order.ascending, order.nulls_first) for output in outputs]
        return [
            item if isinstance(item, s.SortItem) else s.SortItem(item.position, item, None, None)
            for item in clause.items
        ]

    def ordinal_key(self, clause: s.Clause, node: Any, count: int) -> int | None:
        """Return the position, from 0, of the column that a number stands for as a key; in DISTRIBUTE BY it is one."""
        return self.ordinal(node, count, clause.kind.upper()) if clause.kind in _WITH_ORDINALS else None

    def ordinal(self, node: Any, count: int, where: str) -> int | None:
        """Return the position, from 0, of the item that a number stands for in GROUP BY and ORDER BY."""
        if not isinstance(node, s.Number) or not node.text.isdigit():
            return None
        number = int(node.text)
        if not 1 <= number <= count:
            raise Misread(
                node.position,
                f"{where} {number} means an item of SELECT, of which there are {count}.",
                f"{'GROUP_BY' if where == 'GROUP BY' else 'ORDER_BY'}_POS_OUT_OF_RANGE",
            )
        return number - 1

    def ordered_modifiers(self, modifiers: Sequence[Any]) -> list[Any]:
        """Return what follows a query in the order in which it takes effect.

        Raises:
            Misread: one is there twice, before one that it must follow, or beside one that means something else.
        """
        seen: list[str] = []
        for clause in modifiers:
            kind = clause.kind
            if kind in seen:
                raise Misread(clause.position, f"The query has {kind.upper()} twice.", "PARSE_SYNTAX_ERROR")
            rank = _CLAUSES.index(kind)
            later = [other for other in seen if _CLAUSES.index(other) > rank]
            # Flink has OFFSET before FETCH.
            if later and not (self.surroundings.dialect is Dialect.FLINK and later == ["offset"] and kind == "limit"):
                message = f"{kind.upper()} stands before {later[0].upper()}, not after it."
                raise Misread(clause.position, message, "PARSE_SYNTAX_ERROR")
            keyed = [other for other in seen if other in _KEYED]
            if kind in _KEYED and keyed and (keyed, kind) != (["distribute by"], "sort by"):
                raise Misread(
                    clause.position,
                    f"A query has {keyed[-1].upper()} or {kind.upper()}, not both: of ORDER BY, CLUSTER BY, DISTRIBUTE "
                    "BY and SORT BY, only DISTRIBUTE BY and SORT BY go together.",
                    "UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES",
                )
            seen.append(kind)
        return sorted(modifiers, key=lambda clause: _IN_EFFECT.index(clause.kind))

    def limited(self, operation: QueryOperation, clause: s.Clause) -> Steps:
        """Return an operation with what LIMIT or OFFSET does to it."""
        if not clause.items:
            return operation
        count = yield self._count(clause)
        return self.made(clause.position, take_rows if clause.kind == "limit" else skip_rows, operation, count)

    def _count(self, clause: s.Clause) -> Steps:
        written = clause.items[0]
        if isinstance(written, s.Path):
            message = f"{clause.kind.upper()} takes a constant, and no column."
            raise Misread(written.position, message, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE")
        found = yield self.expression(written, NamesOf(Scope([])), {})
        if isinstance(found, UnresolvedCall):
            found = _whole_number(
                self.made(clause.position, ExpressionResolver(ResolverScope(()), self.lookup).resolve, found)
            )
        if not isinstance(found, ValueLiteral) or not isinstance(found.value, int) or isinstance(found.value, bool):
            raise Misread(
                written.position,
                f"{clause.kind.upper()} takes a whole number.",
                "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE",
            )
        if found.value < 0:
            raise Misread(
                written.position,
                f"{clause.kind.upper()} takes a whole number from 0 on, not {found.value}.",
                "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE",
            )
        return found.value


_ARITHMETIC = {PLUS: int.__add__, MINUS: int.__sub__, TIMES: int.__mul__}


def _whole_number(expression: ResolvedExpression) -> ResolvedExpression:
    """Return what is computed of whole numbers, and of text that is cast to one; anything else as it is."""
    found: dict[ResolvedExpression, int] = {}
    for part in expression.walk():
        if isinstance(part, ValueLiteral) and isinstance(part.value, int) and not isinstance(part.value, bool):
            found[part] = part.value
        elif isinstance(part, Call) and part.function in _ARITHMETIC and all(a in found for a in part.arguments):
            left, right = (found[argument] for argument in part.arguments)
            found[part] = _ARITHMETIC[part.function](left, right)
        elif isinstance(part, Call) and part.function is CAST and isinstance(part.data_type, IntegralType):
            value = part.arguments[0]
            if value in found:
                found[part] = found[value]
            elif isinstance(value, ValueLiteral) and isinstance(value.value, str) and value.value.strip().isdecimal():
                found[part] = int(value.value)
    return literal(found[expression]) if expression in found else expression
