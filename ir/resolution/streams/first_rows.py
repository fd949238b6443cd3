"""The first rows of each partition of a stream, by a condition on ROW_NUMBER.

A stream has no last row, so that Spark refuses ROW_NUMBER. But the first n rows of a partition are an aggregate: the n
rows with the least or the greatest sort keys. A group of rows ends when its window does.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from ir.call_expressions import Call, Over
from ir.calls import call
from ir.contents import CHANGING, OUTER, OVER, QUERY
from ir.expressions import FieldReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.functions.aggregate import MAX_BY, MIN_BY
from ir.functions.arithmetic import MINUS_PREFIX, PLUS
from ir.functions.bitwise import BIT_NOT
from ir.functions.collection import GET, ROW
from ir.functions.comparison import (
    BETWEEN,
    EQUALS,
    GREATER_THAN,
    GREATER_THAN_OR_EQUAL,
    IS_NULL,
    LESS_THAN,
    LESS_THAN_OR_EQUAL,
)
from ir.functions.dates import UNIX_DATE
from ir.functions.definition import FunctionDefinition
from ir.functions.logic import AND, NOT
from ir.functions.table import POSEXPLODE
from ir.functions.timestamps import UNIX_MICROS
from ir.functions.window import ROW_NUMBER
from ir.literals import literal
from ir.names import Names
from ir.operations.filter import Filter
from ir.operations.join import JoinType
from ir.operations.lateral import lateral_join
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.resolution.streams.windows import field, group_stream
from ir.resolution.typing import replace_and_type
from ir.streaming.time_bounds import split_conjuncts
from ir.types import BooleanType, DateType, DecimalType, IntegralType, LocalZonedTimestampType, LogicalType

_MOST_ROWS = 100_000
"""How many rows MIN_BY and MAX_BY can give."""


def keep_first_rows(numbered: QueryOperation, condition: ResolvedExpression) -> QueryOperation | None:
    """Return the rows of a stream that a condition on their ROW_NUMBER keeps; None if it is no such condition.

    Args:
        numbered: a projection of a stream with ROW_NUMBER as a column.
        condition: a condition over the columns of ``numbered``.
    """
    over = _find_row_number(numbered)
    if over is None or condition.contents & (QUERY | OUTER):
        return None
    assert isinstance(numbered, Project)
    places = frozenset([i for i, column in enumerate(numbered.projections) if column is over])
    count, others = _split_condition(condition, places)
    # Within a partition, its keys are all equal; one sort key has to be left.
    order = tuple([sort for sort in over.order_by if sort.expression not in over.partition_by]) or over.order_by[:1]
    picking = None if count is None else _choose_picking(order)
    if count is None or picking is None:
        return None
    rows = _pick_rows(numbered, over, count, picking)
    if not others:
        return rows

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        return field(rows, part.index) if isinstance(part, FieldReference) else None

    kept = [replace_and_type(other, moved) for other in others]
    return Filter(rows, kept[0] if len(kept) == 1 else call(AND, tuple(kept)))


def _find_row_number(numbered: QueryOperation) -> Over | None:
    """Return the ROW_NUMBER of a projection that has no other call over a window and no random sort key."""
    if not isinstance(numbered, Project) or numbered.schema.holds or numbered.input.schema.holds:
        return None
    found = {column for column in numbered.projections if column.contents & OVER}
    over = found.pop() if len(found) == 1 else None
    if not isinstance(over, Over) or over.call.function is not ROW_NUMBER or over.contents & (CHANGING | QUERY | OUTER):
        return None
    return over


# --- the condition ---------------------------------------------------------------------------------------------------


def _split_condition(
    condition: ResolvedExpression, places: frozenset[int]
) -> tuple[int | None, list[ResolvedExpression]]:
    """Return how many rows a condition keeps at most, and the conjuncts that say more than that."""
    conjuncts = list(split_conjuncts(condition))
    limits = {part: limit for part in conjuncts if (limit := _find_limit(part, places)) is not None}
    count = min([limit.most for limit in limits.values()], default=None)
    if count is None or not 0 < count <= _MOST_ROWS:
        return None, conjuncts
    return count, [part for part in conjuncts if part not in limits or not limits[part].says_all]


class _Limit(NamedTuple):
    """The greatest number that a conjunct allows, and whether it allows all numbers up to that one."""

    most: int
    says_all: bool


def _find_limit(conjunct: ResolvedExpression, places: frozenset[int]) -> _Limit | None:
    if not isinstance(conjunct, Call):
        return None
    match conjunct.arguments:
        case FieldReference() as number, ValueLiteral(value=int() as value) if number.index in places:
            compared: FunctionDefinition = conjunct.function
        case ValueLiteral(value=int() as value), FieldReference() as number if number.index in places:
            compared = _SWAPPED.get(conjunct.function, conjunct.function)
        case (
            FieldReference() as number,
            ValueLiteral(value=int() as low),
            ValueLiteral(value=int() as high),
        ) if number.index in places and conjunct.function is BETWEEN:
            return _Limit(high, low <= 1)
        case _:
            return None
    if compared is LESS_THAN_OR_EQUAL:
        return _Limit(value, True)
    if compared is LESS_THAN:
        return _Limit(value - 1, True)
    return _Limit(value, value == 1) if compared is EQUALS else None


_SWAPPED = {GREATER_THAN: LESS_THAN, GREATER_THAN_OR_EQUAL: LESS_THAN_OR_EQUAL}


# --- the rows --------------------------------------------------------------------------------------------------------


def _pick_rows(numbered: Project, over: Over, count: int, picking: _Picking) -> QueryOperation:
    """Return the projection of the first rows of each partition."""
    input = numbered.input
    keys = over.partition_by
    key_at = {key: position for position, key in enumerate(keys)}
    used = _list_columns_beside([column for column in numbered.projections if column is not over], key_at)
    row = _row_of({part.name: part for part in used} or {"row_number": literal(1)})
    # Without keys there is a group even if there are no rows, and its first row would be NULL.
    is_one = count == 1 and bool(keys)
    picked = call(picking.function, (row, picking.key) if is_one else (row, picking.key, literal(count)))
    unique = Names(input.schema.names)
    names = [key.name if isinstance(key, FieldReference) else unique.free(f"key_{i}") for i, key in enumerate(keys)]
    chosen = unique.free("first_row" if is_one else "first_rows")
    rows = group_stream(input, keys, (picked,), (*names, chosen))
    number: ResolvedExpression = literal(1)
    first = field(rows, len(keys))
    if not is_one:
        columns = (unique.free("position"), unique.free("row"))
        rows = lateral_join(rows, call(POSEXPLODE, (first,)), columns, JoinType.INNER, None)
        number = call(PLUS, (field(rows, len(keys) + 1), literal(1)))
        first = field(rows, len(keys) + 2)

    def found(part: ResolvedExpression) -> ResolvedExpression | None:
        if part in key_at:
            return field(rows, key_at[part])
        if part is over:
            return number
        return call(GET, (first, literal(part.name))) if isinstance(part, FieldReference) else None

    return Project(rows, tuple([replace_and_type(column, found) for column in numbered.projections]), numbered.names)


def _list_columns_beside(
    expressions: list[ResolvedExpression], keys: Container[ResolvedExpression]
) -> list[FieldReference]:
    """Return the distinct columns in expressions, without those in the keys that they contain."""
    found: dict[FieldReference, None] = {}
    pending = expressions[::-1]
    while pending:
        part = pending.pop()
        if part in keys:
            continue
        if isinstance(part, FieldReference):
            found[part] = None
        pending += reversed(part.children)
    return list(found)


def _row_of(fields: dict[str, ResolvedExpression]) -> ResolvedExpression:
    return call(ROW, tuple([part for name, value in fields.items() for part in (literal(name), value)]))


# --- the order -------------------------------------------------------------------------------------------------------


class _Picking(NamedTuple):
    """An aggregate, MIN_BY or MAX_BY, and the key by which it picks the first rows."""

    function: FunctionDefinition
    key: ResolvedExpression


def _choose_picking(order: tuple[SortOrder, ...]) -> _Picking | None:
    """Return how the first rows in an order are picked; None if some keys ascend, others descend, and none can turn."""
    rising = sum(sort.ascending for sort in order)
    ways = [(MIN_BY, True), (MAX_BY, False)]
    for function, ascending in ways if 2 * rising >= len(order) else reversed(ways):
        key = _key_of(order, ascending=ascending)
        if key is not None:
            return _Picking(function, key)
    return None


def _key_of(order: tuple[SortOrder, ...], *, ascending: bool) -> ResolvedExpression | None:
    """Return the key whose order, or its reverse, is the given one; None if a sort key cannot be turned."""
    parts: list[ResolvedExpression] = []
    for sort in order:
        value = sort.expression if sort.ascending is ascending else _turn(sort.expression)
        if value is None:
            return None
        # Within a row, NULL is the least value.
        if sort.expression.data_type.nullable and sort.nulls_first is not ascending:
            parts.append(call(IS_NULL, (sort.expression,)))
        parts.append(value)
    if len(parts) == 1 and not parts[0].data_type.nullable:
        return parts[0]
    # The row is never NULL. MIN_BY and MAX_BY leave out rows whose key is NULL.
    return _row_of({f"key_{i}": part for i, part in enumerate(parts)})


def _turn(expression: ResolvedExpression) -> ResolvedExpression | None:
    """Return an expression that sorts in the other direction, with NULL still the least; None if there is none."""
    data_type: LogicalType = expression.data_type
    if isinstance(data_type, IntegralType):
        return call(BIT_NOT, (expression,))
    if isinstance(data_type, DecimalType):
        return call(MINUS_PREFIX, (expression,))
    if isinstance(data_type, BooleanType):
        return call(NOT, (expression,))
    if isinstance(data_type, DateType):
        return call(BIT_NOT, (call(UNIX_DATE, (expression,)),))
    if isinstance(data_type, LocalZonedTimestampType):
        return call(BIT_NOT, (call(UNIX_MICROS, (expression,)),))
    return None
