"""Builds constants from literals."""

from __future__ import annotations

import re
from decimal import Decimal

from grammar import syntax as s
from grammar.errors import Misread
from grammar.language import Form, Intervals, Language
from grammar.lexemes import Token
from ir import types as t
from ir.errors import ValidationException, did_you_mean
from ir.expressions import ValueLiteral
from ir.late_patterns import late_pattern
from ir.literal_values import MICROSECONDS, width_of
from ir.literals import literal, negate
from ir.types import DayTimeIntervalType, IntervalField, IntervalType, LogicalType, YearMonthIntervalType

# --- numbers ---------------------------------------------------------------------------------------------------------

_SUFFIXES: dict[str, LogicalType] = {
    "BD": t.DecimalType(38, 0),
    "L": t.BIGINT,
    "S": t.SMALLINT,
    "Y": t.TINYINT,
    "D": t.DOUBLE,
    "F": t.FLOAT,
}
_NUMBER = late_pattern(r"([\d.]+)(e[+-]?\d+)?(bd|[lsydf])?", re.IGNORECASE)


def number(written: s.Number, language: Language, *, negative: bool = False) -> ValueLiteral:
    """Build the constant of a number. The sign is included, because the least BIGINT has no positive counterpart.

    Raises:
        Misread: the type cannot hold the number, or the dialect lacks the suffix.
    """
    found = _NUMBER.fullmatch(written.text)
    assert found is not None, "the lexer takes nothing else for a number"
    digits, exponent, suffix = found[1], found[2] or "", (found[3] or "").upper()
    if digits.count(".") > 1:
        raise Misread(written.position, f"{written.text} is no number.")
    text = ("-" if negative else "") + digits + exponent
    if suffix:
        facts = {"suffix": suffix, "number": digits + exponent, "type": _name_suffix(suffix)}
        language.refuse(Form.NUMBER_SUFFIX, written.position, **facts)
    try:
        if suffix == "BD":
            return literal(Decimal(text))
        if suffix in ("D", "F") or (exponent and not suffix):
            value = literal(float(text), _SUFFIXES.get(suffix, t.DOUBLE))
            if value.value in (float("inf"), float("-inf")):
                raise ValidationException(
                    f"{written.text} is too large for {value.type_.root}.", condition="INVALID_NUMERIC_LITERAL_RANGE"
                )
            return value
        if suffix:
            return literal(int(text), _SUFFIXES[suffix])
        return language.literals.build_number(text)
    except ValidationException as error:
        usual = "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION" if suffix == "BD" else "INVALID_NUMERIC_LITERAL_RANGE"
        raise Misread(written.position, error.in_sql, error.condition or usual) from None
    except ValueError as error:
        raise Misread(written.position, str(error)) from None


def _name_suffix(suffix: str) -> str:
    return _SUFFIXES[suffix].root if suffix != "BD" else "DECIMAL(p, s)"


# --- text ------------------------------------------------------------------------------------------------------------


def text_of(token: Token, language: Language) -> str:
    """Return the content of a string literal, with the escapes of the dialect resolved."""
    return language.literals.unquote(*token)


def text(written: s.Text, language: Language) -> ValueLiteral:
    """Build one constant from adjacent string literals."""
    parts = [text_of(token, language) for token in written.tokens]
    return literal(parts[0] if len(parts) == 1 else "".join(parts))


# --- intervals -------------------------------------------------------------------------------------------------------

_UNITS: dict[str, tuple[IntervalField, int | Decimal]] = {
    "YEAR": (IntervalField.YEAR, 12),
    "QUARTER": (IntervalField.MONTH, 3),
    "MONTH": (IntervalField.MONTH, 1),
    "WEEK": (IntervalField.DAY, 7 * MICROSECONDS[IntervalField.DAY]),
    "DAY": (IntervalField.DAY, MICROSECONDS[IntervalField.DAY]),
    "HOUR": (IntervalField.HOUR, MICROSECONDS[IntervalField.HOUR]),
    "MINUTE": (IntervalField.MINUTE, MICROSECONDS[IntervalField.MINUTE]),
    "SECOND": (IntervalField.SECOND, 1_000_000),
    "MILLISECOND": (IntervalField.SECOND, 1_000),
    "MICROSECOND": (IntervalField.SECOND, 1),
    "NANOSECOND": (IntervalField.SECOND, Decimal("0.001")),
}


def _unit(name: str, position: int) -> tuple[IntervalField, int | Decimal]:
    word = name.upper()
    found = _UNITS.get(word) or _UNITS.get(word.removesuffix("S"))
    if found is None:
        raise Misread(position, f"{name} is no unit of time." + did_you_mean(word, list(_UNITS)))
    return found


def interval(written: s.Interval, language: Language, units: Intervals | None = None) -> ValueLiteral:
    """Build the constant of an interval literal in any of its forms; ``units`` are those of the dialect by default.

    Raises:
        Misread: the units do not fit together, or a number does not fit its unit.
    """
    first = written.parts[0]
    if first.last_unit is not None:
        if len(written.parts) > 1:
            raise Misread(written.parts[1].position, "An interval from one unit TO another has no further parts.")
        return _range(first, language)
    fields: list[IntervalField] = []
    total = 0
    for part in written.parts:
        field, factor = _unit(part.unit, part.position)
        fields.append(field)
        amount = _amount_of(part, factor, language, units or language.literals.intervals)
        total += -amount if part.negative else amount
    months = [field for field in fields if field <= IntervalField.MONTH]
    if months and len(months) < len(fields):
        raise Misread(
            written.position,
            "An interval has either years and months, or days and times, since months differ in length. Add two "
            "intervals instead, or cast the text: CAST('1 month 2 days' AS INTERVAL).",
        )
    kind = YearMonthIntervalType if months else DayTimeIntervalType
    return _build_interval(total, kind(min(fields), max(fields), nullable=False), first.position)


