"""Strategies for arguments: small objects that combine, each naming what it accepts (FLIP-51)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from ir import types as t
from ir.casts import (
    DECIMAL_FAMILY,
    Expected,
    can_cast,
    cast_is_nullable,
    comparison_type,
    implicit_cast,
    is_orderable,
    least_common_type,
    with_collation,
)
from ir.collations import BINARY_COLLATION, ignores_blanks, is_of_utf8, tells_case_but_no_accents
from ir.expressions import (
    Call,
    ResolvedExpression,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy
from ir.types import LogicalType

# --- one argument ----------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False, repr=False)
class AnyType:
    """Any value at all."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.argument_types[position] if context.is_value(position) else None

    def describe(self) -> str:
        return "<ANY>"


@attrs.frozen(eq=False, repr=False)
class Explicit:
    """A value of one type, or one that Spark casts to it by itself."""

    data_type: LogicalType

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        if not context.is_value(position) or not _is_readable(context, position, self.data_type):
            return None
        return _castable(context.argument_types[position], self.data_type)

    def describe(self) -> str:
        return f"<{self.data_type.as_nullable().as_summary_string()}>"


_WHOLE_NUMBER = re.compile(r"[\s\x00-\x1f]*[+-]?[0-9]+[\s\x00-\x1f]*", re.ASCII)


def _is_readable(context: CallContext, position: int, wanted: LogicalType) -> bool:
    """Whether a text that is written out is a whole number where one is wanted: else the query would always fail."""
    text = context.literal_value(position)
    return not (isinstance(wanted, t.IntegralType) and isinstance(text, str) and _WHOLE_NUMBER.fullmatch(text) is None)


