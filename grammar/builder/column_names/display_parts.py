"""Writes parts of Spark's generated column names, as lists of strings and syntax nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names.display_functions import find_display_rules
from grammar.builder.column_names.display_values import evaluate_integer
from ir import light_attrs as attrs
from ir.contents import OUTER
from ir.expressions import Expression, FieldReference, OuterReference, ValueLiteral
from ir.functions.collection import GET
from ir.functions.time_window import END, START
from ir.identifiers import fold, quote
from ir.operations.operation import QueryOperation
from ir.types import TIMESTAMP_LTZ, ArrayType, DateType, LogicalType, MapType, NullType, RowField, RowType
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.scopes import Column


def has_parts(target: s.TypeName | LogicalType) -> bool:
    """Whether Spark omits casts to a type from names, as it does for arrays, maps and rows."""
    return isinstance(target, (ArrayType, MapType, RowType))


def quote_if_needed(name: str) -> str:
    """Return a name as Spark shows it after AS: in back-quotes unless it is a plain identifier."""
    return name if re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", name) else quote(name)


def type_in_window(window: UnresolvedCall, whole: bool) -> LogicalType | None:
    """Return the type of a time window, or of its bounds."""
    time = window.arguments[0]
    row = window_row(time.data_type if isinstance(time, FieldReference) else None)
    return row if row is None or whole else row.fields[0].data_type


def window_row(time: LogicalType | None) -> RowType | None:
    """Return the type of a window over times of the given type."""
    if time is None:
        return None
    bound = TIMESTAMP_LTZ if isinstance(time, DateType) else time
    return RowType((RowField(START, bound), RowField(END, bound)))


def is_schema_of_map(schema: Any) -> bool:
    """Whether a schema string is that of a map."""
    return isinstance(schema, s.Text) and schema.tokens[0].text[1:].lstrip().lower().startswith("map<")


def field_type(row: LogicalType | None, name: str) -> LogicalType | None:
    """Return the type of a field, None if there is no such row or field."""
    if isinstance(row, (MapType, NullType)):
        return row.value if isinstance(row, MapType) else row
    if not isinstance(row, RowType):
        return None
    found = row.field_index(name)
    return row.fields[found[0]].data_type if len(found) == 1 else None


def field_text(base: LogicalType | None, name: str) -> str:
    """Return the display form of a field access; on a map it is the access to a key."""
    return f"[{name}]" if isinstance(base, (MapType, NullType)) else f".{name}"


def type_of_fields(found: Expression | None) -> LogicalType | None:
    """Return the type of a column or of a field in it, None for any other expression."""
    names: list[str] = []
    while isinstance(found, UnresolvedCall) and found.function is GET:
        name = found.arguments[1]
        if not isinstance(name, ValueLiteral) or not isinstance(name.value, str):
            return None
        names.append(name.value)
        found = found.arguments[0]
    made = found.data_type if isinstance(found, FieldReference) else None
    for field in reversed(names):
        made = field_type(made, field)
    return made


def occurrences_of_outer(query: QueryOperation) -> list[str]:
    """Return the outer columns that a subquery refers to, once per reference, up to a limit."""
    names: list[str] = []
    operations = [query]
    for _ in range(_MOST):
        if not operations:
            break
        operation = operations.pop()
        operations += [i for i in reversed(operation.inputs) if i.contents & OUTER]
        stack = [e for e in reversed(operation.expressions) if e.contents & OUTER]
        while stack and len(names) < _MOST:
            part = stack.pop()
            if isinstance(part, OuterReference):
                names.append(part.name)
            stack += [child for child in reversed(part.children) if child.contents & OUTER]
    return names


_MOST = 1000


def fallback_text(node: Any) -> str:
    """Return the display form of a node without a rule of its own."""
    return str(getattr(node, "text", type(node).__name__.lower()))


def separate(items: Iterable[Any]) -> list[Any]:
    """Return items with commas in between."""
    return [part for item in items for part in (", ", item)][1:]


def negate_parts(parts: list[Any], negated: bool) -> list[Any]:
    """Wrap parts in NOT if ``negated``."""
    return ["(NOT ", *parts, ")"] if negated else parts


def argument_of(argument: Any) -> Any:
    """Return an argument without its name."""
    return argument.value if isinstance(argument, s.NamedArgument) else argument


def outer_column(column: Column, path: Sequence[str]) -> str:
    """Return an outer column, and a field in it, in Spark's display form."""
    relation = ".".join(column.qualifier) or "__auto_generated_subquery_name"
    fields = "".join(f".{name}" for name in path[1:])
    return f"outer({relation}.{path[0]}){fields}" + (f" AS {path[-1]}" if fields else "")


def like_parts(operands: list[Any]) -> list[Any]:
    """Return the display form of LIKE with its optional escape character."""
    escape = [" ESCAPE '", operands[2], "'"] if len(operands) > 2 else []
    return [operands[0], " LIKE ", operands[1], *escape]


