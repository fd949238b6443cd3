"""Protocols of type strategies, and the type inference of a function definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir import light_attrs as attrs
from ir.expressions import ValueLiteral
from ir.inference.call_context import CallContext
from ir.light_typing import Protocol
from ir.types import LogicalType


class ArgumentTypeStrategy(Protocol):
    """A strategy for one argument."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        """Return the type to which Spark casts the argument implicitly, its own type without a cast, or None."""
        ...

    def describe(self) -> str:
        """Return the accepted values as a signature shows them: ``<NUMERIC>``."""
        ...


class InputTypeStrategy(Protocol):
    """A strategy for all arguments together."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        """Return the types to which Spark casts the arguments implicitly, None if the call is not accepted."""
        ...

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return the strategy for the argument at ``position``, as far as it is independent of the others."""
        ...

    def accepts_count(self, count: int) -> bool:
        """Whether the function accepts ``count`` arguments."""
        ...

    def describe_counts(self) -> str:
        """Return the accepted numbers of arguments in words: ``2 or 3 arguments``."""
        ...

    def signatures(self, name: str) -> Sequence[str]:
        """Return the accepted signatures of a function called ``name``."""
        ...


class TypeStrategy(Protocol):
    """A strategy for the type of a result or of a state, from the arguments after Spark's casts."""

    def infer(self, context: CallContext) -> LogicalType | None:
        """Return the type, None if it cannot be inferred."""
        ...


@attrs.frozen(eq=False, repr=False)
class StaticArgument(attrs.Slotted):
    """A declared argument: its name, its type if it has one, whether it is optional, and its traits.

    ``default`` is the value of an omitted argument in a call that gives a later argument by name.
    """

    name: str
    data_type: LogicalType | None = None
    optional: bool = False
    traits: frozenset[str] = frozenset()
    default: ValueLiteral | None = None


@attrs.frozen(eq=False, repr=False)
class TypeInference(attrs.Slotted):
    """The type inference of a function.

    ``static_arguments`` allow named arguments and the omission of optional ones. ``states`` are the types, by name, of
    the states that an aggregate or a process table function keeps between rows. The output may depend on more than the
    call itself: ``of_usage`` says that it depends on how the query uses an aggregate, ``of_expected_output`` that it
    depends on the expected type.
    """

    inputs: InputTypeStrategy
    output: TypeStrategy
    static_arguments: tuple[StaticArgument, ...] | None = None
    states: Mapping[str, TypeStrategy] = attrs.field(factory=dict)
    of_usage: bool = False
    of_expected_output: bool = False
