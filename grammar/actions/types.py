"""Actions that build logical types."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.language import Form, Language
from grammar.lexemes import Token
from grammar.type_names import ANY_SYSTEM, build_plain_type, read_collation
from ir import types as t
from ir.errors import ValidationException
from ir.types import IntervalField, LogicalType


class TypeActions:
    """Builds the types of columns and casts."""

    _language: Language

    def only_type(self, written: Any) -> LogicalType:
        return self._type(written)

    def _type(self, written: s.TypeName | LogicalType) -> LogicalType:
        """Return the type of a plain name, which until now might have been the name of something else."""
        if isinstance(written, LogicalType):
            return written
        return build_plain_type(Token(written.text, written.position), [], None, self._language)

    def not_null_type(self, written: Any) -> LogicalType:
        return self._type(written).not_null()

    def nullable_type(self, written: Any) -> LogicalType:
        return self._type(written)

    def array_type(self, element: Any) -> LogicalType:
        return t.ArrayType(self._type(element))

    def multiset_type(self, element: Any) -> LogicalType:
        return t.MapType(self._type(element), t.INT.not_null())

    def collated_type(self, written: Any, collation: s.Path) -> s.TypeName | LogicalType:
        text = self._type(written)
        self._language.refuse(Form.COLLATED_TYPE, collation.position)
        # Spark casts to STRING even if the type has a length, so that the length is dropped here, too.
        if not isinstance(text, (t.StringType, t.CharType, t.VarCharType)):
            raise Misread(collation.position, f"{text.as_summary_string()} has no collation: only STRING has one.")
        made = t.StringType(read_collation(collation))
        return made if made.has_collation else s.CollatedTypeName(collation.position, "STRING")

    def map_type(self, key: Any, value: Any) -> LogicalType:
        return t.MapType(self._type(key), self._type(value))

    def row_type(self, *fields: Any) -> LogicalType:
        return t.RowType(tuple([field for field in fields if field is not None]))

    def row_field(self, name: s.Name, written: Any, comment: Token | None) -> t.RowField:
        text = None if comment is None else text_of(comment, self._language)
        return t.RowField(name.text, self._type(written), text)

    def null_type(self) -> LogicalType:
        return t.NULL

    def double_type(self) -> LogicalType:
        return t.DOUBLE

    def plain_type(self, name: Token, numbers: list[int] | None, zone: str | None = None) -> s.TypeName | LogicalType:
        if numbers is None and zone is None:
            return s.TypeName(name.position, name.text)
        return build_plain_type(name, [] if numbers is None else numbers, zone, self._language)

    def type_numbers(self, *numbers: Token) -> list[int]:
        for number in numbers:
            if not number.text.isdigit():
                raise Misread(number.position, f"A type takes whole numbers, not {number.text}.")
        return [int(number.text) for number in numbers]

    def any_system(self) -> list[int]:
        return ANY_SYSTEM

    def with_time_zone(self) -> str:
        return "WITH TIME ZONE"

    def with_local_time_zone(self) -> str:
        return "WITH LOCAL TIME ZONE"

    def without_time_zone(self) -> str:
        return "WITHOUT TIME ZONE"

    def interval_field(self, unit: Token, precision: Token | None) -> Token:
        return unit

    def calendar_interval_type(self, keyword: Token) -> LogicalType:
        self._language.refuse(Form.CALENDAR_INTERVAL, keyword.position)
        return t.CalendarIntervalType()

    def interval_type(self, keyword: Token, first: Token, last: Token | None) -> LogicalType:
        start = self._field(first)
        end = start if last is None else self._field(last)
        months = start <= IntervalField.MONTH
        try:
            return (t.YearMonthIntervalType if months else t.DayTimeIntervalType)(start, end)
        except ValidationException as error:
            raise Misread(first.position, str(error)) from None

    def _field(self, unit: Token) -> IntervalField:
        field = IntervalField.__members__.get(unit.text.upper())
        if field is None:
            raise Misread(unit.position, f"The fields of an interval type are YEAR to SECOND, not {unit.text}.")
        return field
