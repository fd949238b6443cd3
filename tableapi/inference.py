"""Type inference for user-defined functions: strategies for arguments and results, as for built-in functions.

An argument strategy determines which arguments a call accepts and to which types they are cast. A result strategy
computes the type of a call from the cast arguments.

>>> from tableapi import ScalarFunction, udf
>>> class Larger(ScalarFunction):
...     def eval(self, left, right):
...         return max(left, right)
...     def get_type_inference(self):
...         return TypeInference(
...             input_type_strategy=InputTypeStrategies.common_type(2), output_type_strategy=TypeStrategies.common()
...         )
>>> udf(Larger)
<scalar function Larger(left: ANY, right: ANY) -> inferred of the call>

Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-51%3A+Rework+of+the+Expression+Design
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import attrs

from ir import types as t
from ir.casts import least_common_type
from ir.errors import ValidationException, did_you_mean, listing
from ir.functions.definition import Monotonicity
from ir.functions.process import ProcessCall
from ir.inference import arguments as single
from ir.inference import inputs as several
from ir.inference.call_context import CallContext as Call
from ir.inference.intervals import Interval
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy
from ir.types import LogicalType
from tableapi.advice.misused_members import describe_uncalled_method
from tableapi.members.type_arguments import TypeLike
from tableapi.process_functions.type_inference import CallContext, StaticArgument, TypeInference
from tableapi.user_functions.declared_types import type_named

__all__ = [
    "CallContext",
    "InputTypeStrategies",
    "Monotonicity",
    "StaticArgument",
    "TypeInference",
    "TypeStrategies",
]

ArgumentLike = TypeLike | ArgumentTypeStrategy
Output = Callable[[ProcessCall], LogicalType | None]

FamilyName = Literal[
    "NUMERIC", "INTEGRAL", "CHARACTER", "BINARY", "BOOLEAN", "DATETIME", "INTERVAL", "ARRAY", "MAP", "ROW"
]
"""The names of type families for type checkers. At run time, names may be in any case."""

_FAMILIES: dict[str, tuple[tuple[type[LogicalType], ...], tuple[LogicalType, ...]]] = {
    "NUMERIC": ((t.NumericType,), (t.DOUBLE,)),
    "INTEGRAL": ((t.IntegralType,), (t.BIGINT,)),
    "CHARACTER": ((t.CharacterType,), (t.STRING,)),
    "BINARY": ((t.BytesType,), (t.BYTES,)),
    "BOOLEAN": ((t.BooleanType,), (t.BOOLEAN,)),
    "DATETIME": ((t.TemporalType,), ()),
    "INTERVAL": ((t.IntervalType,), ()),
    "ARRAY": ((t.ArrayType,), ()),
    "MAP": ((t.MapType,), ()),
    "ROW": ((t.RowType,), ()),
}


class _Common(single.AnyType):
    """A value of the common type of all arguments with this strategy."""

    def describe(self) -> str:
        return "<COMMON>"


@attrs.frozen(eq=False, repr=False)
class _Sequence(several.Positional):
    """One strategy for each argument; arguments with the strategy COMMON are cast to their common type."""

    def infer_inputs(self, context: Call) -> tuple[LogicalType, ...] | None:
        inferred = several.Positional.infer_inputs(self, context)
        together = [i for i in range(len(context)) if isinstance(self.strategy_for(i), _Common)]
        if inferred is None or not together:
            return inferred
        common = least_common_type([inferred[i] for i in together])
        if common is None:
            return None
        return tuple([several.cast_to(given, common) if i in together else given for i, given in enumerate(inferred)])


class InputTypeStrategies:
    """Strategies for the arguments of a function.

    Strategies for one argument: ``ANY``, ``COMMON``, ``explicit``, ``logical``, ``literal``, ``constant``, ``one_of``.
    Strategies for all arguments: ``sequence``, ``varying_sequence``, ``common_type``, ``comparable``, ``or_``. In
    place of a strategy for one argument, a type means ``explicit`` of this type.
    """

    ANY: Final[ArgumentTypeStrategy] = single.ANY
    """Any value, which keeps its type."""

    COMMON: Final[ArgumentTypeStrategy] = _Common()
    """Any value; all arguments with this strategy are cast to their common type, also NULL."""

    @staticmethod
    def explicit(data_type: TypeLike) -> ArgumentTypeStrategy:
        """Accept a value of one type, or of a type that Spark implicitly casts to it.

        Raises:
            ValidationException: the string is not a type.
        """
        wanted = type_named(data_type, "explicit").as_nullable()
        return Interval(wanted) if isinstance(wanted, t.IntervalType) else single.Explicit(wanted)

    @staticmethod
    def logical(family: FamilyName) -> ArgumentTypeStrategy:
        """Accept a value of a type family and keep its type; an untyped NULL gets the widest type of the family.

        Args:
            family: NUMERIC, INTEGRAL, CHARACTER, BINARY, BOOLEAN, DATETIME, INTERVAL, ARRAY, MAP or ROW.

        Raises:
            ValidationException: the family does not exist.
        """
        found = _FAMILIES.get(family.upper()) if isinstance(family, str) else None
        if found is None:
            raise ValidationException(
                f"There is no family of types {family!r}; the families are [{listing(_FAMILIES)}]."
                + did_you_mean(str(family), _FAMILIES)
            )
        return single.Family(family.upper(), *found)

    @staticmethod
    def literal(argument: ArgumentLike) -> ArgumentTypeStrategy:
        """Accept a literal that ``argument`` accepts."""
        return single.Literal(_argument(argument, "literal"))

    @staticmethod
    def constant(argument: ArgumentLike) -> ArgumentTypeStrategy:
        """Accept a value that is the same for all rows and that ``argument`` accepts."""
        return single.Constant(_argument(argument, "constant"))

    @staticmethod
    def one_of(*arguments: ArgumentLike) -> ArgumentTypeStrategy:
        """Accept an argument that one of several strategies accepts; the first one wins."""
        _require_some(arguments, "one_of")
        return single.OneOf(tuple([_argument(argument, "one_of") for argument in arguments]))

    @staticmethod
    def sequence(*arguments: ArgumentLike) -> InputTypeStrategy:
        """Accept exactly these arguments.

        >>> InputTypeStrategies.sequence("STRING", InputTypeStrategies.COMMON).signatures("f")
        ['f(<STRING>, <COMMON>)']
        """
        return _Sequence(tuple([_argument(argument, "sequence") for argument in arguments]))

    @staticmethod
    def varying_sequence(*arguments: ArgumentLike) -> InputTypeStrategy:
        """Accept these arguments, where the last one may occur any number of times, also zero."""
        _require_some(arguments, "varying_sequence")
        *fixed, rest = [_argument(argument, "varying_sequence") for argument in arguments]
        return _Sequence(tuple(fixed), 0, rest)

    @staticmethod
    def common_type(least: int, most: int | None = None, *, ordered: bool = False) -> InputTypeStrategy:
        """Accept values that have a common type, and cast them to it.

        Args:
            least: the minimum number of arguments.
            most: the maximum number of arguments; ``least`` by default.
            ordered: whether the common type must have an order.

        Raises:
            ValidationException: ``least`` is less than 1, or ``most`` is less than ``least``.
        """
        highest = least if most is None else most
        if least < 1 or highest < least:
            raise ValidationException(f"common_type takes 1 to any number of arguments, but was given {least}, {most}.")
        return several.Common(least, highest, "COMMON", ordered=ordered)

    @staticmethod
    def varying_common_type(least: int = 1, *, ordered: bool = False) -> InputTypeStrategy:
        """Accept ``least`` or more values that have a common type, and cast them to it."""
        if least < 1:
            raise ValidationException(f"varying_common_type takes at least 1 argument, but was given {least}.")
        return several.Common(least, None, "COMMON", ordered=ordered)

    @staticmethod
    def comparable() -> InputTypeStrategy:
        """Accept two comparable values, and cast both to the type in which Spark compares them."""
        return several.Comparable(2, 2, "COMPARABLE")

    @staticmethod
    def or_(*strategies: InputTypeStrategy) -> InputTypeStrategy:
        """Accept arguments that one of several strategies for all arguments accepts; the first one wins.

        Raises:
            ValidationException: no strategy is given, or a strategy is for a single argument.
        """
        _require_some(strategies, "or_")
        for strategy in strategies:
            check_inputs("or_", strategy)
        return several.AnyOf(strategies)


class TypeStrategies:
    """Strategies for the result of a call. Each is a function of the call; a user's own function can take its place."""

    @staticmethod
    def explicit(data_type: TypeLike) -> Output:
        """Return one type for all arguments.

        Raises:
            ValidationException: the string is not a type.
        """
        found = type_named(data_type, "explicit")
        return lambda call: found

    @staticmethod
    def argument(position: int) -> Output:
        """Return the type of the argument at a position from 0."""

        def infer(call: ProcessCall) -> LogicalType:
            if not 0 <= position < len(call.arguments):
                raise ValidationException(
                    f"The type strategy of {call.name} asks for argument {position}, counted from 0, but the call has "
                    f"{len(call.arguments)} arguments."
                )
            return call.get_argument_data_type(position)

        return infer

    @staticmethod
    def common(start: int = 0) -> Output:
        """Return the common type of the arguments from a position on; None if they have no common type."""
        return lambda call: least_common_type(call.get_argument_data_types()[start:])

    @staticmethod
    def array(element: Output) -> Output:
        """Return ARRAY of another strategy's result."""

        def infer(call: ProcessCall) -> LogicalType | None:
            found = element(call)
            return None if found is None else t.ArrayType(found)

        return infer

    @staticmethod
    def nullable_if_args(inner: Output) -> Output:
        """Return another strategy's result, nullable if and only if an argument is nullable."""

        def infer(call: ProcessCall) -> LogicalType | None:
            found = inner(call)
            if found is None:
                return None
            return found.with_nullability(any(given.nullable for given in call.get_argument_data_types()))

        return infer

    @staticmethod
    def force_nullable(inner: Output) -> Output:
        """Return another strategy's result as a nullable type."""

        def infer(call: ProcessCall) -> LogicalType | None:
            found = inner(call)
            return None if found is None else found.as_nullable()

        return infer

    @staticmethod
    def match_family(position: int, family: FamilyName, inner: Output) -> Output:
        """Return another strategy's result if an argument is of a type family, otherwise None; see ``first``.

        Raises:
            ValidationException: the family does not exist.
        """
        InputTypeStrategies.logical(family)
        members = _FAMILIES[family.upper()][0]
        of_argument = TypeStrategies.argument(position)

        def infer(call: ProcessCall) -> LogicalType | None:
            return inner(call) if isinstance(of_argument(call), members) else None

        return infer

    @staticmethod
    def first(*strategies: Output) -> Output:
        """Return the first result of several strategies that is not None."""
        _require_some(strategies, "first")

        def infer(call: ProcessCall) -> LogicalType | None:
            found = (strategy(call) for strategy in strategies)
            return next((data_type for data_type in found if data_type is not None), None)

        return infer


