"""Strategies for a single argument: small objects that combine, each describing what it accepts (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir import light_attrs as attrs
from ir import types as t
from ir.call_expressions import Call
from ir.casts import (
    DECIMAL_FAMILY,
    Expected,
    can_cast,
    implicit_cast,
)
from ir.collations import BINARY_COLLATION, ignores_blanks, is_of_utf8, tells_case_but_no_accents
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.late_patterns import late_pattern
from ir.light_typing import Any
from ir.types import LogicalType


@attrs.frozen(eq=False, repr=False)
class AnyType(attrs.Slotted):
    """Accepts any value."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.argument_types[position] if context.is_value(position) else None

    def describe(self) -> str:
        return "<ANY>"


@attrs.frozen(eq=False, repr=False)
class Explicit(attrs.Slotted):
    """Accepts a value of one type, or a value that Spark casts to it implicitly."""

    data_type: LogicalType

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        if not context.is_value(position) or not _is_readable(context, position, self.data_type):
            return None
        return _castable(context.argument_types[position], self.data_type)

    @property
    def only_type(self) -> LogicalType:
        """The type to which every argument is cast."""
        return self.data_type

    def describe(self) -> str:
        return f"<{self.data_type.as_nullable().as_summary_string()}>"


_WHOLE_NUMBER = late_pattern(r"(?a)[\s\x00-\x1f]*[+-]?[0-9]+[\s\x00-\x1f]*")


def _is_readable(context: CallContext, position: int, wanted: LogicalType) -> bool:
    """Whether a literal string can be cast to the wanted integral type, since Spark always fails at any other."""
    text = context.literal_value(position)
    is_number = not isinstance(text, str) or _WHOLE_NUMBER.fullmatch(text) is not None
    return is_number or not isinstance(wanted, t.IntegralType)


