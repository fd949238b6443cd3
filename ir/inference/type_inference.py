"""Strategies of type inference, and what a function definition holds of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from ir.expressions import ValueLiteral
from ir.inference.call_context import CallContext
from ir.types import LogicalType


class ArgumentTypeStrategy(Protocol):
    """What one argument may be."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        """Return the type to which Spark casts the argument implicitly, its own where no cast is needed, or None."""
        ...

    def describe(self) -> str:
        """Return how a signature names what is accepted: ``<NUMERIC>``."""
        ...


class InputTypeStrategy(Protocol):
    """What all the arguments together may be."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        """Return the types to which Spark casts the arguments implicitly, or None where the call is not accepted."""
        ...

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        """Return what the argument at ``position`` may be, as far as that does not depend on the others."""
        ...

    def accepts_count(self, count: int) -> bool:
        """Whether the function takes so many arguments."""
        ...

    def describe_counts(self) -> str:
        """Return how many arguments are accepted, in words: ``2 or 3 arguments``."""
        ...

    def signatures(self, name: str) -> Sequence[str]:
        """Return the accepted signatures of a function of this name."""
        ...


class TypeStrategy(Protocol):
    """What a call returns, or holds as state, given its arguments as Spark casts them."""

    def infer(self, context: CallContext) -> LogicalType | None:
        """Return the type, or None where there is none."""
        ...


@attrs.frozen(eq=False, repr=False)
class StaticArgument:
    """A declared argument: its name, its type where it has one, whether a call may leave it out, and its traits.

    ``default`` is what stands for it in a call that leaves it out and names a later one.
    """

    name: str
    data_type: LogicalType | None = None
    optional: bool = False
    traits: frozenset[str] = frozenset()
    default: ValueLiteral | None = None


@attrs.frozen(eq=False, repr=False)
class TypeInference:
    """Everything about the types of a function.

    ``static_arguments`` allow a call to name its arguments and to leave optional ones out; ``states`` are the types of
    what an aggregate or a process table function keeps between rows, by name. The output may follow from
    more than the call itself: ``of_usage`` from how the query uses an aggregate, ``of_expected_output`` from the type
    that is expected of a value.
    """

    inputs: InputTypeStrategy
    output: TypeStrategy
    static_arguments: tuple[StaticArgument, ...] | None = None
    states: Mapping[str, TypeStrategy] = attrs.field(factory=dict)
    of_usage: bool = False
    of_expected_output: bool = False