def _require_some(given: tuple[object, ...], name: str) -> None:
    if not given:
        raise ValidationException(f"{name} takes at least one strategy.")


def is_argument_strategy(given: object) -> bool:
    """Whether an object is a strategy for one argument."""
    return hasattr(type(given), "infer_argument")


def is_input_strategy(given: object) -> bool:
    """Whether an object is a strategy for all arguments."""
    return hasattr(type(given), "infer_inputs")


def check_inputs(where: str, given: object) -> None:
    """Reject an object that is not a strategy for all arguments.

    Raises:
        ValidationException: the object is a type, a strategy for one argument, or another object; the message suggests
            a fix.
    """
    if is_input_strategy(given):
        return
    uncalled = describe_uncalled_method(given, functions=True)
    if uncalled:
        raise ValidationException(f"{where}: {uncalled}")
    if is_argument_strategy(given) or isinstance(given, (LogicalType, str)):
        kind = "a strategy for one argument" if is_argument_strategy(given) else f"the type {given}"
        raise ValidationException(
            f"{where}: a strategy for all arguments is expected, but {kind} was given. Write "
            "InputTypeStrategies.sequence(…) around the strategies of the arguments."
        )
    raise ValidationException(
        f"{where}: a strategy for all arguments is expected, such as InputTypeStrategies.common_type(2), but {given!r} "
        "was given."
    )


def _argument(given: ArgumentLike, where: str) -> ArgumentTypeStrategy:
    if isinstance(given, (LogicalType, str)):
        return InputTypeStrategies.explicit(given)
    if is_argument_strategy(given):
        return given
    uncalled = describe_uncalled_method(given, functions=True)
    if uncalled:
        raise ValidationException(f"{where}: {uncalled}")
    if is_input_strategy(given):
        raise ValidationException(
            f"{where}: a strategy for one argument is expected, but one for all arguments was given. Combine those "
            "with or_."
        )
    raise ValidationException(f"{where}: a type or a strategy for one argument is expected, but {given!r} was given.")


def sequence_of(arguments: tuple[StaticArgument, ...]) -> InputTypeStrategy:
    """Return the strategy of declared arguments, where a type may be replaced by a strategy."""
    found = [
        single.ANY if a.data_type is None else _argument(a.data_type, f"The argument {a.name!r}") for a in arguments
    ]
    optional = sum(argument.is_optional for argument in arguments)
    return _Sequence(tuple(found), optional, None, tuple([argument.name for argument in arguments]))
