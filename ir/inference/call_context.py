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
from ir.types import LogicalType


@attrs.frozen(eq=False, repr=False)
class CallContext:
    """A call whose types are being inferred.

    ``argument_types`` are the types of the arguments as given or, for an output strategy, as Spark casts them
    implicitly before it evaluates the call. ``arguments`` are the resolved arguments themselves, and ``order_types``
    the types of what the aggregate orders its rows by, as Spark casts them.

    What is found without asking for ``arguments`` follows from types and constants, and holds for every such call.
    """

    name: str
    _arguments: tuple[ResolvedExpression, ...]
    argument_types: tuple[LogicalType, ...]
    distinct: bool = False
    expected_output: LogicalType | None = None
    order_types: tuple[LogicalType, ...] = ()
    respect_nulls: bool = False
    # Not empty once the arguments were asked for; contexts of the same call share it.
    _asked: list[bool] = attrs.field(factory=list)

    @staticmethod
    def of(
        name: str,
        arguments: tuple[ResolvedExpression, ...],
        *,
        distinct: bool = False,
        order_types: tuple[LogicalType, ...] = (),
        respect_nulls: bool = False,
    ) -> CallContext:
        """Return the context of a call with these arguments."""
        types = tuple([a.data_type for a in arguments])
        return CallContext(name, arguments, types, distinct, None, order_types, respect_nulls)

    def __len__(self) -> int:
        return len(self._arguments)

    @property
    def arguments(self) -> tuple[ResolvedExpression, ...]:
        """The resolved arguments."""
        self._asked.append(True)
        return self._arguments

    @property
    def depends_on_arguments(self) -> bool:
        """Whether more was asked of the arguments than what types they have, and which constants they are."""
        return bool(self._asked)

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
            self.expected_output,
            self.order_types,
            self.respect_nulls,
            self._asked,
        )
