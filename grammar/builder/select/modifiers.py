"""Builds the clauses after a whole query: its order, its partitioning and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.constants import count_of
from grammar.builder.expressions.operands import build_order
from grammar.builder.paths import called_all
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.errors import Misread
from grammar.language import Form
from ir.expressions import Expression, FieldReference, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.time_window import TIME_WINDOWS
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.resolution.sorting import extract_windows_of_keys, order_rows, skip_rows, take_rows
from ir.types import IntType
from ir.unresolved import Ordering, UnresolvedCall, walk_written_parts

# The order in which the clauses are written, and the order in which they take effect: these differ for LIMIT and
# OFFSET only.
_CLAUSES = ("order by", "cluster by", "distribute by", "sort by", "window", "limit", "offset")
_IN_EFFECT = ("order by", "cluster by", "distribute by", "sort by", "window", "offset", "limit")
# The clauses with keys. A query has one of them, or DISTRIBUTE BY with SORT BY.
_KEYED = ("order by", "cluster by", "distribute by", "sort by")
_WITH_ORDINALS = ("order by", "sort by")


def _windows(keys: Sequence[Expression]) -> list[str]:
    """Return Spark's names of the time windows in keys."""
    return [
        part.function.sql_name.lower()
        for part in walk_written_parts(keys)
        if isinstance(part, UnresolvedCall) and isinstance(part.function, FunctionDefinition)
        if part.function in TIME_WINDOWS
    ]


def windows_of_keys(made: QueryOperation, before: QueryOperation, keys: Sequence[Expression]) -> list[Column]:
    """Return the columns of time windows that were keys. Spark puts them before all other columns."""
    added = list(enumerate(made.schema.columns))[len(before.schema) :]
    return [Column(_windows(keys)[0], (), FieldReference(c.name, c.data_type, 0, index)) for index, c in added]


