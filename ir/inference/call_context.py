"""What a strategy may know of the call whose types it infers."""

from __future__ import annotations

from typing import Any

import attrs

from ir.expressions import (
    Lambda,
    ResolvedExpression,
    SymbolLiteral,
    TableReference,
    TypeLiteral,
    ValueLiteral,
)
from ir.inference.usage import ALONE, Usage, WindowUsage
from ir.types import LogicalType


@attrs.frozen(eq=False, repr=False)
class CallContext:
    """A call whose types are being inferred.

    ``argument_types`` are the types of the arguments as given or, for an output strategy, as Spark casts them
    implicitly before it evaluates the call. ``arguments`` are the resolved arguments themselves, and ``order_types``
    the types of what the aggregate orders its rows by, as Spark casts them.

    What is found without asking for ``arguments``, for what stands around the call or for its condition follows from
    types and constants, and holds for every such call.
    """

    name: str
    _arguments: tuple[ResolvedExpression, ...]
    argument_types: tuple[LogicalType, ...]
    distinct: bool = False
    _expected_output: LogicalType | None = None
    order_types: tuple[LogicalType, ...] = ()
    respect_nulls: bool = False
    _is_filtered: bool = False
    _usage: Usage = ALONE
    # Not empty once more was asked for than types and constants; contexts of the same call share it.
    _asked: list[bool] = attrs.field(factory=list)

    @staticmethod
    def of(
        name: str,
        arguments: tuple[ResolvedExpression, ...],
        *,
        distinct: bool = False,
        order_types: tuple[LogicalType, ...] = (),
        respect_nulls: bool = False,
        is_filtered: bool = False,
        usage: Usage = ALONE,
        expected_output: LogicalType | None = None,
    ) -> CallContext:
        """Return the context of a call with these arguments."""
        types = tuple([a.data_type for a in arguments])
        return CallContext(
            name, arguments, types, distinct, expected_output, order_types, respect_nulls, is_filtered, usage
        )

    def __len__(self) -> int:
        return len(self._arguments)

    @property
    def arguments(self) -> tuple[ResolvedExpression, ...]:
        """The resolved arguments."""
        self._asked.append(True)
        return self._arguments

    @property
    def depends_on_arguments(self) -> bool:
        """Whether more was asked of the call than what types its arguments have, and which constants they are."""
        return bool(self._asked)

    @property
    def expected_output(self) -> LogicalType | None:
        """The type that the surroundings of the call take a value of, where they say one; nullable."""
        self._asked.append(True)
        return self._expected_output

    @property
    def is_grouped(self) -> bool:
        """Whether the call aggregates the rows of groups that have keys; each group has a row then."""
        self._asked.append(True)
        return self._usage.is_grouped

    @property
    def is_filtered(self) -> bool:
        """Whether the call aggregates only the rows for which a condition is TRUE, of which there may be none."""
        self._asked.append(True)
        return self._is_filtered or self._usage.is_filtered

    @property
    def window(self) -> WindowUsage | None:
        """The window over which the call is computed, None where it is over none."""
        self._asked.append(True)
        return self._usage.window

    @property
    def usage(self) -> Usage:
        """How the call stands in a query, for calls of which this one is made."""
        self._asked.append(True)
        return self._usage.evolve(is_filtered=True) if self._is_filtered else self._usage

    def as_given(self) -> CallContext:
        """Return the same call with its arguments as they were given, not cast."""
        return self.with_types(tuple([argument.data_type for argument in self._arguments]))

    def is_value(self, position: int) -> bool:
        """Whether the argument is a value, and not a type, a keyword, a lambda or a query."""
        return not isinstance(self._arguments[position], (TypeLiteral, SymbolLiteral, Lambda, TableReference))

    def is_literal(self, position: int) -> bool:
        """Whether the argument is a constant that was written as one."""
        return isinstance(self._arguments[position], ValueLiteral)

    def literal(self, position: int) -> ValueLiteral | None:
        """Return the argument where it is a constant that was written as one, else None."""
        argument = self._arguments[position]
        return argument if isinstance(argument, ValueLiteral) else None

    def literal_value(self, position: int) -> Any:
        """Return the value of a literal argument; None for NULL and for an argument that is no literal."""
        argument = self._arguments[position]
        return argument.value if isinstance(argument, ValueLiteral) else None

    def symbol(self, position: int) -> str | None:
        """Return the keyword that the argument is, or None."""
        argument = self._arguments[position]
        return argument.symbol if isinstance(argument, SymbolLiteral) else None

    def type_argument(self, position: int) -> LogicalType | None:
        """Return the type that the argument is, or None."""
        argument = self._arguments[position]
        return argument.type_ if isinstance(argument, TypeLiteral) else None

    def table_argument(self, position: int) -> TableReference | None:
        """Return the query that the argument is, or None."""
        argument = self._arguments[position]
        return argument if isinstance(argument, TableReference) else None

    def with_argument(self, position: int, argument: ResolvedExpression) -> CallContext:
        """Return the same call with another argument at a position, of the type that it has."""
        arguments = (*self.arguments[:position], argument, *self.arguments[position + 1 :])
        types = (*self.argument_types[:position], argument.data_type, *self.argument_types[position + 1 :])
        return attrs.evolve(self, arguments=arguments, argument_types=types)

    def with_types(self, argument_types: tuple[LogicalType, ...]) -> CallContext:
        """Return the same call with its arguments cast implicitly to these types."""
        # attrs.evolve takes several times as long, and this is done for every call.
        return CallContext(
            self.name,
            self._arguments,
            argument_types,
            self.distinct,
            self._expected_output,
            self.order_types,
            self.respect_nulls,
            self._is_filtered,
            self._usage,
            self._asked,
        )
