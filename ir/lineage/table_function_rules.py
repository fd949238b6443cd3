"""Table functions: what each of their columns and their rows read.

A table function without a rule reads all arguments whole for each column and for its rows.
"""

from __future__ import annotations

from collections.abc import Callable

from ir.call_expressions import Call
from ir.expressions import ValueLiteral
from ir.functions import table
from ir.functions.definition import FunctionDefinition
from ir.lineage.influences import Influence
from ir.lineage.paths import WHOLE, Path, Step, field_path
from ir.lineage.reads import Read
from ir.types import ArrayType, RowType

ColumnRule = Callable[[Call, int, Path], "list[Read]"]


def _element(call: Call, column: int, path: Path) -> list[Read]:
    (given,) = call.arguments[:1]
    if isinstance(given.data_type, ArrayType):
        return [Read(given, (Step.ELEMENT, *path))]
    return [Read(given, (Step.VALUE if column else Step.KEY, *path))]


def _element_with_position(call: Call, column: int, path: Path) -> list[Read]:
    if column == 0:
        return [Read(call.arguments[0], (Step.SIZE,), Influence.TRANSFORMATION)]
    return _element(call, column - 1, path)


def _field(call: Call, column: int, path: Path) -> list[Read]:
    (rows,) = call.arguments[:1]
    assert isinstance(rows.data_type, ArrayType)
    step = field_path(rows.data_type.element, column)
    return [Read(rows, (Step.ELEMENT, *step, *(path if step else WHOLE)))]


def _stacked(call: Call, column: int, path: Path) -> list[Read]:
    assert isinstance(call.data_type, RowType)
    return [Read(value, path) for value in call.arguments[1 + column :: len(call.data_type.fields)]]


def _value_in_json(call: Call, column: int, path: Path) -> list[Read]:
    return [Read(part, WHOLE, Influence.TRANSFORMATION) for part in (call.arguments[0], call.arguments[column + 1])]


_COLUMNS: dict[FunctionDefinition, ColumnRule] = {
    **dict.fromkeys((table.EXPLODE, table.EXPLODE_OUTER), _element),
    **dict.fromkeys((table.POSEXPLODE, table.POSEXPLODE_OUTER), _element_with_position),
    **dict.fromkeys((table.INLINE, table.INLINE_OUTER), _field),
    table.STACK: _stacked,
    table.JSON_TUPLE: _value_in_json,
}
_ONE_ROW = (table.STACK, table.JSON_TUPLE)


def reads_of_column(call: Call, column: int, path: Path) -> list[Read]:
    """Return the reads of a part of a column of a table function."""
    rule = _COLUMNS.get(call.function)
    if rule is not None:
        return rule(call, column, path)
    return [
        Read(part, WHOLE, Influence.TRANSFORMATION) for part in call.arguments if not isinstance(part, ValueLiteral)
    ]


def reads_of_rows(call: Call) -> list[Read]:
    """Return the reads that decide how many rows a table function returns for a row of its input."""
    if call.function in _ONE_ROW:
        return []
    size = (Step.SIZE,) if call.function in _COLUMNS else WHOLE
    return [Read(part, size, Influence.JOIN) for part in call.arguments if not isinstance(part, ValueLiteral)]
