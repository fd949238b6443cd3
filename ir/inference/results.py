"""Strategies for the type of a result: small objects that combine (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable

from ir import light_attrs as attrs
from ir.casts import apply_collation, least_common_type
from ir.inference.call_context import CallContext
from ir.inference.type_inference import TypeStrategy
from ir.types import STRING, ArrayType, LogicalType, StringType


@attrs.frozen(eq=False, repr=False)
class Always(attrs.Slotted):
    """One fixed type."""

    data_type: LogicalType

    def infer(self, context: CallContext) -> LogicalType | None:
        return self.data_type


@attrs.frozen(eq=False, repr=False)
class Argument(attrs.Slotted):
    """The type of an argument."""

    position: int

    def infer(self, context: CallContext) -> LogicalType | None:
        return context.argument_types[self.position] if self.position < len(context) else None


@attrs.frozen(eq=False, repr=False)
class CommonOf(attrs.Slotted):
    """The least common type of the arguments from ``start`` on."""

    start: int = 0

    def infer(self, context: CallContext) -> LogicalType | None:
        return least_common_type(context.argument_types[self.start :])


@attrs.frozen(eq=False, repr=False)
class CollatedAs(attrs.Slotted):
    """The type that ``inner`` infers, with the collation of a string argument or of its elements."""

    position: int
    inner: TypeStrategy

    def infer(self, context: CallContext) -> LogicalType | None:
        found = self.inner.infer(context)
        given = context.argument_types[self.position] if self.position < len(context) else None
        while isinstance(given, ArrayType):
            given = given.element
        if found is None or not isinstance(given, StringType) or not given.has_collation:
            return found
        return apply_collation(found, given.collation)


@attrs.frozen(eq=False, repr=False)
class NullableIfArguments(attrs.Slotted):
    """The type that ``inner`` infers, nullable if an argument is nullable."""

    inner: TypeStrategy

    def infer(self, context: CallContext) -> LogicalType | None:
        found = self.inner.infer(context)
        return None if found is None else found.with_nullability(any(t.nullable for t in context.argument_types))


@attrs.frozen(eq=False, repr=False)
class Nullable(attrs.Slotted):
    """The type that ``inner`` infers, always nullable."""

    inner: TypeStrategy

    def infer(self, context: CallContext) -> LogicalType | None:
        found = self.inner.infer(context)
        return None if found is None else found.as_nullable()


@attrs.frozen(eq=False, repr=False)
class Computed(attrs.Slotted):
    """The type that a function computes from the call."""

    compute: Callable[[CallContext], LogicalType | None]

    def infer(self, context: CallContext) -> LogicalType | None:
        return self.compute(context)


def fixed_type(strategy: TypeStrategy) -> LogicalType | None:
    """Return the type that a strategy infers for any arguments, up to nullability, None if it depends on them.

    >>> fixed_type(text_if_arguments())
    STRING
    >>> fixed_type(Argument(0))
    """
    while isinstance(strategy, CollatedAs | NullableIfArguments | Nullable):
        strategy = strategy.inner
    return strategy.data_type if isinstance(strategy, Always) else None


def nullable_if_arguments(data_type: LogicalType) -> TypeStrategy:
    """Return the strategy for a result that is NULL only if an argument is."""
    return NullableIfArguments(Always(data_type))


def text_if_arguments(position: int = 0, shape: LogicalType = STRING) -> TypeStrategy:
    """Return the strategy for a string with the collation of an argument that is NULL only if an argument is."""
    return CollatedAs(position, NullableIfArguments(Always(shape)))


def never_null(data_type: LogicalType) -> TypeStrategy:
    """Return the strategy for a result that is never NULL."""
    return Always(data_type.not_null())


def maybe_null(data_type: LogicalType) -> TypeStrategy:
    """Return the strategy for a result that may be NULL for any arguments."""
    return Always(data_type.as_nullable())
