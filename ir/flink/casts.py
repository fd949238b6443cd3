"""Rewriting of casts to Flink's SQL so that they convert as Spark does: one rule for each pair of kinds of types.

Where Spark raises an error (a number out of range, a string that is not a number), Flink's CAST may return another
value or NULL.
"""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.cast_rules import written_type
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.flink.marks import mark
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink import REGEXP_EXTRACT
from ir.functions.string import LOWER, SUBSTRING, TRIM
from ir.functions.time_units import FLOOR_TO
from ir.types import LogicalType

_TIMESTAMPS = (t.TimestampType, t.LocalZonedTimestampType)
_NESTED = (t.ArrayType, t.MapType, t.RowType)
_MILLISECONDS = 3
# The strings that Spark accepts; Flink accepts others, too: '1.5' as an INT, 'T' as a DECIMAL, '7' as a DATE.
_WHOLE_NUMBER = r"^\s*([+-]?[0-9]+)\s*$"
_DECIMAL = r"^\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*$"
_DATE = r"^\s*([0-9]{4}(?:-[0-9]{1,2}){0,2})(?:\s*|(?<=-[0-9]{1,2}-[0-9]{1,2})[ T].*)$"


class NoForm(Exception):
    """Raised if Flink's SQL has no equivalent; the message gives the reason."""