class Modifiers(QueryParts):
    """Builds the clauses after a whole query."""

    def apply(self, relation: Relation, modifiers: Sequence[Any], parent: Scope | None, tables: Tables) -> Steps:
        """Apply the clauses after a query, whose keys name the columns of the query."""
        for clause in self.order_modifiers(modifiers):
            before = relation.operation
            if clause.kind in _KEYED:
                keys = yield self._keys_of_outputs(clause, relation, parent, tables)
                made = self.apply_keys(before, clause, keys)
                relation = Relation(made, [*windows_of_keys(made, before, keys), *relation.columns])
            elif clause.kind != "window":
                relation = Relation((yield self.apply_limit(before, clause)), relation.columns)
        return relation

    def apply_keys(
        self, operation: QueryOperation, clause: s.Clause, keys: Sequence[Expression], **near: Any
    ) -> QueryOperation:
        """Sort or partition the rows of an operation by the keys of a clause.

        A time window among the keys becomes the last column.
        """
        if not keys:
            # The keys of ORDER BY ALL over no columns.
            return operation
        if self.has_windows and clause.kind != "cluster by" and _windows(keys):
            by = (operation, keys, self.lookup)
            operation, keys = self.call_resolver(clause.position, extract_windows_of_keys, *by, **near)
        if clause.kind == "order by":
            return self.call_resolver(clause.position, order_rows, operation, keys, self.lookup, **near)
        from ir.resolution.partitions import distribute_rows, sort_partitions

        if clause.kind in ("cluster by", "distribute by"):
            spread_by = [key.expression if isinstance(key, Ordering) else key for key in keys]
            operation = self.call_resolver(clause.position, distribute_rows, operation, spread_by, self.lookup, **near)
        if clause.kind != "distribute by":
            operation = self.call_resolver(clause.position, sort_partitions, operation, keys, self.lookup, **near)
        return operation

    def select_keyed(self, modifiers: Sequence[Any]) -> list[s.Clause]:
        """Return the modifiers with keys, in the order in which they take effect."""
        return [clause for clause in self.order_modifiers(modifiers) if clause.kind in _KEYED]

    def _keys_of_outputs(self, clause: s.Clause, relation: Relation, parent: Scope | None, tables: Tables) -> Steps:
        names = ClauseNames(Scope(relation.columns, parent))
        visible = [column.field for column in relation.columns if not column.hidden]
        keys: list[Expression] = []
        is_name = any(fold(column.name) == "all" for column in relation.columns if not column.hidden)
        for item in self.sort_items(clause, visible, is_name):
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
        """Build a key of a clause. A key of DISTRIBUTE BY has no direction."""
        return expression if clause.kind == "distribute by" else build_order(item, expression)

    def sort_items(self, clause: s.Clause, outputs: Sequence[Any], is_name: bool = False) -> list[s.SortItem]:
        """Return the keys of ORDER BY or a similar clause. ALL means every column, unless a column has that name."""
        if clause.detail is not None:
            order = clause.detail
            if is_name:
                outputs = [called_all(order.position)]
            return [s.SortItem(order.position, output, order.ascending, order.nulls_first) for output in outputs]
        return [
            item if isinstance(item, s.SortItem) else s.SortItem(item.position, item, None, None)
            for item in clause.items
        ]

    def ordinal_key(self, clause: s.Clause, node: Any, count: int) -> int | None:
        """Return the index of the column that a number denotes as a key, else None.

        In DISTRIBUTE BY a number is a constant.
        """
        return self.ordinal(node, count, clause.kind.upper()) if clause.kind in _WITH_ORDINALS else None

    def ordinal(self, node: Any, count: int, where: str) -> int | None:
        """Return the index of the item that a number denotes in GROUP BY or ORDER BY, None for any other expression."""
        is_computed = self.language.clauses.computed_ordinals
        while isinstance(node, s.Parenthesised):
            node = node.inner
        start = node.position if isinstance(node, s.Syntax) else 0
        is_negative = is_computed and isinstance(node, s.Signed) and node.sign == "-"
        if is_negative:
            node = node.operand
        size = self._number_of(node) if is_computed or not isinstance(node, s.Parameter) else None
        if size is None:
            return None
        number = -size if is_negative else size
        if is_computed and not -(2**31) <= number < 2**31:
            # A BIGINT is an ordinary constant.
            return None
        if not 1 <= number <= count:
            raise Misread(
                start,
                f"{where} {number} means an item of SELECT by its position, and SELECT has {count} "
                f"item{'' if count == 1 else 's'}.",
                f"{'GROUP_BY' if where == 'GROUP BY' else 'ORDER_BY'}_POS_OUT_OF_RANGE",
            )
        return number - 1

    def _number_of(self, node: Any) -> int | None:
        """Return the whole number of a literal or a parameter, None for any other expression."""
        if isinstance(node, s.Number):
            return int(node.text) if node.text.isdigit() else None
        value = self.expressions.parameter(node) if isinstance(node, s.Parameter) else None
        if not isinstance(value, ValueLiteral) or not isinstance(value.type_, IntType) or value.is_null:
            return None
        return int(value.value)

    def order_modifiers(self, modifiers: Sequence[Any]) -> list[Any]:
        """Return the clauses after a query in the order in which they take effect.

        Raises:
            Misread: a clause occurs twice, is misplaced, or excludes another one.
        """
        seen: list[str] = []
        for clause in modifiers:
            kind = clause.kind
            if kind in seen:
                raise Misread(clause.position, f"The query has {kind.upper()} twice.", "PARSE_SYNTAX_ERROR")
            rank = _CLAUSES.index(kind)
            later = [other for other in seen if _CLAUSES.index(other) > rank]
            if later and not (self.language.clauses.offset_first and later == ["offset"] and kind == "limit"):
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

    def apply_limit(self, operation: QueryOperation, clause: s.Clause) -> Steps:
        """Apply LIMIT or OFFSET to an operation.

        Raises:
            Misread: the dialect lacks the form of the clause.
        """
        if clause.detail is not None:
            self._require_form(clause)
        if not clause.items:
            return operation
        count = yield count_of(self, clause.items[0], clause.kind.upper(), clause.position)
        return self.call_resolver(clause.position, take_rows if clause.kind == "limit" else skip_rows, operation, count)

    def _require_form(self, clause: s.Clause) -> None:
        self.language.refuse(Form.FETCH if clause.detail == "FETCH" else Form.OFFSET_ROWS, clause.position)
        if not clause.items:
            raise Misread(
                clause.position, "FETCH takes the number of rows, also where it is 1: FETCH NEXT 1 ROWS ONLY."
            )
