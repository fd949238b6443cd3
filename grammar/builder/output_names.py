"""The names of columns that were given none, which are those that Spark makes of their expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammar import syntax as s
from grammar.parser import Token
from grammar.type_names import plain_type
from ir.dialects.operators import BINDING
from ir.expressions import ValueLiteral
from ir.rendering import Dialect
from ir.types import (
    CharacterType,
    DateType,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    TimestampType,
    TimeType,
)

_LONGEST = 1_000_000


class OutputNames:
    """Names the columns of one dialect; written from a stack, so that depth costs no recursion."""

    def __init__(self, dialect: Dialect, constant: Callable[[Any], ValueLiteral]) -> None:
        self._dialect = dialect
        self._constant = constant
        self._binding = BINDING[dialect]

    def of(self, node: Any) -> str:
        """Return the name of the column of an expression that has no alias."""
        while isinstance(node, s.Parenthesised):
            node = node.inner
        if isinstance(node, s.Path):
            return node.names[-1].text
        if isinstance(node, s.Member):
            return node.name.text
        casted = _casted(node)
        if casted is not None and isinstance(_bare(casted), (s.Path, s.Member)):
            # A cast of a column keeps its name.
            return self.of(casted)
        text: list[str] = []
        stack: list[Any] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                text.append(item)
            else:
                stack.extend(reversed(self._parts(item)))
        return "".join(text)[:_LONGEST]

    def _parts(self, node: Any) -> list[Any]:
        """Return the text of a node, and the nodes in it whose text belongs between."""
        kind = type(node)
        if kind is s.Path:
            return [node.names[-1].text if len(node.names) == 1 else ".".join(n.text for n in node.names[-1:])]
        if kind is s.Member:
            return [node.base, ".", node.name.text]
        if kind is s.Parenthesised:
            return [node.inner]
        if kind in _CONSTANTS:
            return [self._literal(node)]
        if kind is s.Operation:
            return [self._grouped(list(node.operands), list(node.operators))]
        if kind is _Binary:
            if node.symbol == "||":
                return ["concat(", node.left, ", ", node.right, ")"]
            return ["(", node.left, f" {node.symbol} ", node.right, ")"]
        if kind is s.Logical:
            return self._logical(node)
        if kind is s.Not:
            return ["(NOT ", node.operand, ")"]
        if kind is s.Signed:
            if node.sign == "-" and type(node.operand) is s.Number:
                return ["-", node.operand]
            return [node.sign, node.operand] if node.sign == "~" else [f"({node.sign} ", node.operand, ")"]
        if kind is s.Star:
            return ["1"]
        if kind is s.Call:
            return self._call(node)
        if kind is s.Over:
            return [node.call, " OVER (", *self._window(node.window), ")"]
        if kind is s.Case:
            return _case(node)
        if kind is s.Cast:
            return ["CAST(", node.value, f" AS {self._type(node.target)})"]
        if kind is s.Predicate:
            return self._predicate(node)
        if kind is s.ScalarSubquery:
            return ["scalarsubquery()"]
        if kind is s.Subscript:
            return [node.base, "[", *node.indices, "]"]
        if kind is s.Row:
            return ["struct(", *_separated(node.items), ")"]
        if kind is s.Typed:
            return ["CAST(", node.expression, f" AS {self._type(node.target)})"]
        if kind is s.Aliased:
            return [node.expression, f" AS {node.names[0].text}"]
        if kind is s.Parameter:
            return [f":{node.key}" if node.key else "?"]
        if kind is s.SortItem:
            direction = "DESC" if node.ascending is False else "ASC"
            first = node.ascending is not False if node.nulls_first is None else node.nulls_first
            return [node.expression, f" {direction} NULLS {'FIRST' if first else 'LAST'}"]
        if kind is s.Word:
            return [node.text]
        return [str(getattr(node, "text", kind.__name__.lower()))]

    def _type(self, target: s.TypeName | LogicalType) -> str:
        if not isinstance(target, LogicalType):
            target = plain_type(Token(target.text, target.position), [], None, self._dialect)
        return target.as_nullable().as_serializable_string(Dialect.SPARK)

    def _literal(self, node: Any) -> str:
        value = self._constant(node)
        if value.is_null:
            return "NULL"
        data_type = value.data_type
        if isinstance(value.value, bool):
            return "true" if value.value else "false"
        if isinstance(data_type, CharacterType):
            return str(value.value)
        if isinstance(data_type, (DateType, TimestampType, LocalZonedTimestampType, TimeType, IntervalType)):
            return value.as_serializable_string(Dialect.SPARK)
        if isinstance(value.value, bytes):
            return f"X'{value.value.hex().upper()}'"
        return str(value.value)

    def _grouped(self, operands: list[Any], operators: list[Token]) -> Any:
        values: list[Any] = [operands[0]]
        waiting: list[Token] = []
        for operator, operand in zip(operators, operands[1:], strict=True):
            level = self._binding.get(operator.text.upper(), 0)
            while waiting and self._binding.get(waiting[-1].text.upper(), 0) >= level:
                right = values.pop()
                values[-1] = _Binary(values[-1], waiting.pop().text, right)
            waiting.append(operator)
            values.append(operand)
        while waiting:
            right = values.pop()
            values[-1] = _Binary(values[-1], waiting.pop().text, right)
        return values[0]

    def _logical(self, node: s.Logical) -> list[Any]:
        groups: list[Any] = [node.operands[0]]
        ors: list[Any] = []
        for token, operand in zip(node.connectives, node.operands[1:], strict=True):
            if token.text.upper() == "AND":
                groups[-1] = _Binary(groups[-1], "AND", operand)
            else:
                groups.append(operand)
        ors = groups
        made = ors[0]
        for other in ors[1:]:
            made = _Binary(made, "OR", other)
        return [made]

    def _call(self, node: s.Call) -> list[Any]:
        name = ".".join(part.text for part in node.function.names[-1:])
        folded = name.lower()
        arguments = node.arguments
        if node.form == "query":
            return ["exists()"]
        if folded in ("cast", "try_cast") and arguments and isinstance(arguments[0], s.Typed):
            typed = arguments[0]
            prefix = "CAST(" if folded == "cast" else "TRY_CAST("
            return [prefix, typed.expression, f" AS {self._type(typed.target)})"]
        if folded == "if":
            return ["(IF(", *_separated(arguments), "))"]
        if folded == "extract":
            unit = arguments[0].names[-1].text if isinstance(arguments[0], s.Path) else ""
            return [f"extract({unit} FROM ", arguments[1], ")"]
        if folded == "trim" and node.form == "trim":
            side, characters, value = arguments
            shown = [] if characters is None else [characters, " "]
            return [f"TRIM({side.text} ", *shown, "FROM ", value, ")"]
        if folded == "position" and len(arguments) == 1 and isinstance(arguments[0], s.Predicate):
            return ["locate(", arguments[0].operands[0], ", ", arguments[0].operands[1], ", 1)"]
        quantifier = "DISTINCT " if node.quantifier == "DISTINCT" else ""
        text: list[Any] = [f"{name}({quantifier}", *_separated(arguments), ")"]
        if node.nulls == "IGNORE":
            text.append(" ignore nulls")
        if node.filter is not None:
            text += [" FILTER (WHERE ", node.filter, ")"]
        return text

    def _window(self, window: s.Window | s.Name) -> list[Any]:
        if isinstance(window, s.Name):
            return [window.text]
        parts: list[Any] = []
        if window.partition_by:
            parts += ["PARTITION BY ", *_separated(window.partition_by), " "]
        if window.order_by:
            parts += ["ORDER BY ", *_separated(window.order_by), " "]
        frame = window.frame
        if frame is not None:
            upper = frame.upper or s.Bound(0, "CURRENT ROW")
            parts += [f"{frame.unit} BETWEEN ", *_bound(frame.lower), " AND ", *_bound(upper)]
        elif window.order_by:
            parts.append("RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
        else:
            parts.append("ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING")
        return parts

    def _predicate(self, node: s.Predicate) -> list[Any]:
        parts = self._positive(node)
        return ["(NOT ", *parts, ")"] if node.negated and node.kind not in _NEGATED_INSIDE else parts

    def _positive(self, node: s.Predicate) -> list[Any]:
        operands = node.operands
        negated = " NOT" if node.negated else ""
        if node.kind == "between":
            return ["between(", *_separated(operands), ")"]
        if node.kind == "in":
            value, right = operands
            if isinstance(right, s.ScalarSubquery):
                return ["(", value, " IN (listquery()))"]
            items = right.items if isinstance(right, s.Row) else [right]
            return ["(", value, " IN (", *_separated(items), "))"]
        if node.kind == "like":
            if node.detail in ("RLIKE", "REGEXP"):
                return [f"{node.detail}(", *_separated(operands[:2]), ")"]
            text = f" {node.detail} " if node.detail == "LIKE" else f" {node.detail.lower()} "
            made: list[Any] = [operands[0], text, operands[1]]
            return [f"{node.detail.lower()}(", *_separated(operands[:2]), ")"] if node.detail == "ILIKE" else made
        if node.kind == "is_null":
            return ["(", operands[0], f" IS{negated} NULL)"]
        if node.kind == "is_truth":
            return ["(", operands[0], f" IS{negated} {node.detail})"]
        if node.kind == "is_distinct":
            return ["(", operands[0], " <=> ", operands[1], ")"]
        return [f"{node.kind}(", *_separated(operands), ")"]


class _Binary:
    """Two operands with an operator between, grouped."""

    __slots__ = ("left", "right", "symbol")

    def __init__(self, left: Any, symbol: str, right: Any) -> None:
        self.left, self.right = left, right
        self.symbol = {"<>": "=", "==": "=", "DIV": "div"}.get(symbol.upper(), symbol)


_NEGATED_INSIDE = ("is_null", "is_truth")
_CONSTANTS = {s.Number, s.Text, s.TypedText, s.Null, s.Boolean, s.Interval}


def _separated(items: list[Any]) -> list[Any]:
    return [part for item in items for part in (", ", item)][1:]


def _bare(node: Any) -> Any:
    while isinstance(node, s.Parenthesised):
        node = node.inner
    return node


def _casted(node: Any) -> Any:
    if isinstance(node, s.Cast):
        return node.value
    if isinstance(node, s.Call) and node.function.names[-1].text.lower() == "cast" and node.arguments:
        return node.arguments[0].expression if isinstance(node.arguments[0], s.Typed) else None
    return None


def _case(node: s.Case) -> list[Any]:
    parts: list[Any] = ["CASE"]
    for condition, result in node.branches:
        tested = [condition] if node.operand is None else ["(", node.operand, " = ", condition, ")"]
        parts += [" WHEN ", *tested, " THEN ", result]
    if node.otherwise is not None:
        parts += [" ELSE ", node.otherwise]
    return [*parts, " END"]


def _bound(bound: s.Bound) -> list[Any]:
    return [bound.kind] if bound.offset is None else [bound.offset, f" {bound.kind}"]
