"""The SELECT of operations that read rows: from a catalog, or written out."""

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
    """Return the SELECT of a table of a catalog."""
    assert isinstance(operation, Source)
    columns = column_lines("SELECT", operation.schema, depth, dialect)
    return [*columns, Line(depth, (f"FROM {source_text(operation, dialect)}",))]


def source_text(source: Source, dialect: Dialect) -> str:
    """Return what stands after FROM: the path, the version where the table is not read as it is, and options.

    Raises:
        TableException: the dialect cannot write it.
    """
    return path_text(source.identifier, dialect) + _version(source, dialect) + _options(source, dialect)


def _version(operation: Source, dialect: Dialect) -> str:
    """Return the clause that reads a table as it was, empty where it is read as it is."""
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
    """Return the clause with the options by which a table is read, empty where there are none."""
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
    """Refuse data of this process, which has no name.

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
    """Return the SELECT of rows that are written out."""
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
    """Return a query of no rows, since VALUES needs one: typed NULLs of which none is selected."""
    from ir.expressions import ValueLiteral

    items = []
    for column in operation.schema.columns:
        text = literal_text(ValueLiteral(None, column.data_type.as_nullable()), dialect)
        items.append((f"{text} AS {name_text(column.name, dialect)}",))
    one_row = [Line(depth, ("FROM (VALUES (1)) AS `values`(`one`)",))] if dialect is Dialect.FLINK else []
    return [*item_lines("SELECT", list(items), depth), *one_row, Line(depth, ("WHERE FALSE",))]