@attrs.frozen(eq=False, repr=False)
class Implicit:
    """A value of one of several types or families, or one that Spark casts to the first of them that it can."""

    name: str
    expected: tuple[Expected, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return implicit_cast(context.argument_types[position], self.expected) if context.is_value(position) else None

    def describe(self) -> str:
        return f"<{self.name}>"


@attrs.frozen(eq=False, repr=False)
class Family:
    """A value of one of several kinds of types; anything else is cast to ``otherwise``, where Spark does so."""

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

    def describe(self) -> str:
        return f"<{self.name}>"


@attrs.frozen(eq=False, repr=False)
class Literal:
    """A constant that ``inner`` accepts."""

    inner: ArgumentTypeStrategy

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.literal(position)
        is_plain = given is not None and not _is_collated(given)
        return self.inner.infer_argument(context, position) if is_plain else None

    def describe(self) -> str:
        return f"<{self.inner.describe().strip('<>')} literal>"


@attrs.frozen(eq=False, repr=False)
class Where:
    """An argument that ``inner`` accepts and of which ``accept`` holds; ``description`` says what that is."""

    inner: ArgumentTypeStrategy
    accept: Callable[[ResolvedExpression], bool]
    description: str

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = self.inner.infer_argument(context, position)
        return found if found is not None and self.accept(context.arguments[position]) else None

    def describe(self) -> str:
        return f"<{self.description}>"


def literal_where(inner: ArgumentTypeStrategy, accept: Callable[[Any], bool], description: str) -> Where:
    """Return the strategy of a constant that ``inner`` accepts and of whose value ``accept`` holds."""
    return Where(
        inner,
        lambda given: isinstance(given, ValueLiteral) and not _is_collated(given) and accept(given.value),
        description,
    )


def _is_collated(given: ResolvedExpression) -> bool:
    """Whether a constant is text with a collation, which none that Spark looks at as it plans is."""
    return isinstance(given.data_type, t.StringType) and given.data_type.has_collation


def int_constant(given: ResolvedExpression) -> int | None:
    """Return the INT that Spark casts a constant to where it expects one, None where it casts it to none."""
    from ir.functions.constant_values import cast

    if not isinstance(given, ValueLiteral) or given.is_null or _is_collated(given):
        return None
    if not isinstance(given.type_, (t.NumericType, t.CharacterType)):
        return None
    value = cast(given.value, given.type_, t.INT)
    return value if isinstance(value, int) else None


def int_from(least: int, description: str) -> Where:
    """Return the strategy of a constant that Spark casts to an INT of at least a value."""

    def accept(given: ResolvedExpression) -> bool:
        value = int_constant(given)
        return value is not None and value >= least

    return Where(_CAST_TO_INT, accept, description)


def cast_int_literal() -> Where:
    """Return the strategy of a constant that Spark casts to INT, or of NULL."""
    return Where(
        _CAST_TO_INT,
        lambda given: int_constant(given) is not None or (isinstance(given, ValueLiteral) and given.is_null),
        "INT literal",
    )


def int_literal(*, null: bool = True, exactly: LogicalType | None = None) -> Where:
    """Return the strategy of a whole number that is written out: of any type, or of one alone; or of NULL."""

    def accept(given: ResolvedExpression) -> bool:
        if not isinstance(given, ValueLiteral) or (exactly is not None and not given.type_.same_type(exactly)):
            return False
        whole = isinstance(given.type_, t.IntegralType) and not given.is_null and -1 << 31 <= given.value < 1 << 31
        return whole or (null and given.is_null)

    return Where(INTEGER, accept, "INT literal")


@attrs.frozen(eq=False, repr=False)
class Constant:
    """A value that ``inner`` accepts and that depends on no row; of one that is written out, ``accept`` holds, too."""

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
        # What is not written out is not known here, so that text may not be read as something else.
        is_read = isinstance(given.data_type, t.CharacterType) and not isinstance(found, t.CharacterType)
        return found if is_constant(given) and not is_read else None

    def describe(self) -> str:
        return f"<{self.inner.describe().strip('<>')} {self.description}>"


def is_constant(expression: ResolvedExpression) -> bool:
    """Whether an expression has one value for all rows, which Spark computes as it plans."""
    return all(
        isinstance(part, (ValueLiteral, SymbolLiteral, TypeLiteral))
        or (isinstance(part, Call) and part.function.kind.value == "scalar" and part.function.is_deterministic)
        for part in expression.walk()
    )


@attrs.frozen(eq=False, repr=False)
class Collated:
    """What ``inner`` accepts, any text in it of a collation that ``accept`` holds of; ``description`` says of which.

    Signatures do not say so, since most texts have no collation.
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

    def describe(self) -> str:
        return self.inner.describe()

    def describe_in_full(self) -> str:
        """Return what is accepted, with the collations."""
        return f"{self.inner.describe().rstrip('>')} {self.description}>"


@attrs.frozen(eq=False, repr=False)
class Symbol:
    """One of some keywords."""

    options: tuple[str, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.argument_types[position] if context.symbol(position) in self.options else None

    def describe(self) -> str:
        return "<" + " | ".join(self.options) + ">"


@attrs.frozen(eq=False, repr=False)
class TypeArgument:
    """A type, as the target of a cast."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return context.type_argument(position)

    def describe(self) -> str:
        return "<data type>"


@attrs.frozen(eq=False, repr=False)
class OneOf:
    """What the first of several strategies accepts."""

    options: tuple[ArgumentTypeStrategy, ...]

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        found = (option.infer_argument(context, position) for option in self.options)
        return next((accepted for accepted in found if accepted is not None), None)

    def describe(self) -> str:
        return " or ".join(option.describe() for option in self.options)


@attrs.frozen(eq=False, repr=False)
class Table:
    """A query in the place of a value."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        return None if context.table_argument(position) is None else context.argument_types[position]

    def describe(self) -> str:
        return "<table>"


def cast_to(given: LogicalType, common: LogicalType) -> LogicalType:
    """Return the common type that a value is cast to, nullable where the value is or where the cast may fail."""
    return common.with_nullability(cast_is_nullable(given, common))


def _castable(given: LogicalType, expected: LogicalType) -> LogicalType | None:
    """Return the type to which Spark casts an argument, None where its rules choose a cast that it has not."""
    cast = implicit_cast(given, expected)
    return cast if cast is None or cast is given or can_cast(given, cast) else None


# --- all arguments ---------------------------------------------------------------------------------------------------


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} argument{'' if least == 1 else 's'}"
    if most <= 1:
        return {(0, 0): "no argument", (0, 1): "at most 1 argument"}.get((least, most), "1 argument")
    if least == most:
        return f"{least} arguments"
    return f"{least} {'or' if most == least + 1 else 'to'} {most} arguments"


# Of more arguments that may be missing, the signatures are one with brackets.
_MOST_OPTIONAL = 2


@attrs.frozen(eq=False, repr=False)
class Positional:
    """One strategy for each argument; the last ``optional`` of them may be missing; ``rest`` takes any further ones."""

    arguments: tuple[ArgumentTypeStrategy, ...]
    optional: int = 0
    rest: ArgumentTypeStrategy | None = None
    names: tuple[str, ...] = ()

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        inferred = []
        for position in range(len(context)):
            strategy = self.strategy_for(position)
            accepted = strategy.infer_argument(context, position) if strategy is not None else None
            if accepted is None:
                return None
            inferred.append(accepted)
        return tuple(inferred)

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return what the argument at ``position`` may be, None where there may be none."""
        return self.arguments[position] if position < len(self.arguments) else self.rest

    def accepts_count(self, count: int) -> bool:
        least = len(self.arguments) - self.optional
        return count >= least and (self.rest is not None or count <= len(self.arguments))

    def describe_counts(self) -> str:
        return _count(len(self.arguments) - self.optional, None if self.rest else len(self.arguments))

    def _labelled(self, position: int) -> str:
        label = self.names[position] + " " if position < len(self.names) else ""
        return label + self.arguments[position].describe()

    def signatures(self, name: str) -> Sequence[str]:
        if self.optional > _MOST_OPTIONAL:
            required = len(self.arguments) - self.optional
            parts = [self._labelled(i) for i in range(len(self.arguments))]
            return [f"{name}({', '.join(parts[:required])}{''.join(f'[, {part}]' for part in parts[required:])})"]
        found = []
        for missing in range(self.optional, -1, -1):
            parts = [self._labelled(i) for i in range(len(self.arguments) - missing)]
            if self.rest is not None and not missing:
                parts.append(f"{self.rest.describe()}...")
            found.append(f"{name}({', '.join(parts)})")
        return found


@attrs.frozen(eq=False, repr=False)
class Paired:
    """Pairs of arguments, as many as there are: keys and values."""

    first: ArgumentTypeStrategy
    second: ArgumentTypeStrategy
    leading: tuple[ArgumentTypeStrategy, ...] = ()

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        inferred = []
        for position in range(len(context)):
            accepted = self.strategy_for(position).infer_argument(context, position)
            if accepted is None:
                return None
            inferred.append(accepted)
        return tuple(inferred)

    def strategy_for(self, position: int) -> ArgumentTypeStrategy:
        """Return what the argument at ``position`` may be."""
        if position < len(self.leading):
            return self.leading[position]
        return self.second if (position - len(self.leading)) % 2 else self.first

    def accepts_count(self, count: int) -> bool:
        return count >= len(self.leading) and (count - len(self.leading)) % 2 == 0

    def describe_counts(self) -> str:
        even = "an even number of arguments"
        return f"{_count(len(self.leading), len(self.leading))} and then {even}" if self.leading else even

    def signatures(self, name: str) -> Sequence[str]:
        parts = [a.describe() for a in self.leading] + [self.first.describe(), self.second.describe(), "..."]
        return [f"{name}({', '.join(parts)})"]


@attrs.frozen(eq=False, repr=False)
class Alike:
    """What ``inner`` accepts, if it casts the arguments at ``positions`` to one type."""

    inner: Positional
    positions: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments."""
        return self.inner.names

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        inferred = self.inner.infer_inputs(context)
        if inferred is None:
            return None
        # Texts get one collation, which is no matter here.
        first, *others = (with_collation(inferred[position], BINARY_COLLATION) for position in self.positions)
        return inferred if all(map(first.same_type, others)) else None

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        return self.inner.strategy_for(position)

    def accepts_count(self, count: int) -> bool:
        return self.inner.accepts_count(count)

    def describe_counts(self) -> str:
        return self.inner.describe_counts()

    def signatures(self, name: str) -> Sequence[str]:
        return self.inner.signatures(name)


@attrs.frozen(eq=False, repr=False)
class _Related:
    """Arguments whose types depend on each other: ``least`` of them to ``most``, so many ``at_a_time``."""

    least: int
    most: int | None
    what: str
    at_a_time: int = attrs.field(default=1, kw_only=True)

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return what the argument at ``position`` may be, as far as that does not depend on the others."""
        return ANY

    def accepts_count(self, count: int) -> bool:
        return count >= self.least and (self.most is None or count <= self.most) and count % self.at_a_time == 0

    def describe_counts(self) -> str:
        return "an even number of arguments" if self.at_a_time == 2 else _count(self.least, self.most)

    def signatures(self, name: str) -> Sequence[str]:
        parts = [f"<{self.what}>"] * max(self.least, 1) + (["..."] if self.most is None else [])
        return [f"{name}({', '.join(parts)})"]


@attrs.frozen(eq=False, repr=False)
class Comparable(_Related):
    """Two values that can be compared with each other; whatever can be compared with ``=`` has an order, too."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        common = compared(context, 0, 1)
        return None if common is None else (common, common)


class Ordered(Comparable):
    """Two values of which one may be less than the other.

    A whole number beside a decimal that is written out is compared with the whole number next to that, which cannot be
    too large. Source: ``DecimalPrecisionTypeCoercion.integralAndDecimalLiteral``.
    """

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        common = compared(context, 0, 1)
        if common is not None and common.nullable:
            for whole, decimal in ((0, 1), (1, 0)):
                of_whole = context.argument_types[whole]
                is_compared = isinstance(of_whole, t.IntegralType) and context.literal_value(decimal) is not None
                if is_compared and isinstance(context.argument_types[decimal], t.DecimalType):
                    common = common.with_nullability(of_whole.nullable)
        return None if common is None else (common, common)


def compared(
    context: CallContext, first: int, second: int, literals: Sequence[int] | None = None
) -> LogicalType | None:
    """Return the type in which Spark compares two arguments, or None; it is nullable when the comparison is.

    Whole-number literals, at the positions ``literals`` if not anywhere, count with their own digits beside a decimal.
    """
    if not (context.is_value(first) and context.is_value(second)):
        return None

    def whole_number(position: int) -> int | None:
        whole = isinstance(context.argument_types[position], t.IntegralType)
        return context.literal_value(position) if whole and position in (literals or (first, second)) else None

    return comparison_type(
        context.argument_types[first],
        context.argument_types[second],
        left_literal=whole_number(first),
        right_literal=whole_number(second),
    )


@attrs.frozen(eq=False, repr=False)
class Common(_Related):
    """Values that Spark casts to their least common type; one of values that have an order, where it must be so."""

    promote_strings: bool = attrs.field(default=True, kw_only=True)
    ordered: bool = attrs.field(default=False, kw_only=True)

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        if not all(context.is_value(position) for position in range(len(context))):
            return None
        common = least_common_type(context.argument_types, promote_strings=self.promote_strings)
        if common is None or (self.ordered and not is_orderable(common)):
            return None
        return tuple([cast_to(given, common) for given in context.argument_types])


_NAME_IN_FORM = re.compile(r"(?:^|, )(\w+) <")


@attrs.frozen(eq=False, repr=False)
class Computed(_Related):
    """Arguments whose implicit casts a function of the whole call finds; ``arguments`` say what holds of each alone."""

    compute: Callable[[CallContext], tuple[LogicalType, ...] | None]
    forms: tuple[str, ...] = ()
    arguments: tuple[ArgumentTypeStrategy, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the arguments have in the forms, where all of these have the same."""
        found = {tuple(_NAME_IN_FORM.findall(form)) for form in self.forms}
        return found.pop() if len(found) == 1 else ()

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        accepted = (self.strategy_for(i).infer_argument(context, i) is not None for i in range(len(context)))
        return self.compute(context) if all(accepted) else None

    def strategy_for(self, position: int) -> ArgumentTypeStrategy:
        return self.arguments[position] if position < len(self.arguments) else ANY

    def signatures(self, name: str) -> Sequence[str]:
        return [f"{name}({form})" for form in self.forms] or _Related.signatures(self, name)


@attrs.frozen(eq=False, repr=False)
class AnyOf:
    """The first of several strategies that accepts the call."""

    options: tuple[InputTypeStrategy, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments, where all of the strategies have the same."""
        found = {getattr(option, "names", ()) for option in self.options}
        longest = max(found, key=len)
        return longest if all(longest[: len(names)] == names for names in found) else ()

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        for option in self.options:
            if option.accepts_count(len(context)):
                inferred = option.infer_inputs(context)
                if inferred is not None:
                    return inferred
        return None

    def accepts_count(self, count: int) -> bool:
        return any(option.accepts_count(count) for option in self.options)

    def describe_counts(self) -> str:
        return " or ".join(dict.fromkeys(option.describe_counts() for option in self.options))

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return what any of the strategies accepts at ``position``."""
        found = [s for option in self.options if (s := option.strategy_for(position)) is not None]
        return OneOf(tuple(dict.fromkeys(found))) if found else None

    def signatures(self, name: str) -> Sequence[str]:
        return [signature for option in self.options for signature in option.signatures(name)]


# --- what most definitions use ---------------------------------------------------------------------------------------

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


def searched(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return the strategy of a text in which Spark can search for another."""
    return Collated(
        inner, lambda c: not tells_case_but_no_accents(c), "of no collation that ignores accents, but not case"
    )


def matched(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return the strategy of a text that is matched with a pattern."""
    return Collated(inner, is_of_utf8, "of the collation UTF8_BINARY or UTF8_LCASE")


def without_collation(inner: ArgumentTypeStrategy) -> Collated:
    """Return the strategy of a value without text of another collation than that of plain STRING."""
    return Collated(inner, lambda c: c == BINARY_COLLATION, "without a collation")


def pattern(inner: ArgumentTypeStrategy = STRING) -> Collated:
    """Return the strategy of a pattern."""
    return Collated(inner, lambda c: not ignores_blanks(c), "of no collation that ignores blanks")


NUMERIC = Family("NUMERIC", (t.NumericType,), (t.DOUBLE,))
CHARACTER_OR_BYTES = Family("STRING or BYTES", (t.CharacterType, t.BytesType), (t.STRING,))
# Of their own type, since nothing is cast to them.
TRUTH = Family("BOOLEAN", (t.BooleanType,))
TEXT = Family("STRING", (t.CharacterType,))
BINARY = Family("BYTES", (t.BytesType,))
TEXT_OR_NULL = Family("STRING", (t.CharacterType, t.NullType))
TRUE_OR_FALSE = literal_where(TRUTH, lambda value: isinstance(value, bool), "BOOLEAN literal")
TEXT_LITERAL = literal_where(TEXT, lambda value: value is not None, "STRING literal")


def positional(*arguments: ArgumentTypeStrategy, optional: int = 0, names: str = "") -> Positional:
    """Return the strategy of exactly these arguments; ``names`` are their names with blanks between."""
    return Positional(arguments, optional, None, tuple(names.split()))


def varying(argument: ArgumentTypeStrategy, least: int = 1, names: str = "") -> Positional:
    """Return the strategy of at least ``least`` arguments that are all alike."""
    return Positional((argument,) * least, 0, argument, tuple(names.split()))


def symbol(*options: str) -> Symbol:
    """Return the strategy of a keyword."""
    return Symbol(options)
