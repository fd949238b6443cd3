"""Writes operations that read rows from a catalog or have them inline."""

from __future__ import annotations

from ir.errors import TableException
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values
from ir.rendering import Dialect
from serializer.literals import literal_text
from serializer.names import name_text, path_text
from serializer.select_block import Item, Line, column_lines, item_lines


def source_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of a catalog table."""
    assert isinstance(operation, Source)
    columns = column_lines("SELECT", operation.schema, depth, dialect)
    return [*columns, Line(depth, (f"FROM {source_text(operation, dialect)}",))]


def source_text(source: Source, dialect: Dialect) -> str:
    """Return the text after FROM: the path, the version or time if there is one, and options.

    Raises:
        TableException: the dialect cannot write it.
    """
    return path_text(source.identifier, dialect) + _version(source, dialect) + _options(source, dialect)


def _version(operation: Source, dialect: Dialect) -> str:
    """Return the clause that reads a table at a version or time, else ""."""
    if operation.timestamp is not None:
        keyword = "FOR SYSTEM_TIME" if dialect is Dialect.FLINK else "TIMESTAMP"
        return f" {keyword} AS OF {literal_text(operation.timestamp, dialect)}"
    if operation.version is None:
        return ""
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The version {operation.version} of {operation.identifier.as_summary_string()} cannot be written in SQL "
            "of Flink, which reads tables only as they were at a point in time: use timestamp=."
        )
    number = operation.version.isascii() and operation.version.isdigit()
    return f" VERSION AS OF {operation.version if number else literal(operation.version).as_serializable_string()}"


def _options(operation: Source, dialect: Dialect) -> str:
    """Return the clause with the options of a table read, else ""."""
    if not operation.options:
        return ""
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The options of {operation.identifier.as_summary_string()} cannot be written in SQL of Flink: they are of "
            "the readers of Spark, and mean nothing to the connectors of Flink."
        )
    pairs = [
        f"{literal_text(literal(key), dialect)} = {literal_text(literal(value), dialect)}"
        for key, value in operation.options
    ]
    return f" WITH ({', '.join(pairs)})"


def inline_source_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Reject data of this process, which has no name in SQL.

    Raises:
        TableException: always.
    """
    assert isinstance(operation, InlineSource)
    raise TableException(
        f"The query reads an anonymous {operation.kind} of this process with the columns {operation.schema!r}, which "
        "has no name that SQL could use. Give it one with create_temporary_view('name', table), and build the query "
        "on from_path('name')."
    )


def values_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of inline rows."""
    from serializer.values import values_lines

    assert isinstance(operation, Values)
    lines: list[Item] = column_lines("SELECT", operation.schema, depth, dialect)
    if operation is SINGLE_ROW:
        return lines
    if not operation.rows:
        return _empty_values(operation, depth, dialect)
    lines.append(Line(depth, ("FROM (VALUES" if dialect is Dialect.FLINK else "FROM VALUES",)))
    rows = values_lines(operation, dialect)
    lines += [Line(depth + 1, (row, "," if n < len(rows) - 1 else "")) for n, row in enumerate(rows)]
    names = ", ".join(name_text(name, dialect) for name in operation.schema.names)
    closing = ")" if dialect is Dialect.FLINK else ""
    return [*lines, Line(depth, (f"{closing} AS `values`({names})".lstrip(),))]


def _empty_values(operation: Values, depth: int, dialect: Dialect) -> list[Item]:
    """Write a query without rows, because VALUES needs at least one: a SELECT of typed NULLs with WHERE FALSE."""
    from ir.expressions import ValueLiteral

    items = []
    for column in operation.schema.columns:
        text = literal_text(ValueLiteral(None, column.data_type.as_nullable()), dialect)
        items.append((f"{text} AS {name_text(column.name, dialect)}",))
    one_row = [Line(depth, ("FROM (VALUES (1)) AS `values`(`one`)",))] if dialect is Dialect.FLINK else []
    return [*item_lines("SELECT", list(items), depth), *one_row, Line(depth, ("WHERE FALSE",))]
