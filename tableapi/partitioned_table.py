"""Tables as arguments of process table functions: how their rows are partitioned and ordered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import FunctionNotExistException, ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import Ordering, TableReference, UnresolvedCall, UnresolvedNamedArgument
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold, parse_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.lookup import FunctionLookup
from ir.resolution.process.call import process_table
from ir.resolution.process.inputs import TableInput
from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS, WindowFunction, window_table
from tableapi.arguments import column_names, unresolved
from tableapi.expression import Expression, unwrap
from tableapi.process_functions.declaration import declare_process_function, is_process_function
from tableapi.udf import UserDefinedFunctionWrapper

if TYPE_CHECKING:
    from tableapi.environment import TableEnvironment
    from tableapi.table import Table

__all__ = ["PartitionedTable", "called"]


class PartitionedTable:
    """A table as an argument of a process table function: how its rows are partitioned and ordered, and its name.

    Made with ``Table.partition_by`` and ``Table.as_argument``. Each of its methods gives another one.
    """

    def __init__(
        self,
        table: Table,
        partition_by: Sequence[Unresolved] = (),
        order_by: Sequence[Ordering] = (),
        copartition_with: Sequence[str] = (),
        name: str | None = None,
    ) -> None:
        self._table = table
        self._partition_by = tuple(partition_by)
        self._order_by = tuple(order_by)
        self._copartition_with = tuple(copartition_with)
        self._name = name

    def _with(self, **changes: Any) -> PartitionedTable:
        state = {key: getattr(self, f"_{key}") for key in _FIELDS}
        return PartitionedTable(**{**state, **changes})

    def order_by(self, *fields: Expression[Any]) -> PartitionedTable:
        """Say in which order the function sees the rows of a partition.

        Args:
            fields: columns or other expressions, each perhaps with ``asc`` or ``desc``.

        Raises:
            ValidationException: there is none.
        """
        keys = unresolved(fields, "order_by")
        if not keys:
            raise ValidationException("order_by needs at least one expression.")
        return self._with(order_by=[key if isinstance(key, Ordering) else Ordering(key) for key in keys])

    def copartition_with(self, *names: str) -> PartitionedTable:
        """Say that rows of this table and of others with equal keys are one partition; so they are anyway.

        Args:
            names: the arguments that the others are.

        Raises:
            ValidationException: there is none, or one is no text.
        """
        if not names:
            raise ValidationException("copartition_with needs the name of at least one other argument.")
        return self._with(copartition_with=column_names(names, "copartition_with"))

    def as_argument(self, name: str) -> PartitionedTable:
        """Name the table as an argument of a process table function.

        Raises:
            ValidationException: the name is not text, or is empty.
        """
        return self._with(name=_argument_name(name))

    def process(self, f: Any, /, *arguments: Any, **named: Any) -> Table:
        """Return what a process table function gives for the partitions, as ``Table.process`` does."""
        own: list[Any] = [self, *arguments] if self._name is None else [*arguments, self]
        return self._table._environment.from_call(f, *own, **named)

    @property
    def name(self) -> str | None:
        """The name of the argument, None where it has none."""
        return self._name

    @property
    def unresolved_argument(self) -> Unresolved:
        """The argument as resolution takes it."""
        operation = self._table.query_operation
        given = TableInput(operation, self._partition_by, self._order_by, self._copartition_with, labels_of(operation))
        return given if self._name is None else UnresolvedNamedArgument(self._name, given)

    def __repr__(self) -> str:
        name = "" if self._name is None else f"{self._name} => "
        return f"<{name}table {self._table.get_resolved_schema()!r}, partitioned by {len(self._partition_by)} keys>"


_FIELDS = ("table", "partition_by", "order_by", "copartition_with", "name")


def _argument_name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The name of an argument must be text that is not empty, but is {name!r}.")
    return name


def labels_of(operation: QueryOperation) -> tuple[str, ...]:
    """Return what COPARTITION may call a table: its name, where it has one."""
    if not isinstance(operation, Source):
        return ()
    parts = [part for part in operation.identifier.parts if part]
    return tuple(dict.fromkeys([parts[-1], ".".join(parts)]))


def called(
    environment: TableEnvironment, lookup: FunctionLookup, f: Any, arguments: Sequence[Any], named: dict[str, Any]
) -> QueryOperation:
    """Return what a process table function gives for arguments.

    Raises:
        FunctionNotExistException: no function has the name.
        ValidationException: it is none, or the call is wrong.
        TableException: the call is not supported.
    """
    window_function, given = _window_function(f, lookup)
    function = None
    if window_function is None:
        function, given = _function(f, lookup)
    for argument in arguments:
        _require_own(environment, argument)
        given.append(_unresolved(argument))
    for name, argument in named.items():
        _require_own(environment, argument)
        one = _unresolved(argument)
        if isinstance(one, UnresolvedNamedArgument):
            raise ValidationException(
                f"The argument {name!r} is named twice: by the keyword, and {one.name!r} by as_argument."
            )
        given.append(UnresolvedNamedArgument(name, one))
    if window_function is not None:
        return window_table(window_function, given, lookup)
    assert function is not None
    return process_table(function, given, lookup)


def _window_function(f: Any, lookup: FunctionLookup) -> tuple[WindowFunction | None, list[Unresolved]]:
    """Return the window table function that a name or a call means, and what the call was given.

    There is none where a function of somebody has the name.
    """
    written = unwrap(f) if isinstance(f, Expression) else None
    name = written.function if isinstance(written, UnresolvedCall) else f
    found = WINDOW_FUNCTIONS.get(fold(name)) if isinstance(name, str) else None
    if found is None:
        return None, []
    try:
        lookup.find(found.name)
    except FunctionNotExistException:
        given = written.arguments if isinstance(written, UnresolvedCall) else ()
        return found, [_as_input(argument) for argument in given]
    return None, []


def _function(f: Any, lookup: FunctionLookup) -> tuple[FunctionDefinition, list[Unresolved]]:
    """Return the function that is called, and the arguments that it was given with already."""
    if isinstance(f, Expression):
        written = unwrap(f)
        if not isinstance(written, UnresolvedCall):
            raise ValidationException(
                "Invalid expression. The expression must be a call to a process table function: call('f', …)."
            )
        found = written.function
        definition = found if isinstance(found, FunctionDefinition) else lookup.find(found)
        return definition, [_as_input(argument) for argument in written.arguments]
    if is_process_function(f):
        return declare_process_function(f), []
    if isinstance(f, UserDefinedFunctionWrapper):
        return f.definition, []
    if not isinstance(f, str) or not f:
        raise ValidationException(
            f"A process table function is given by its name, or as a class that derives from ProcessTableFunction, or "
            f"an instance of one, but was {f!r}."
        )
    parts = parse_path(f) if "." in f or "`" in f else (f,)
    return lookup.find(parts if len(parts) > 1 else parts[0]), []


def _unresolved(argument: Any) -> Unresolved:
    if isinstance(argument, PartitionedTable):
        return argument.unresolved_argument
    return _as_input(unwrap(argument))


def _as_input(written: Unresolved) -> Unresolved:
    if isinstance(written, UnresolvedNamedArgument):
        return UnresolvedNamedArgument(written.name, _as_input(written.expression))
    if isinstance(written, TableReference):
        return TableInput(written.operation, labels=labels_of(written.operation))
    return written


def _require_own(environment: TableEnvironment, argument: Any) -> None:
    table = argument._table if isinstance(argument, PartitionedTable) else argument
    other = getattr(table, "_environment", None) if hasattr(type(table), "query_operation") else None
    if other is not None and other is not environment:
        raise ValidationException("from_call takes tables of the same environment, but was given one of another.")
