"""Calls of process table functions: make an operation from given inputs and arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ir.errors import TableException, ValidationException
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.process import (
    ON_TIME,
    ROWTIME,
    UID,
    ProcessArgument,
    ProcessCall,
    TableSemantics,
    columns_of_output,
)
from ir.identifiers import fold
from ir.operations.process import ProcessTable
from ir.resolution.lookup import FunctionLookup
from ir.resolution.naming import derive_name
from ir.resolution.process.arguments import Given, order_arguments, scalar_value
from ir.resolution.process.inputs import TableInput, strip_alias
from ir.resolution.process.tables import ResolvedTable, check_partitions, resolve_table
from ir.resolution.process.time import time_columns
from ir.types import LogicalType, RowType, StringType

_UID = re.compile(r"[a-zA-Z_][a-zA-Z-_0-9]*")


def build_process_table(
    function: FunctionDefinition,
    given: Sequence[Expression],
    lookup: FunctionLookup,
    copartitions: Sequence[Sequence[str]] = (),
) -> ProcessTable:
    """Return the operation that calls a process table function.

    Args:
        function: the function.
        given: its arguments in order; a table is a ``TableInput``, a named argument an ``UnresolvedNamedArgument``.
        lookup: finds the functions that keys and values call.
        copartitions: the tables that each COPARTITION clause names.

    Raises:
        ValidationException: the function is of another kind, or the call is invalid; ``argument`` is then the number of
            the invalid argument, if there is a single one.
        TableException: the call is not supported.
    """
    signature = function.process
    if function.kind is not FunctionKind.PROCESS_TABLE or signature is None:
        raise ValidationException(
            "Invalid expression. The expression must be a call to a process table function, but "
            f"{function.sql_name} is {'an' if function.kind.value[0] == 'a' else 'a'} {function.kind.value} function."
        )
    by_name = order_arguments(function, signature, given)
    tables: list[ResolvedTable] = []
    scalars: list[ResolvedExpression] = []
    for argument in signature.arguments:
        if argument.is_table:
            tables.append(_resolve_table(function, argument, by_name[argument.name], len(tables), lookup))
        else:
            scalars.append(scalar_value(function, argument, by_name.get(argument.name), lookup))
    check_partitions(function, tables, copartitions)
    on_time = time_columns(function, by_name.get(ON_TIME), tables)
    uid = _resolve_uid(function, by_name.get(UID))
    return infer_process_table(function, tables, scalars, on_time, uid)


def infer_process_table(
    function: FunctionDefinition,
    tables: Sequence[ResolvedTable],
    scalars: Sequence[ResolvedExpression],
    on_time: tuple[int, ...],
    uid: str,
) -> ProcessTable:
    """Return the operation of a call with resolved arguments: infer the types of its output and of its states.

    Raises:
        ValidationException: a type cannot be inferred.
    """
    signature = function.process
    assert signature is not None, "called for process table functions only"
    call = _describe_call(function, signature.arguments, tables, scalars, on_time)
    output = signature.output(call)
    if output is None:
        raise ValidationException(f"The output of {function.sql_name} cannot be inferred for this call.")
    row = columns_of_output(output)
    states = []
    for state in signature.states:
        known = state.data_type if isinstance(state.data_type, LogicalType) else state.data_type(call)
        if known is None:
            raise ValidationException(
                f"The type of the state {state.name!r} of {function.sql_name} cannot be inferred for this call."
            )
        states.append(known)
    return ProcessTable(
        function,
        tuple([table.operation for table in tables]),
        tuple([table.partition_by for table in tables]),
        tuple([table.order_by for table in tables]),
        tuple(scalars),
        on_time,
        uid,
        row,
        tuple(states),
        _choose_column_names(tables, row, bool(on_time)),
    )


def _resolve_table(
    function: FunctionDefinition, argument: ProcessArgument, given: Given, position: int, lookup: FunctionLookup
) -> ResolvedTable:
    written = strip_alias(given.expression)
    try:
        if not isinstance(written, TableInput):
            raise ValidationException(
                f"Invalid argument value. Argument {argument.name!r} expects a table to be passed: TABLE(t) in SQL, "
                "a Table in Python."
            )
        return resolve_table(function, argument, written, position, lookup)
    except TableException as error:
        if error.argument is None and error.written is None:
            error.argument = given.number
        raise


def _resolve_uid(function: FunctionDefinition, given: Given | None) -> str:
    if given is None:
        return default_uid(function)
    written = strip_alias(given.expression)
    is_text = isinstance(written, ValueLiteral) and isinstance(written.type_, StringType)
    if not isinstance(written, ValueLiteral) or not is_text or not _UID.fullmatch(str(written.value)):
        shown = written.as_summary_string() if isinstance(written, ResolvedExpression) else "an expression"
        raise ValidationException(
            "Invalid unique identifier for process table function. The `uid` argument must be a string literal that "
            f"follows the pattern {_UID.pattern}. But found: {shown}",
            argument=given.number,
        )
    return str(written.value)


def default_uid(function: FunctionDefinition) -> str:
    """Return the default unique identifier of a call: the name of the function.

    Raises:
        ValidationException: the name is not a valid identifier.
    """
    uid = derive_uid(function)
    if uid is None:
        raise ValidationException(
            f"Could not derive a unique identifier for process table function {function.sql_name!r}. The function's "
            f"name does not qualify for a UID: it does not follow the pattern {_UID.pattern}. Please provide a custom "
            "identifier using the implicit `uid` argument. For example: myFunction(..., uid => 'my-id')"
        )
    return uid


def derive_uid(function: FunctionDefinition) -> str | None:
    """Return the name of a function if it is a valid identifier of a call, else None."""
    return function.sql_name if _UID.fullmatch(function.sql_name) else None


def _describe_call(
    function: FunctionDefinition,
    arguments: Sequence[ProcessArgument],
    tables: Sequence[ResolvedTable],
    scalars: Sequence[ResolvedExpression],
    on_time: tuple[int, ...],
) -> ProcessCall:
    """Return the description of a call from which its type strategies infer types."""
    of_tables = iter(
        [
            (table.operation.schema.as_row_type(), table.semantics(on_time[number] if on_time else None, tables))
            for number, table in enumerate(tables)
        ]
    )
    values = iter(scalars)
    types: list[LogicalType] = []
    given: list[ResolvedExpression | None] = []
    semantics: list[TableSemantics | None] = []
    for argument in arguments:
        if argument.is_table:
            row, how = next(of_tables)
            types.append(row)
            given.append(None)
            semantics.append(how)
        else:
            value = next(values)
            types.append(value.data_type)
            given.append(value)
            semantics.append(None)
    return ProcessCall(function.sql_name, tuple(arguments), tuple(types), tuple(given), tuple(semantics))


def _choose_column_names(tables: Sequence[ResolvedTable], output: RowType, has_time: bool) -> tuple[str, ...]:
    """Return the names of the output columns; a repeated name gets the first number that makes it unique."""
    wanted: list[str] = []
    for table in tables:
        if table.argument.passes_through:
            wanted += table.operation.schema.names
        else:
            wanted += [derive_name(key) or "EXPR$" for key in table.partition_by]
    wanted += [field.name for field in output.fields]
    wanted += [ROWTIME] if has_time else []
    taken: set[str] = set()
    names: list[str] = []
    for name in wanted:
        number = 0
        chosen = name if name != "EXPR$" else "EXPR$0"
        while fold(chosen) in taken:
            chosen, number = f"{name}{number}", number + 1
        taken.add(fold(chosen))
        names.append(chosen)
    return tuple(names)
