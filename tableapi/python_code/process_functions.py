"""Write calls of process table functions as code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ir.errors import TableException
from ir.expressions import DescriptorLiteral, ResolvedExpression, ValueLiteral
from ir.functions.process import ON_TIME, UID
from ir.identifiers import quote
from ir.operations.process import ProcessTable
from ir.resolution.process.arguments import is_default
from ir.resolution.process.call import derive_uid
from ir.unresolved import UnresolvedNamedArgument
from tableapi.python_code.code import Code, invoke, method
from tableapi.python_code.expressions import ExpressionWriter
from tableapi.python_code.literals import function, python_value, text
from tableapi.python_code.python_names import is_python_name
from tableapi.python_code.query import Candidate, QueryWriter


def process_candidates(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    """Yield the ways to write a call: as a method of its only table if that is the first argument, or as a call."""
    process: ProcessTable = operation
    for plain in (True, False):
        if len(process.tables) == 1 and process.signature.arguments[0].is_table:
            yield lambda plain=plain: _write_as_method(writer, process, plain=plain)  # type: ignore[misc]  # the loop's value
        yield lambda plain=plain: _write_as_call(writer, process, plain=plain)  # type: ignore[misc]  # the loop's value


def _write_as_method(writer: QueryWriter, process: ProcessTable, *, plain: bool) -> Code:
    write = writer.expressions(process, process.expressions)
    positional, named = _write_arguments(_values(process, write, plain=plain))
    table = _table(writer, process, 0, write, writer.table(process.tables[0]))
    return method(table, "process", _name(process), *positional, **named)


def _write_as_call(writer: QueryWriter, process: ProcessTable, *, plain: bool) -> Code:
    write = writer.expressions(process, process.expressions)
    tables = iter(range(len(process.tables)))
    values = _values(process, write, plain=plain)
    given: dict[str, Code] = {}
    for argument in process.signature.arguments:
        if argument.is_table:
            number = next(tables)
            given[argument.name] = _table(writer, process, number, write, writer.other(process.tables[number]))
        elif argument.name in values:
            given[argument.name] = values.pop(argument.name)
    positional, named = _write_arguments({**given, **values})
    return method(writer.environment_code, "from_call", _name(process), *positional, **named)


def _is_named_table(value: Any) -> bool:
    """Whether a value is a table that ``as_argument`` has named."""
    takes = hasattr(type(value), "unresolved_argument")
    return takes and isinstance(value.unresolved_argument, UnresolvedNamedArgument)


def _write_arguments(by_name: dict[str, Code]) -> tuple[list[Code], dict[str, Code]]:
    """Return arguments by keyword, or by position with ``as_argument`` if the name is not a Python name."""
    positional: list[Code] = []
    named: dict[str, Code] = {}
    for name, code in by_name.items():
        if _is_named_table(code.value):
            positional.append(code)
        elif is_python_name(name):
            named[name] = code
        else:
            positional.append(method(code, "as_argument", text(name)))
    return positional, named


def _name(process: ProcessTable) -> Code:
    identifier = process.function.user_code.identifier
    if identifier is None:
        raise TableException(
            f"it calls {process.function.name}, which has no name, so that no code can find it. Register it with "
            f"create_temporary_system_function({process.function.name!r}, …), and call it by that name."
        )
    parts = [part if part.isidentifier() else quote(part) for part in identifier.parts]
    return text(".".join(parts))


def _table(writer: QueryWriter, process: ProcessTable, number: int, write: ExpressionWriter, table: Code) -> Code:
    keys, orders = process.partition_keys[number], process.order_keys[number]
    if keys:
        table = method(table, "partition_by", *map(write.expression, keys))
    if orders:
        if not keys:
            # Without as_argument, order_by would sort the whole table.
            table = method(table, "as_argument", text(process.signature.tables[number].name))
        table = method(table, "order_by", *map(write.expression, orders))
    return table


def _values(process: ProcessTable, write: ExpressionWriter, *, plain: bool) -> dict[str, Code]:
    """Return the explicit arguments that are not tables, by name."""
    found: dict[str, Code] = {}
    for argument, value in zip(process.signature.scalars, process.scalars, strict=True):
        if not is_default(argument, value):
            found[argument.name] = _value(value, write, plain=plain)
    if process.on_time:
        found[ON_TIME] = _value(DescriptorLiteral(process.time_names), write, plain=plain)
    if process.uid != derive_uid(process.function):
        found[UID] = text(process.uid)
    return found


def _value(value: ResolvedExpression, write: ExpressionWriter, *, plain: bool) -> Code:
    if isinstance(value, DescriptorLiteral):
        return invoke(function("descriptor"), *map(text, value.names))
    if plain and isinstance(value, ValueLiteral) and type(value.value) in (int, str, bool, float):
        return python_value(value.value)
    return write.expression(value)
