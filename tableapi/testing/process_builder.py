"""Collect the arguments of a call for a harness, with the names of Flink's builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import attrs

from ir.errors import ValidationException, did_you_mean, listing
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.expressions import col, descriptor, lit
from tableapi.testing.process_call import TypedCall, find_call

if TYPE_CHECKING:
    from tableapi.expression import Expression

Mode = Literal["stream", "batch"]
"""Whether rows are those of a stream or of a table."""

H = TypeVar("H")


@attrs.frozen
class _TableArgument:
    columns: Any
    partition_by: tuple[Any, ...]
    order_by: tuple[Any, ...]


class Builder(Generic[H]):
    """Collects the arguments of a call; made by ``ProcessTableFunctionHarness.of_class``."""

    def __init__(self, make: Callable[[TypedCall, Mode, bool], H], function: Any) -> None:
        self._make = make
        self._function = function
        self._tables: dict[str, _TableArgument] = {}
        self._scalars: dict[str, Any] = {}
        self._on_time: tuple[str, ...] = ()
        self._mode: Mode = "stream"

    def with_table_argument(
        self,
        name: str,
        columns: Any,
        *,
        partition_by: str | Sequence[str] = (),
        order_by: str | Expression[Any] | Sequence[str | Expression[Any]] = (),
    ) -> Builder[H]:
        """Declare a table argument.

        Args:
            name: the name of the parameter of ``eval``.
            columns: names with types, or another form that ``TableEnvironment.declare`` takes.
            partition_by: the names of the columns of PARTITION BY.
            order_by: the names of the columns of ORDER BY, or expressions such as ``col("price").desc``.
        """
        order = tuple(order_by) if isinstance(order_by, (list, tuple)) else (order_by,)
        self._tables[name] = _TableArgument(columns, _as_names(partition_by), order)
        return self

    def with_partition_by(self, name: str, *columns: str) -> Builder[H]:
        """Set the columns of PARTITION BY of a table argument.

        Args:
            name: the name of the argument, which was declared before.
            columns: the names of the columns.

        Raises:
            ValidationException: there is no such table argument.
        """
        if name not in self._tables:
            known = list(self._tables)
            raise ValidationException(
                f"No table argument {name!r} was declared, but [{listing(known)}]." + did_you_mean(name, known)
            )
        self._tables[name] = attrs.evolve(self._tables[name], partition_by=columns)
        return self

    def with_scalar_argument(self, name: str, value: Any) -> Builder[H]:
        """Set a scalar argument.

        Args:
            name: the name of the parameter of ``eval``.
            value: its value; ``descriptor("a", "b")`` for a list of columns.
        """
        self._scalars[name] = value
        return self

    def with_on_time_column(self, *names: str) -> Builder[H]:
        """Name the time column, or that of each table in their order.

        Args:
            names: the names.
        """
        self._on_time = names
        return self

    def in_batch_mode(self) -> Builder[H]:
        """Choose the mode ``"batch"``: the rows are those of a table."""
        self._mode = "batch"
        return self

    def build(self, *, restarts: bool = False) -> H:
        """Return the harness, after the checks of a call in a query.

        Args:
            restarts: whether the function restarts before each step.

        Raises:
            ValidationException: the function is invalid, or the call does not fit it.
        """
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        environment = TableEnvironment.create(settings)
        named: dict[str, Any] = {}
        for name, argument in self._tables.items():
            table: Any = environment.declare(f"`{name.replace('`', '``')}`", argument.columns)
            if argument.partition_by:
                table = table.partition_by(*[col(key) for key in argument.partition_by])
            if argument.order_by:
                if not argument.partition_by:
                    table = table.as_argument(name)
                table = table.order_by(*[col(key) if isinstance(key, str) else key for key in argument.order_by])
            named[name] = table
        constants = {name: value for name, value in self._scalars.items() if not _is_expression(value)}
        named |= {name: lit(value) if name in constants else value for name, value in self._scalars.items()}
        if self._on_time:
            named["on_time"] = descriptor(*self._on_time)
        query = environment.from_call(self._function, **named)
        return self._make(TypedCall(find_call(query, None), constants), self._mode, restarts)


def _as_names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _is_expression(value: Any) -> bool:
    return type(value) in (type(descriptor("a")), type(lit(1)))