def cast(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    """Return an expression that casts ``value`` to ``target`` in Flink as Spark does, unchanged if the types are equal.

    Raises:
        NoForm: Flink has no such cast.
    """
    return value if value.data_type.same_type(target) else convert(value, target)


def convert(value: ResolvedExpression, target: LogicalType, *, attempt: bool = False) -> ResolvedExpression:
    """Return an expression that casts ``value``; with ``attempt`` like TRY_CAST, which returns NULL on failure.

    Raises:
        NoForm: Flink has no such cast.
    """
    source, target = value.data_type, written_type(target)
    if isinstance(source, t.NullType):
        if not isinstance(value, ValueLiteral):
            raise NoForm("it has no values without a type but NULL itself")
        null = ValueLiteral(None, target.as_nullable())
        return Call(TRY_CAST, (null, TypeLiteral(null.type_)), null.type_) if attempt else null
    if attempt:
        for given, wanted, form in _ATTEMPTS:
            if isinstance(source, given) and isinstance(target, wanted):
                return form(value, target)
    for given, wanted, form in _RULES:
        if isinstance(source, given) and isinstance(target, wanted):
            made = form(value, target)
            break
    else:
        made = _cast_plainly(value, target)
    if attempt and isinstance(made, Call) and made.function is CAST and made.arguments[0] is value:
        return Call(TRY_CAST, made.arguments, made.type_)
    # A cast that never fails is the same as CAST.
    return mark(made) if attempt else made


def integer(value: int) -> ValueLiteral:
    """Return a constant of type INT."""
    return ValueLiteral(value, t.INT.not_null())


def part_of(text: ResolvedExpression, start: int, length: int | None = None) -> ResolvedExpression:
    """Return the substring that begins at a position."""
    bounds = (integer(start),) if length is None else (integer(start), integer(length))
    return Call(SUBSTRING, (text, *bounds), text.data_type)


def text_of_time(value: ResolvedExpression) -> ResolvedExpression:
    """Return a timestamp or time of day as a string with all digits of the fraction, as Flink writes it."""
    is_time = isinstance(value.data_type, t.TimeType)
    exact = t.TimeType(_MILLISECONDS) if is_time else t.TIMESTAMP
    return _cast_plainly(_cast_plainly(value, exact), t.STRING)


# --- rewritings ------------------------------------------------------------------------------------------------------

_Form = Callable[[ResolvedExpression, LogicalType], ResolvedExpression]


def _cast_plainly(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    return Call(CAST, (value, TypeLiteral(target.as_nullable())), target.with_nullability(value.data_type.nullable))


def _reject_cast(reason: str) -> _Form:
    def refuse(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
        source = value.data_type.as_nullable().as_summary_string()
        raise NoForm(reason.format(source=source, target=target.as_nullable().as_summary_string()))

    return refuse


def _lower_case(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    # Flink casts TRUE to 'TRUE', Spark to 'true'.
    text = _cast_plainly(value, t.STRING)
    return Call(LOWER, (text,), text.data_type)


def _strip_zeros(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    """Return a time as a string without trailing zeros of the fraction, as Spark writes it."""
    text = text_of_time(value)
    for character in ("0", "."):
        trimmed = ValueLiteral(character, t.STRING.not_null())
        text = Call(TRIM, (SymbolLiteral("TRAILING"), text, trimmed), text.data_type)
    return text


def _day(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    # Flink rounds towards zero, which is up before 1970.
    return _cast_plainly(Call(FLOOR_TO, (value, SymbolLiteral("DAY")), value.data_type), target)


def _time_of_day(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    """Cast a timestamp to its time of day through a string, because Flink's own cast fails before 1970."""
    assert isinstance(target, t.TimeType)
    _require_milliseconds(value, target)
    return _cast_plainly(part_of(text_of_time(value), 12, 9 + target.precision if target.precision else 8), target)


def _time_from_text(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    _require_milliseconds(value, target)
    return _cast_plainly(value, target)


def _require_milliseconds(value: ResolvedExpression, target: LogicalType) -> None:
    if isinstance(target, t.TimeType) and target.precision > _MILLISECONDS:
        raise NoForm(f"its TIME has milliseconds, {target.as_nullable().as_summary_string()} has more")


def _interval(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    source = value.data_type
    assert isinstance(source, t.IntervalType)
    assert isinstance(target, t.IntervalType)
    if target.end < source.end:
        raise NoForm(f"its intervals keep what is finer than a {target.end.name}")
    return _cast_plainly(value, target)


def _cast_nested(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    """Return the cast of a collection if Flink casts its parts as Spark does."""
    source = value.data_type
    if type(source) is not type(target) or len(source.children) != len(target.children):
        raise NoForm("collections can be cast to their own kind only")
    for part, wanted in zip(source.children, target.children, strict=True):
        stand_in = ValueLiteral(None, part.as_nullable())
        made = cast(stand_in, wanted)
        if made is not stand_in and not (
            isinstance(made, Call) and made.function is CAST and made.arguments[0] is stand_in
        ):
            raise NoForm(
                f"the {part.as_nullable().as_summary_string()} in a collection cannot be cast as Spark casts it to "
                f"{wanted.as_nullable().as_summary_string()}"
            )
    return _cast_plainly(value, target)


def _narrower(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
    """Cast an integer through a string with TRY_CAST, because Flink would truncate the integer to its low bits."""
    source = value.data_type
    assert isinstance(source, t.IntegralType)
    assert isinstance(target, t.IntegralType)
    text = value if target.width >= source.width else _cast_plainly(value, t.STRING)
    return Call(TRY_CAST, (text, TypeLiteral(target.as_nullable())), target.as_nullable())


def _extract_match(pattern: str) -> _Form:
    """Return a rewriting that extracts a match of a pattern from a string and tries to cast the match."""

    def attempt(value: ResolvedExpression, target: LogicalType) -> ResolvedExpression:
        found = Call(REGEXP_EXTRACT, (value, ValueLiteral(pattern, t.STRING.not_null()), integer(1)), t.STRING)
        return Call(TRY_CAST, (found, TypeLiteral(target.as_nullable())), target.as_nullable())

    return attempt


_Kinds = type[LogicalType] | tuple[type[LogicalType], ...]
_RULES: tuple[tuple[_Kinds, _Kinds, _Form], ...] = (
    (t.VariantType, LogicalType, _reject_cast("it has no such conversion of a VARIANT")),
    (LogicalType, t.VariantType, _reject_cast("it has no such conversion to a VARIANT")),
    (t.BooleanType, t.CharacterType, _lower_case),
    ((*_TIMESTAMPS, t.TimeType), t.CharacterType, _strip_zeros),
    (
        (t.IntervalType, *_NESTED),
        t.CharacterType,
        _reject_cast("values of type {source} become text in another form there"),
    ),
    (t.CharacterType, t.BytesType, _cast_plainly),
    (t.BytesType, (t.BytesType, t.CharacterType), _cast_plainly),
    (LogicalType, t.BytesType, _reject_cast("bytes can be made of text only")),
    (
        t.NumericType,
        (t.TemporalType, t.IntervalType),
        _reject_cast("a number is no point in time and no interval there"),
    ),
    ((t.TemporalType, t.IntervalType), t.NumericType, _reject_cast("values of type {source} become no numbers there")),
    (t.TimestampType, t.DateType, _day),
    (t.TimeType, t.TimeType, _cast_plainly),
    (t.TimeType, t.TemporalType, _reject_cast("a time of day becomes one of 1970-01-01 there")),
    (_TIMESTAMPS, t.TimeType, _time_of_day),
    (t.CharacterType, t.TimeType, _time_from_text),
    (t.CharacterType, t.IntervalType, _reject_cast("text is read as an interval in another form there")),
    (t.IntervalType, t.IntervalType, _interval),
    (_NESTED, _NESTED, _cast_nested),
)
_OTHER_TEXT = "its TRY_CAST reads text as a {target} that Spark does not"
_ATTEMPTS: tuple[tuple[_Kinds, _Kinds, _Form], ...] = (
    (t.IntegralType, t.IntegralType, _narrower),
    (
        (t.DecimalType, t.FractionalType),
        t.IntegralType,
        _reject_cast("its TRY_CAST cuts off what is too large for {target}"),
    ),
    (t.CharacterType, t.IntegralType, _extract_match(_WHOLE_NUMBER)),
    (t.CharacterType, t.DecimalType, _extract_match(_DECIMAL)),
    (t.CharacterType, t.DateType, _extract_match(_DATE)),
    (t.CharacterType, t.TemporalType, _reject_cast(_OTHER_TEXT)),
    (_NESTED, _NESTED, _reject_cast("its TRY_CAST does not see what is wrong inside of a collection")),
)


def is_cast(function: FunctionDefinition) -> bool:
    """Whether the function is CAST or TRY_CAST."""
    return function is CAST or function is TRY_CAST
