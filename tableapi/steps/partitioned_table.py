"""Table arguments of process table functions, with their partitioning and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.implicit_notices import suppress_notices
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.process.inputs import TableInput
from ir.unresolved import Ordering, UnresolvedNamedArgument
from tableapi.advice.copies import StepOfTable
from tableapi.lazy import lazy
from tableapi.members.type_arguments import column_names
from tableapi.queries.query import Query
from tableapi.steps.step_arguments import unwrap_arguments
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.resolution.process import tables
    from tableapi.expression import Expression
    from tableapi.table import Table
    from tableapi.user_functions.wrapper import TableCallable
else:
    tables = lazy(__name__, "ir.resolution.process.tables")

__all__ = ["PartitionedTable"]


@boundaries
class PartitionedTable(StepOfTable):
    """A table as an argument of a process table function, with partitioning, order and argument name.

    Made with ``Table.partition_by`` and ``Table.as_argument``. Each method returns a new table argument.
    """

    _receiver = "partitioned table"

    def __init__(
        self,
        query: Query,
        partition_by: Sequence[Unresolved] = (),
        order_by: Sequence[Ordering] = (),
        copartition_with: Sequence[str] = (),
        name: str | None = None,
    ) -> None:
        self._query = query
        self._partition_by = tuple(partition_by)
        self._order_by = tuple(order_by)
        self._copartition_with = tuple(copartition_with)
        self._name = name

    def _replace(self, **changes: Any) -> PartitionedTable:
        state = {key: getattr(self, f"_{key}") for key in _FIELDS}
        return PartitionedTable(**{**state, **changes})

    def order_by(self, *fields: Expression[Any]) -> PartitionedTable:
        """Set the order in which the function sees the rows of a partition.

        Args:
            fields: columns or other expressions, each optionally with ``asc`` or ``desc``.

        Raises:
            ValidationException: no expression is given, or one does not exist or cannot be compared.
        """
        keys = unwrap_arguments(fields, "order_by")
        if not keys:
            raise ValidationException("order_by needs at least one expression.")
        check_keys_of(self._query, keys, "order_by")
        return self._replace(order_by=[key if isinstance(key, Ordering) else Ordering(key) for key in keys])

    def copartition_with(self, *names: str) -> PartitionedTable:
        """Declare that rows with equal keys of this and other tables form one partition, which is the default.

        Args:
            names: the argument names of the other tables.

        Raises:
            ValidationException: no name is given, or a name is not a string.
        """
        if not names:
            raise ValidationException("copartition_with needs the name of at least one other argument.")
        return self._replace(copartition_with=column_names(names, "copartition_with"))

    def as_argument(self, name: str) -> PartitionedTable:
        """Pass the table as a named argument of a process table function.

        Raises:
            ValidationException: the name is not a string, or is empty.
        """
        return self._replace(name=_argument_name(name))

    def process(self, f: TableCallable, /, *arguments: Any, **named: Any) -> Table:
        """Return the result of a process table function for the partitions, as ``Table.process`` does."""
        own: list[Any] = [self, *arguments] if self._name is None else [*arguments, self]
        return self._query.environment.fluent.from_call(f, *own, **named)  # type: ignore[no-any-return]  # a table

    @property
    def name(self) -> str | None:
        """The name of the argument, None if it has no name."""
        return self._name

    @property
    def unresolved_argument(self) -> Unresolved:
        """The unresolved expression of the argument."""
        operation = self._query.operation
        given = TableInput(operation, self._partition_by, self._order_by, self._copartition_with, labels_of(operation))
        return given if self._name is None else UnresolvedNamedArgument(self._name, given)

    def __repr__(self) -> str:
        name = "" if self._name is None else f"{self._name} => "
        return f"<{name}table {self._query.operation.schema!r}, partitioned by {len(self._partition_by)} keys>"


def check_keys_of(query: Query, keys: Sequence[Unresolved], method: str) -> None:
    """Reject invalid partition or order keys of a table argument.

    Raises:
        ValidationException: a key is invalid.
    """
    with suppress_notices():
        tables.check_keys(query.operation, keys, method, query.lookup)


def query_of_argument(argument: PartitionedTable) -> Query:
    """Return the query of a table argument."""
    return argument._query


_FIELDS = ("query", "partition_by", "order_by", "copartition_with", "name")


def _argument_name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The name of an argument must be text that is not empty, but is {name!r}.")
    return name


def labels_of(operation: QueryOperation) -> tuple[str, ...]:
    """Return the names by which COPARTITION may refer to a table; empty if the table has no name."""
    if not isinstance(operation, Source):
        return ()
    parts = [part for part in operation.identifier.parts if part]
    return tuple(dict.fromkeys([parts[-1], ".".join(parts)]))
