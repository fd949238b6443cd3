"""Strategies for all arguments of a call: their number, and how their types depend on each other (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir import light_attrs as attrs
from ir import types as t
from ir.casts import apply_collation, cast_is_nullable, comparison_type, is_orderable, least_common_type
from ir.collations import BINARY_COLLATION
from ir.inference.arguments import ANY, OneOf
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy
from ir.late_patterns import late_pattern
from ir.types import LogicalType


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} argument{'' if least == 1 else 's'}"
    if most <= 1:
        return {(0, 0): "no argument", (0, 1): "at most 1 argument"}.get((least, most), "1 argument")
    if least == most:
        return f"{least} arguments"
    return f"{least} {'or' if most == least + 1 else 'to'} {most} arguments"


# The most argument counts that are tested, and the most that a message lists.
_MOST_COUNTED, _MOST_LISTED = 32, 5
# With more optional arguments, one signature with brackets replaces one signature for each count.
_MOST_OPTIONAL = 2


@attrs.frozen(eq=False, repr=False)
class Positional(attrs.Slotted):
    """One strategy per argument; the last ``optional`` arguments may be omitted; ``rest`` accepts further ones."""

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
        """Return the strategy for the argument at ``position``, None if there is no such argument."""
        return self.arguments[position] if position < len(self.arguments) else self.rest

    def accepts_count(self, count: int) -> bool:
        least = len(self.arguments) - self.optional
        return count >= least and (self.rest is not None or count <= len(self.arguments))

    def describe_counts(self) -> str:
        return _count(len(self.arguments) - self.optional, None if self.rest else len(self.arguments))

    def _label(self, position: int) -> str:
        label = self.names[position] + " " if position < len(self.names) else ""
        return label + self.arguments[position].describe()

    def signatures(self, name: str) -> Sequence[str]:
        if self.optional > _MOST_OPTIONAL:
            required = len(self.arguments) - self.optional
            parts = [self._label(i) for i in range(len(self.arguments))]
            return [f"{name}({', '.join(parts[:required])}{''.join(f'[, {part}]' for part in parts[required:])})"]
        found = []
        for missing in range(self.optional, -1, -1):
            parts = [self._label(i) for i in range(len(self.arguments) - missing)]
            if self.rest is not None and not missing:
                parts.append(f"{self.rest.describe()}...")
            found.append(f"{name}({', '.join(parts)})")
        return found


@attrs.frozen(eq=False, repr=False)
class Paired(attrs.Slotted):
    """Any number of pairs of arguments, such as keys and values, after the ``leading`` ones."""

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
        """Return the strategy for the argument at ``position``."""
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
class Alike(attrs.Slotted):
    """Accepts what ``inner`` accepts if it casts the arguments at ``positions`` to one type."""

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
        # Strings get one collation later, so collations are ignored here.
        first, *others = (apply_collation(inferred[position], BINARY_COLLATION) for position in self.positions)
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
class _Related(attrs.Slotted):
    """Arguments whose types depend on each other: from ``least`` to ``most``, in multiples of ``at_a_time``."""

    least: int
    most: int | None
    what: str
    at_a_time: int = attrs.field(default=1, kw_only=True)

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return the strategy for the argument at ``position``, as far as it is independent of the others."""
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
    """Two values that can be compared with each other; values that support ``=`` also have an order."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        common = find_comparison_type(context, 0, 1)
        return None if common is None else (common, common)


class Ordered(Comparable):
    """Two values, compared by order.

    An integer beside a decimal literal is compared with the integer next to that literal, and the comparison cannot
    overflow. Source: ``DecimalPrecisionTypeCoercion.integralAndDecimalLiteral``.
    """

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        common = find_comparison_type(context, 0, 1)
        if common is not None and common.nullable:
            for whole, decimal in ((0, 1), (1, 0)):
                of_whole = context.argument_types[whole]
                is_compared = isinstance(of_whole, t.IntegralType) and context.literal_value(decimal) is not None
                if is_compared and isinstance(context.argument_types[decimal], t.DecimalType):
                    common = common.with_nullability(of_whole.nullable)
        return None if common is None else (common, common)


def find_comparison_type(
    context: CallContext, first: int, second: int, literals: Sequence[int] | None = None
) -> LogicalType | None:
    """Return the type in which Spark compares two arguments, or None; it is nullable if the comparison is.

    Integer literals beside a decimal have the precision of their digits; ``literals`` restricts this to some positions.
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