@attrs.frozen(eq=False, repr=False)
class Implicit(attrs.Slotted):
    """Accepts a value of one of several types or families, or casts it to the first one to which Spark can."""

    name: str
    expected: tuple[Expected, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return _castable(context.argument_types[position], self.expected) if context.is_value(position) else None

    def describe(self) -> str:
        return f"<{self.name}>"


@attrs.frozen(eq=False, repr=False)
class Family(attrs.Slotted):
    """Accepts a value of several kinds of types; any other is cast to a type of ``otherwise``, if Spark does so."""

    name: str
    members: tuple[type[LogicalType], ...]
    otherwise: tuple[LogicalType, ...] = ()

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        if not context.is_value(position):
            return None
        if isinstance(given, self.members):
            return given
        for candidate in self.otherwise:
            if implicit_cast(given, candidate) is not None:
                return _castable(given, candidate)
        return None

    @property
    def only_type(self) -> LogicalType | None:
        """The type that every argument has, None if there are several."""
        return _SINGLE.get(self.members)

    def describe(self) -> str:
        return f"<{self.name}>"


# The kinds that have a single type.
_SINGLE: dict[tuple[type[LogicalType], ...], LogicalType] = {
    (t.BooleanType,): t.BOOLEAN,
    (t.BytesType,): t.BYTES,
    (t.CharacterType,): t.STRING,
    (t.DateType,): t.DATE,
    (t.VariantType,): t.VariantType(),
}


@attrs.frozen(eq=False, repr=False)
class Literal(attrs.Slotted):
    """Accepts a literal that ``inner`` accepts."""

    inner: ArgumentTypeStrategy

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.literal(position)
        is_plain = given is not None and not _is_collated(given)
        return self.inner.infer_argument(context, position) if is_plain else None

    def describe(self) -> str:
        return f"<{self.inner.describe().strip('<>')} literal>"


@attrs.frozen(eq=False, repr=False)
class Where(attrs.Slotted):
    """Accepts an argument of ``inner`` that satisfies ``accept``; ``description`` describes it in signatures."""

    inner: ArgumentTypeStrategy
    accept: Callable[[ResolvedExpression], bool]
    description: str

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = self.inner.infer_argument(context, position)
        return found if found is not None and self.accept(context.arguments[position]) else None

    def describe(self) -> str:
        return f"<{self.description}>"


def literal_where(inner: ArgumentTypeStrategy, accept: Callable[[Any], bool], description: str) -> Where:
    """Return a strategy for a literal that ``inner`` accepts and whose value satisfies ``accept``."""
    return Where(
        inner,
        lambda given: isinstance(given, ValueLiteral) and not _is_collated(given) and accept(given.value),
        description,
    )


def _is_collated(given: ResolvedExpression) -> bool:
    """Whether a constant is a string with a collation, which Spark does not evaluate when it plans a query."""
    return isinstance(given.data_type, t.StringType) and given.data_type.has_collation


def int_constant(given: ResolvedExpression) -> int | None:
    """Return the INT to which Spark casts a constant, None if there is none."""
    from ir.functions.constant_values import cast

    if not isinstance(given, ValueLiteral) or given.is_null or _is_collated(given):
        return None
    if not isinstance(given.type_, (t.NumericType, t.CharacterType)):
        return None
    value = cast(given.value, given.type_, t.INT)
    return value if isinstance(value, int) else None


def int_from(least: int, description: str) -> Where:
    """Return a strategy for a constant that Spark casts to an INT of at least ``least``."""

    def accept(given: ResolvedExpression) -> bool:
        value = int_constant(given)
        return value is not None and value >= least

    return Where(_CAST_TO_INT, accept, description)


def cast_int_literal() -> Where:
    """Return a strategy for NULL or a constant that Spark casts to INT."""
    return Where(
        _CAST_TO_INT,
        lambda given: int_constant(given) is not None or (isinstance(given, ValueLiteral) and given.is_null),
        "INT literal",
    )


def int_literal(*, null: bool = True, exactly: LogicalType | None = None) -> Where:
    """Return a strategy for an integer literal, of any type or of type ``exactly``, or for NULL if ``null`` is True."""

    def accept(given: ResolvedExpression) -> bool:
        if not isinstance(given, ValueLiteral) or (exactly is not None and not given.type_.same_type(exactly)):
            return False
        whole = isinstance(given.type_, t.IntegralType) and not given.is_null and -1 << 31 <= given.value < 1 << 31
        return whole or (null and given.is_null)

    return Where(INTEGER, accept, "INT literal")


@attrs.frozen(eq=False, repr=False)
class Constant(attrs.Slotted):
    """Accepts a constant of ``inner``; the value of a literal has to satisfy ``accept`` as well."""

    inner: ArgumentTypeStrategy
    accept: Callable[[Any], bool] = lambda value: True
    description: str = "constant"

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.arguments[position]
        found = self.inner.infer_argument(context, position)
        if found is None or _is_collated(given):
            return None
        if isinstance(given, ValueLiteral):
            return found if self.accept(given.value) else None
        # The value of other constants is unknown here, so a string may not be cast to another type.
        is_read = isinstance(given.data_type, t.CharacterType) and not isinstance(found, t.CharacterType)
        return found if is_constant(given) and not is_read else None

    def describe(self) -> str:
        return f"<{self.inner.describe().strip('<>')} {self.description}>"


def is_constant(expression: ResolvedExpression) -> bool:
    """Whether Spark evaluates an expression to one value for all rows when it plans a query."""
    return all(
        isinstance(part, (ValueLiteral, SymbolLiteral, TypeLiteral))
        or (isinstance(part, Call) and part.function.kind.value == "scalar" and part.function.is_deterministic)
        for part in expression.walk()
    )


@attrs.frozen(eq=False, repr=False)
class Collated(attrs.Slotted):
    """Accepts what ``inner`` accepts if the collation of each string in it satisfies ``accept``.

    ``description`` says which collations these are. Signatures omit it, since most strings have no collation.
    """

    inner: ArgumentTypeStrategy
    accept: Callable[[str], bool]
    description: str

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = self.inner.infer_argument(context, position)
        level = [] if found is None else [found]
        while level:
            part = level.pop()
            if isinstance(part, t.StringType) and not self.accept(part.collation):
                return None
            level.extend(part.children)
        return found

    @property
    def only_type(self) -> LogicalType | None:
        """The type that every argument has or is cast to, None if there are several."""
        return getattr(self.inner, "only_type", None)

    def describe(self) -> str:
        return self.inner.describe()

    def describe_in_full(self) -> str:
        """Describe the accepted arguments of the strategy, including the collations."""
        return f"{self.inner.describe().rstrip('>')} {self.description}>"


@attrs.frozen(eq=False, repr=False)
class Symbol(attrs.Slotted):
    """Accepts one of several keywords."""

    options: tuple[str, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.argument_types[position] if context.symbol(position) in self.options else None

    def describe(self) -> str:
        return "<" + " | ".join(self.options) + ">"


@attrs.frozen(eq=False, repr=False)
class TypeArgument(attrs.Slotted):
    """Accepts a type, as the target of a cast."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.type_argument(position)

    def describe(self) -> str:
        return "<data type>"


@attrs.frozen(eq=False, repr=False)
class OneOf(attrs.Slotted):
    """Accepts what one of several strategies accepts; the first one decides."""

    options: tuple[ArgumentTypeStrategy, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = (option.infer_argument(context, position) for option in self.options)
        return next((accepted for accepted in found if accepted is not None), None)

    @property
    def only_type(self) -> LogicalType | None:
        """The only type to which all strategies cast an argument, None if there are several."""
        found = {getattr(option, "only_type", None) for option in self.options}
        return found.pop() if len(found) == 1 else None

    def describe(self) -> str:
        return " or ".join(dict.fromkeys(option.describe() for option in self.options))


@attrs.frozen(eq=False, repr=False)
class Table(attrs.Slotted):
    """Accepts a query instead of a value."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return None if context.table_argument(position) is None else context.argument_types[position]

    def describe(self) -> str:
        return "<table>"


def _castable(given: LogicalType, expected: Expected | Sequence[Expected]) -> LogicalType | None:
    """Return the type to which Spark casts an argument implicitly, None if Spark rejects it or lacks that cast."""
    cast = implicit_cast(given, expected)
    return cast if cast is None or cast is given or can_cast(given, cast) else None


# --- common strategies -----------------------------------------------------------------------------------------------

ANY = AnyType()
TABLE = Table()
TYPE = TypeArgument()
BOOLEAN = Explicit(t.BOOLEAN)
INTEGER = Explicit(t.INT)
_CAST_TO_INT = Family("INT", (t.NumericType, t.CharacterType, t.NullType))
BIGINT = Explicit(t.BIGINT)
DOUBLE = Explicit(t.DOUBLE)
FRACTIONAL = Implicit("DOUBLE or FLOAT", (t.DOUBLE, t.FLOAT))
DECIMAL = Implicit("DECIMAL", (DECIMAL_FAMILY,))
STRING = Explicit(t.STRING)
BYTES = Explicit(t.BYTES)


def searchable_string(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return a strategy for a string in which Spark can search."""
    return Collated(
        inner, lambda c: not tells_case_but_no_accents(c), "of no collation that ignores accents, but not case"
    )


def matchable_string(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return a strategy for a string that is matched against a pattern."""
    return Collated(inner, is_of_utf8, "of the collation UTF8_BINARY or UTF8_LCASE")


def uncollated(inner: ArgumentTypeStrategy) -> Collated:
    """Return a strategy for a value whose strings have no collation other than that of plain STRING."""
    return Collated(inner, lambda c: c == BINARY_COLLATION, "without a collation")


def pattern(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return a strategy for a pattern."""
    return Collated(inner, lambda c: not ignores_blanks(c), "of no collation that ignores blanks")


NUMERIC = Family("NUMERIC", (t.NumericType,), (t.DOUBLE,))
CHARACTER_OR_BYTES = Family("STRING or BYTES", (t.CharacterType, t.BytesType), (t.STRING,))
# These accept arguments of exactly the type, without implicit casts.
TRUTH = Family("BOOLEAN", (t.BooleanType,))
TEXT = Family("STRING", (t.CharacterType,))
BINARY = Family("BYTES", (t.BytesType,))
TEXT_OR_NULL = Family("STRING", (t.CharacterType, t.NullType))
TRUE_OR_FALSE = literal_where(TRUTH, lambda value: isinstance(value, bool), "BOOLEAN literal")
TEXT_LITERAL = literal_where(TEXT, lambda value: value is not None, "STRING literal")


def symbol(*options: str) -> Symbol:
    """Return a strategy for one of several keywords."""
    return Symbol(options)