def display_row(row: s.Row, column: Callable[[s.Path], str | None], constant: Callable[[Any], str]) -> list[Any]:
    """Return the display form of a row before IN, whose field names are in quotes.

    Columns, numbers and strings name their own fields, by ``column`` and ``constant``; other fields are numbered.
    """
    fields: list[Any] = []
    for number, item in enumerate(row.items):
        name = f"_{number}"
        if isinstance(item, s.Aliased):
            name = item.names[0].text
        elif isinstance(item, s.Path):
            name = column(item) or name
        elif isinstance(item, (s.Number, s.Text, s.Null)):
            name = constant(item).replace("'", "\\'")
        elif isinstance(item, s.Signed) and item.sign == "-" and isinstance(item.operand, s.Number):
            name = f"-{constant(item.operand)}"
        fields += [f"'{name}'", item]
    return ["named_struct(", *separate(fields), ")"]


def when_parts(arguments: list[Any]) -> list[Any]:
    """Return the display form of WHEN as a function, which is a CASE."""
    pairs = len(arguments) // 2
    branches = [part for i in range(pairs) for part in (" WHEN ", arguments[2 * i], " THEN ", arguments[2 * i + 1])]
    last = [" ELSE ", arguments[-1]] if len(arguments) % 2 else []
    return ["CASE", *branches, *last, " END"]


def trim_parts(node: s.Call, name: str, arguments: list[Any]) -> list[Any]:
    """Return the display form of TRIM, which states the side and the characters."""
    if not arguments:
        return [f"{name}()"]
    side, characters, text = "BOTH", None, arguments[-1]
    if node.form == "trim":
        side, characters = arguments[0].text, arguments[1]
    elif len(arguments) == 2:
        characters = arguments[0]
    side = {"ltrim": "LEADING", "rtrim": "TRAILING"}.get(name, side)
    if characters is None:
        return [{"LEADING": "ltrim(", "TRAILING": "rtrim("}.get(side, "trim("), text, ")"]
    return [f"TRIM({side} ", characters, " FROM ", text, ")"]


COLLECTING = ("array_agg", "collect_list", "collect_set", "collect_union")


def mode_parts(node: s.Call, arguments: list[Any]) -> list[Any]:
    """Return the display form of MODE. In WITHIN GROUP, Spark shows DESC for an ascending order."""
    if node.within_group is None:
        value, flag = arguments
        descending = False
        if not isinstance(flag, s.Boolean) or not flag.value:
            return ["mode(", value, ")"]
    else:
        value, descending = node.within_group[0].expression, node.within_group[0].ascending is False
    shown: list[Any] = ["mode() WITHIN GROUP (ORDER BY ", value, ")" if descending else " DESC)"]
    return shown if node.filter is None else [*shown, " FILTER (WHERE ", node.filter, ")"]


def keys_within_group(name: str, items: list[s.SortItem]) -> list[Any]:
    """Return the display form of the WITHIN GROUP keys: most functions show a direction only if it is DESC."""
    if name in ("listagg", "string_agg"):
        return list(items)
    shown: list[Any] = []
    for item in items:
        shown.append(item.expression)
        if item.ascending is False:
            shown.append(Plain(" DESC"))
    return shown if all(item.ascending is not False for item in items) else [Joined(shown)]


@attrs.frozen(eq=False)
class Plain:
    """Text that is shown unchanged."""

    text: str


@attrs.frozen(eq=False)
class Joined:
    """Parts that are shown as one item."""

    items: list[Any]


def frame_parts(node: s.Over, window: s.Window, is_cast: Callable[[Any], bool]) -> list[Any]:
    """Return the display form of a window's frame, which may be the default one. Spark casts some of the bounds."""
    call = node.call
    name = fold(call.function.names[-1].text) if isinstance(call, s.Call) else ""
    if name in ("lag", "lead"):
        offset: Any = call.arguments[1] if len(call.arguments) > 1 else "1"
        if name == "lag":
            # Only the sign of the offset is computed.
            value = 1 if offset == "1" else evaluate_integer(offset)
            offset = ["-", offset] if value is None else str(-value)
        shown = offset if isinstance(offset, list) else [offset]
        return ["ROWS BETWEEN ", *shown, " FOLLOWING AND ", *shown, " FOLLOWING"]
    frame = window.frame
    if frame is not None:
        upper = frame.upper or s.Bound(0, "CURRENT ROW")
        return [f"{frame.unit} BETWEEN ", *bound_parts(frame.lower, is_cast), " AND ", *bound_parts(upper, is_cast)]
    if find_display_rules(name).counts_rows:
        return ["ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"]
    if window.order_by:
        return ["RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"]
    return ["ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"]


def bound_parts(bound: s.Bound, is_cast: Callable[[Any], bool]) -> list[Any]:
    """Return the display form of a frame bound. A cast turns PRECEDING into the negated offset FOLLOWING."""
    if bound.kind == "PRECEDING" and bound.offset is not None and is_cast(bound.offset):
        return ["(- ", bound.offset, ") FOLLOWING"]
    return [bound.kind] if bound.offset is None else [bound.offset, f" {bound.kind}"]