def cast_to(given: LogicalType, common: LogicalType) -> LogicalType:
    """Return the common type to which a value is cast, nullable if the value is or if the cast may fail."""
    return common.with_nullability(cast_is_nullable(given, common))


@attrs.frozen(eq=False, repr=False)
class Common(_Related):
    """Values that Spark casts to their least common type; ``ordered`` requires a type with an order."""

    promote_strings: bool = attrs.field(default=True, kw_only=True)
    ordered: bool = attrs.field(default=False, kw_only=True)

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        if not all(context.is_value(position) for position in range(len(context))):
            return None
        common = least_common_type(context.argument_types, promote_strings=self.promote_strings)
        if common is None or (self.ordered and not is_orderable(common)):
            return None
        return tuple([cast_to(given, common) for given in context.argument_types])


_NAME_IN_FORM = late_pattern(r"(?:^|, )(\w+) <")


@attrs.frozen(eq=False, repr=False)
class Computed(_Related):
    """Arguments whose implicit casts a function computes from the whole call.

    ``arguments`` are the strategies that each argument has to satisfy alone, ``rest`` the one for further arguments.
    """

    compute: Callable[[CallContext], tuple[LogicalType, ...] | None]
    forms: tuple[str, ...] = ()
    arguments: tuple[ArgumentTypeStrategy, ...] = ()
    rest: ArgumentTypeStrategy = ANY

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments in the forms, empty if the forms differ."""
        found = {tuple(_NAME_IN_FORM.findall(form)) for form in self.forms}
        return found.pop() if len(found) == 1 else ()

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        accepted = (self.strategy_for(i).infer_argument(context, i) is not None for i in range(len(context)))
        return self.compute(context) if all(accepted) else None

    def strategy_for(self, position: int) -> ArgumentTypeStrategy:
        return self.arguments[position] if position < len(self.arguments) else self.rest

    def signatures(self, name: str) -> Sequence[str]:
        return [f"{name}({form})" for form in self.forms] or _Related.signatures(self, name)


@attrs.frozen(eq=False, repr=False)
class AnyOf(attrs.Slotted):
    """The first of several strategies that accepts the call."""

    options: tuple[InputTypeStrategy, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments, empty if the strategies disagree."""
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
        counts = [count for count in range(_MOST_COUNTED) if self.accepts_count(count)]
        if self.accepts_count(_MOST_COUNTED) or len(counts) > _MOST_LISTED:
            return " or ".join(dict.fromkeys(option.describe_counts() for option in self.options))
        if len(counts) == 1:
            return _count(counts[0], counts[0])
        return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} arguments"

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return a strategy that accepts what any of the strategies accepts at ``position``."""
        found = [s for option in self.options if (s := option.strategy_for(position)) is not None]
        return OneOf(tuple(dict.fromkeys(found))) if found else None

    def signatures(self, name: str) -> Sequence[str]:
        return [signature for option in self.options for signature in option.signatures(name)]


def positional(*arguments: ArgumentTypeStrategy, optional: int = 0, names: str = "") -> Positional:
    """Return the strategy for exactly these arguments; ``names`` are their names, separated by blanks."""
    return Positional(arguments, optional, None, tuple(names.split()))


def varying(argument: ArgumentTypeStrategy, least: int = 1, names: str = "") -> Positional:
    """Return the strategy for at least ``least`` arguments of one kind."""
    return Positional((argument,) * least, 0, argument, tuple(names.split()))
