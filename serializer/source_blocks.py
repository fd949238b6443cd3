"""Writes operations that read rows from a catalog or have them inline."""

from __future__ import annotations

from ir.errors import TableException
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import QueryOperation
from ir.operations.source import SINGLE_ROW, ChangeRange, InlineSource, Source, StreamRead, Values
from serializer.items import Item, Line
from serializer.literals import literal_text
from serializer.names import name_text, path_text
from serializer.notation import Feature, Notation
from serializer.select_block import column_lines, item_lines

if TYPE_CHECKING:
    from ir.operations.watermark import Watermark


def source_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a catalog table."""
    assert isinstance(operation, Source)
    columns = column_lines("SELECT", operation.schema, depth, notation)
    return [*columns, Line(depth, (f"FROM {source_text(operation, notation)}",))]


def source_text(source: Source, notation: Notation) -> str:
    """Return the text after FROM: the path, the version or time if there is one, and options.

    Raises:
        TableException: the dialect cannot write it.
    """
    if source.changes is not None:
        return _changes(source, source.changes, notation)
    path = path_text(source.identifier, notation)
    if source.stream is not None:
        return _stream(source, source.stream, path, notation)
    return path + _version(source, notation) + _options(source, notation)


def _stream(source: Source, stream: StreamRead, path: str, notation: Notation) -> str:
    """Return the text after FROM that reads a stream: the path alone if it is one by its definition."""
    if stream.is_declared and stream.name is None:
        return path + _options(source, notation)
    notation.require(Feature.STREAM, source)
    return f"STREAM {path}{_options(source, notation)}{_source_name(source, notation)}"


def watermark_text(operation: Watermark, notation: Notation) -> str:
    """Return the clause of a watermark after the text of its table."""
    column = name_text(operation.column.name, notation)
    return f" WATERMARK {column} DELAY OF {literal_text(operation.delay, notation)}"


def _changes(source: Source, changes: ChangeRange, notation: Notation) -> str:
    """Return the text after FROM that reads the changes of a table."""
    notation.require(Feature.TABLE_CHANGES, source)
    moments = [changes.start] if changes.end is None else [changes.start, changes.end]
    if changes.by_function:
        path = notation.string_text(source.identifier.as_serializable_string())
        given = [_version_text(m, notation) if isinstance(m, str) else literal_text(m, notation) for m in moments]
        return f"table_changes({', '.join((path, *given))})"
    bounds = [
        f"VERSION {_version_text(m, notation)}" if isinstance(m, str) else f"TIMESTAMP {literal_text(m, notation)}"
        for m in moments
    ]
    is_stream = source.stream is not None
    if is_stream:
        notation.require(Feature.STREAM, source)
    text = f"{'STREAM ' if is_stream else ''}{path_text(source.identifier, notation)} CHANGES FROM {bounds[0]}"
    text += "" if changes.includes_start else " EXCLUSIVE"
    if changes.end is not None:
        text += f" TO {bounds[1]}" + ("" if changes.includes_end else " EXCLUSIVE")
    return text + _options(source, notation) + _source_name(source, notation)


def _source_name(source: Source, notation: Notation) -> str:
    """Return the clause that names the source of a stream, else ""."""
    name = None if source.stream is None else source.stream.name
    return "" if name is None else f" IDENTIFIED BY {name_text(name, notation)}"


def _version_text(version: str, notation: Notation) -> str:
    """Return a version as a number, or as the name of a version, such as that of a branch."""
    return version if version.isascii() and version.isdigit() else notation.string_text(version)


def _version(operation: Source, notation: Notation) -> str:
    """Return the clause that reads a table at a version or time, else ""."""
    if operation.timestamp is not None:
        return f" {notation.time_travel} {literal_text(operation.timestamp, notation)}"
    if operation.version is None:
        return ""
    notation.require(Feature.TABLE_VERSION, operation)
    return f" VERSION AS OF {_version_text(operation.version, notation)}"


def _options(operation: Source, notation: Notation) -> str:
    """Return the clause with the options of a table read, else ""."""
    if not operation.options:
        return ""
    notation.require(Feature.READ_OPTIONS, operation)
    pairs = [f"{notation.string_text(key)} = {notation.string_text(value)}" for key, value in operation.options]
    return f" WITH ({', '.join(pairs)})"


def inline_source_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
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


def values_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of inline rows."""
    from serializer.values import values_lines

    assert isinstance(operation, Values)
    lines: list[Item] = column_lines("SELECT", operation.schema, depth, notation)
    if operation is SINGLE_ROW:
        return lines
    if not operation.rows:
        return _empty_values(operation, depth, notation)
    opening, closing = notation.values_brackets
    lines.append(Line(depth, (f"FROM {opening}",)))
    rows = values_lines(operation, notation)
    lines += [Line(depth + 1, (row, "," if n < len(rows) - 1 else "")) for n, row in enumerate(rows)]
    names = ", ".join(name_text(name, notation) for name in operation.schema.names)
    return [*lines, Line(depth, (f"{closing} AS `values`({names})".lstrip(),))]


def _empty_values(operation: Values, depth: int, notation: Notation) -> list[Item]:
    """Write VALUES without rows as a SELECT of typed NULLs with WHERE FALSE, because SQL requires at least one row."""
    from ir.expressions import ValueLiteral

    items = []
    for column in operation.schema.columns:
        text = literal_text(ValueLiteral(None, column.data_type.as_nullable()), notation)
        items.append((f"{text} AS {name_text(column.name, notation)}",))
    one_row = [] if notation.one_row is None else [Line(depth, (notation.one_row,))]
    return [*item_lines("SELECT", list(items), depth), *one_row, Line(depth, ("WHERE FALSE",))]
