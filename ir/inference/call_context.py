"""The context of a call: what a strategy may know about the call whose types it infers."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.expressions import Lambda, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.inference.usage import ALONE, Usage, WindowUsage
from ir.light_typing import Any
from ir.operations.operation import TableReference
from ir.types import LogicalType


@attrs.frozen(eq=False, repr=False)
class CallContext(attrs.Slotted):
    """A call whose types are being inferred.

    ``argument_types`` are the types of the arguments as given or, for an output strategy, after Spark's implicit casts.
    ``arguments`` are the resolved arguments. ``order_types`` are the types of the sort keys of an aggregate, after
    casts.

    A result that was inferred without reading ``arguments``, the expected type, the usage or the filter depends on
    types and constants only, and is valid for every such call.
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
    # Not empty once more than types and constants was read; contexts of the same call share it.
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
        """Return the context of a call with the given arguments."""
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
        """Whether a strategy read more of the call than the types of its arguments and its constants."""
        return bool(self._asked)

    @property
    def expected_output(self) -> LogicalType | None:
        """The nullable type that the context of the call expects, None if it expects no particular type."""
        self._asked.append(True)
        return self._expected_output

    @property
    def is_grouped(self) -> bool:
        """Whether the call aggregates groups with keys, each of which has at least one row."""
        self._asked.append(True)
        return self._usage.is_grouped

    @property
    def is_filtered(self) -> bool:
        """Whether the call aggregates only rows that satisfy a condition, possibly none."""
        self._asked.append(True)
        return self._is_filtered or self._usage.is_filtered

    @property
    def window(self) -> WindowUsage | None:
        """The window of the call, None without OVER."""
        self._asked.append(True)
        return self._usage.window

    @property
    def usage(self) -> Usage:
        """How the query uses the call, for inner calls of an expansion."""
        self._asked.append(True)
        return self._usage.evolve(is_filtered=True) if self._is_filtered else self._usage

    def as_given(self) -> CallContext:
        """Return the same call with the types of its arguments before implicit casts."""
        return self.with_types(tuple([argument.data_type for argument in self._arguments]))

    def is_value(self, position: int) -> bool:
        """Whether the argument is a value instead of a type, a keyword, a lambda or a query."""
        return not isinstance(self._arguments[position], (TypeLiteral, SymbolLiteral, Lambda, TableReference))

    def is_literal(self, position: int) -> bool:
        """Whether the argument is a literal."""
        return isinstance(self._arguments[position], ValueLiteral)

    def literal(self, position: int) -> ValueLiteral | None:
        """Return the argument if it is a literal, else None."""
        argument = self._arguments[position]
        return argument if isinstance(argument, ValueLiteral) else None

    def literal_value(self, position: int) -> Any:
        """Return the value of a literal argument, None for NULL or any other argument."""
        argument = self._arguments[position]
        return argument.value if isinstance(argument, ValueLiteral) else None

    def symbol(self, position: int) -> str | None:
        """Return the keyword if the argument is one, else None."""
        argument = self._arguments[position]
        return argument.symbol if isinstance(argument, SymbolLiteral) else None

    def type_argument(self, position: int) -> LogicalType | None:
        """Return the type if the argument is one, else None."""
        argument = self._arguments[position]
        return argument.type_ if isinstance(argument, TypeLiteral) else None

    def table_argument(self, position: int) -> TableReference | None:
        """Return the query if the argument is one, else None."""
        argument = self._arguments[position]
        return argument if isinstance(argument, TableReference) else None

    def with_argument(self, position: int, argument: ResolvedExpression) -> CallContext:
        """Return the same call with another argument at ``position``, and the type of that argument."""
        arguments = (*self.arguments[:position], argument, *self.arguments[position + 1 :])
        types = (*self.argument_types[:position], argument.data_type, *self.argument_types[position + 1 :])
        return attrs.evolve(self, arguments=arguments, argument_types=types)

    def with_types(self, argument_types: tuple[LogicalType, ...]) -> CallContext:
        """Return the same call with its arguments cast implicitly to the given types."""
        # attrs.evolve takes several times as long, and every call passes through here.
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