def _build_interval(
    units: int, data_type: IntervalType, position: int, mistake: str = "ARITHMETIC_EXCEPTION"
) -> ValueLiteral:
    """Build an interval from a number of months or microseconds."""
    if not -(1 << width_of(data_type) - 1) <= units < 1 << width_of(data_type) - 1:
        message = f"The interval is too long for {data_type.as_nullable().as_summary_string()}."
        raise Misread(position, message, f"INVALID_INTERVAL_FORMAT.{mistake}")
    return ValueLiteral(units, data_type)


def _amount_of(part: s.IntervalPart, factor: int | Decimal, language: Language, units: Intervals) -> int:
    """Return the number of months or microseconds of a part of an interval.

    Raises:
        Misread: the part is not a number, or has an invalid fraction.
    """
    value = text_of(part.value, language) if part.value.text[-1] in "'\"" else part.value.text
    unit = part.unit.upper().removesuffix("S")
    try:
        amount = Decimal(value.strip().replace(" ", ""))
    except ArithmeticError:
        raise Misread(part.position, f"{part.value.text} is no number of {part.unit}.") from None
    if unit == "SECOND" and units.truncates_seconds and len(value.strip().partition(".")[2]) <= _MOST_DIGITS:
        return int(amount * factor)
    if unit in units.refused:
        raise units.refused[unit].error(part.position, unit=part.unit)
    if unit == "NANOSECOND":
        return int(amount * factor)
    if amount != int(amount) and unit not in units.with_fraction:
        message = f"{part.value.text} is no whole number of {part.unit}."
        raise Misread(part.position, message, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION")
    if amount * factor != int(amount * factor):
        raise Misread(part.position, f"{part.value.text} {part.unit} is no whole number of the smallest unit.")
    return int(amount * factor)


# The most digits that Spark allows in a fraction of a second.
_MOST_DIGITS = 9

_RANGES: dict[tuple[str, str], str] = {
    ("YEAR", "MONTH"): r"(\d+)-(\d+)",
    ("DAY", "HOUR"): r"(\d+)\s+(\d+)",
    ("DAY", "MINUTE"): r"(\d+)\s+(\d+):(\d+)",
    ("DAY", "SECOND"): r"(\d+)\s+(\d+):(\d+):(\d+(?:\.\d{1,9})?)",
    ("HOUR", "MINUTE"): r"(\d+):(\d+)",
    ("HOUR", "SECOND"): r"(\d+):(\d+):(\d+(?:\.\d{1,9})?)",
    ("MINUTE", "SECOND"): r"(\d+):(\d+(?:\.\d{1,9})?)",
}
_MOST = {"MONTH": 11, "HOUR": 23, "MINUTE": 59, "SECOND": 59}


def _range(part: s.IntervalPart, language: Language) -> ValueLiteral:
    assert part.last_unit is not None
    first, last = part.unit.upper().removesuffix("S"), part.last_unit.upper().removesuffix("S")
    pattern = _RANGES.get((first, last))
    if pattern is None:
        message = f"There are no intervals of {part.unit} TO {part.last_unit}."
        raise Misread(part.position, message, "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION")
    value = text_of(part.value, language) if part.value.text[-1] in "'\"" else part.value.text
    found = re.fullmatch(rf"\s*([+-]?)\s*{pattern}\s*", value)
    if found is None:
        message = f"{part.value.text} is no interval of {first} TO {last}."
        raise Misread(part.position, message, "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE")
    names = list(_UNITS)
    units = [name for name in names[names.index(first) : names.index(last) + 1] if name not in ("QUARTER", "WEEK")]
    total = Decimal(0)
    for position, (unit, amount) in enumerate(zip(units, found.groups()[1:], strict=True)):
        if position and Decimal(amount).to_integral_value(rounding="ROUND_FLOOR") > _MOST[unit]:
            raise Misread(part.position, f"{amount} {unit}S in {part.value.text} are more than {_MOST[unit]}.")
        total += Decimal(amount) * _UNITS[unit][1]
    whole = int(total)
    if (found[1] == "-") is not part.negative:
        whole = -whole
    start, end = _UNITS[first][0], _UNITS[last][0]
    kind = YearMonthIntervalType if end <= IntervalField.MONTH else DayTimeIntervalType
    return _build_interval(whole, kind(start, end, nullable=False), part.position, "INTERVAL_PARSING")


_PARTS = late_pattern(r"\s*([+-]?)\s*(\d+(?:\.\d+)?|\.\d+)\s+([a-zA-Z]+)")


def interval_of_text(written: s.TypedText, value: str, language: Language) -> ValueLiteral:
    """Build the constant of an interval whose string includes the units: INTERVAL '1 day 2 hours'."""
    remaining = re.sub(r"^\s*interval\b", "", value, flags=re.IGNORECASE)
    parts: list[s.IntervalPart] = []
    negatives: set[bool] = set()
    position = 0
    while position < len(remaining.rstrip()):
        found = _PARTS.match(remaining, position)
        if found is None:
            break
        negatives.add(found[1] == "-")
        parts.append(s.IntervalPart(written.position, Token(found[1].strip("+") + found[2], 0), found[3], None))
        position = found.end()
    if not parts or position < len(remaining.rstrip()):
        raise Misread(written.position, f"{value!r} is no interval; write for example INTERVAL '1' DAY.")
    return interval(s.Interval(written.position, parts), language, language.literals.intervals_in_words)


def negate_constant(value: ValueLiteral) -> ValueLiteral | None:
    """Negate a constant; return None if the result is not a constant of the type."""
    return negate(value)
