"""The clauses after the path of JSON_VALUE, JSON_QUERY and JSON_EXISTS, as arguments of the call."""

from __future__ import annotations

from decimal import Decimal

from ir import types as t
from ir.errors import TableException, ValidationException
from ir.expressions import Expression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.json import QUERY_TYPES, STRINGS, VALUE_TYPES
from ir.functions.json_paths import has_wildcard, is_lax, strip_mode
from ir.literals import literal
from ir.types import LogicalType

NO_DEFAULT = ValueLiteral(None, t.NULL)


def exists_arguments(path: object, on_error: str) -> tuple[Expression, ...]:
    """Return the arguments of JSON_EXISTS after the JSON; a lax path that finds nothing is not an error.

    Raises:
        ValidationException: the path is invalid.
        TableException: Spark cannot follow the path.
    """
    followed = strip_mode(path, "JSON_EXISTS")
    return literal(followed), SymbolLiteral("FALSE" if is_lax(str(path)) else on_error)


def query_arguments(
    path: object, target: LogicalType, wrapper: str, on_empty: str, on_error: str
) -> tuple[Expression, ...]:
    """Return the arguments of JSON_QUERY after the JSON; only ON EMPTY or ON ERROR applies, depending on the path.

    Raises:
        ValidationException: the path is invalid, or an array is requested with EMPTY OBJECT.
        TableException: Spark cannot follow the path, or JSON_QUERY does not support the type.
    """
    followed = strip_mode(path, "JSON_QUERY")
    wanted: LogicalType = t.STRING if isinstance(target, t.CharacterType) else target.as_nullable()
    if isinstance(wanted, t.ArrayType) and isinstance(wanted.element, t.CharacterType) and wanted.element.nullable:
        wanted = STRINGS
    if wanted not in QUERY_TYPES:
        raise TableException(
            "JSON_QUERY returns STRING or ARRAY<STRING>, as in Flink, and not "
            f"{wanted.as_summary_string()}: the elements are text, or NULL; cast its result."
        )
    if wanted is STRINGS and "EMPTY OBJECT" in (on_empty, on_error):
        raise ValidationException("JSON_QUERY that returns an array has no EMPTY OBJECT; there is EMPTY ARRAY.")
    counts = on_empty if is_lax(str(path)) else on_error
    return literal(followed), TypeLiteral(wanted), SymbolLiteral(wrapper), SymbolLiteral(counts)


def value_arguments(
    path: object, target: LogicalType, on_empty: ValueLiteral | None, on_error: ValueLiteral | None
) -> tuple[Expression, ...]:
    """Return the arguments of JSON_VALUE after the JSON; a default of None raises an error.

    Raises:
        ValidationException: the path is invalid, or a default does not have the type.
        TableException: Spark cannot follow the path, the path finds an array, or JSON_VALUE does not support the type.
    """
    followed = strip_mode(path, "JSON_VALUE")
    if has_wildcard(followed):
        raise TableException(
            f"The path {path!r} finds an array, since it has a wildcard, and an array is no value: in Flink JSON_VALUE "
            "is what its clauses say for every row. JSON_QUERY returns the array."
        )
    wanted: LogicalType = t.STRING if isinstance(target, t.CharacterType) else target.as_nullable()
    if not isinstance(wanted, VALUE_TYPES):
        raise TableException(
            f"JSON_VALUE returns STRING, BOOLEAN, INT or DOUBLE, as in Flink, and not {wanted.as_summary_string()}; "
            "cast its result."
        )
    counts = on_empty if is_lax(str(path)) else on_error
    default = SymbolLiteral("ERROR") if counts is None else _convert_default(counts, wanted)
    return literal(followed), TypeLiteral(wanted), default


def _convert_default(default: ValueLiteral, wanted: LogicalType) -> ValueLiteral:
    value = default.value
    if value is None:
        return NO_DEFAULT
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if isinstance(wanted, t.DoubleType) and is_number:
        return literal(float(value))
    if default.data_type.same_type(wanted):
        return default
    if isinstance(wanted, t.StringType) and isinstance(default.data_type, t.CharacterType):
        return literal(str(value))
    raise ValidationException(
        f"The default of JSON_VALUE is a constant of type {wanted.as_summary_string()}, which it returns, but "
        f"{default.as_summary_string()} is of type {default.data_type.as_nullable().as_summary_string()}."
    )
