"""Display of tables, results and environments at a prompt and in a notebook, without starting Spark.

Every text is cut to a maximum size, and becomes HTML through one function that escapes it. The HTML sets no colours,
so it is readable on light and dark pages.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ir.errors import TableException, shorten
from ir.identifiers import quote
from ir.operations.operation import QueryOperation
from ir.operations.source import Values
from ir.rendering import Layout, Quoting
from ir.schema import ResolvedSchema
from ir.types import NumericType
from serializer.hidden_names import hiding

ROWS = 10
"""The number of rows of a result that are shown."""
_LONGEST_SQL = 4_000
_LINES_OF_SQL = 60
_COLUMNS = 100
# A larger query is not formatted at all, so that a prompt answers in less than a second.
_OPERATIONS = 200
_WRITTEN_ROWS = 200


def table_text(operation: QueryOperation, hidden: Iterable[str]) -> str:
    """Return the columns of a query with their types, and its SQL.

    Args:
        operation: the query.
        hidden: the names of built-in functions that temporary functions hide.
    """
    return f"Table{columns_text(operation.schema)}\n{_sql(operation, hidden)}"


def table_as_html(operation: QueryOperation, hidden: Iterable[str]) -> str:
    """Return the columns of a query with their types, and its SQL, as HTML."""
    sql = format_as_html(_sql(operation, hidden))
    return f"{columns_html('Table', operation.schema)}<details><summary>SQL</summary>{sql}</details>"


def result_html(schema: ResolvedSchema, rows: Sequence[Sequence[str]], note: str) -> str:
    """Return rows of strings as an HTML table, headed by column names and types."""
    shown = schema.columns[:_COLUMNS]
    names = [f"{shorten(column.name)}\n{_type(column.data_type)}" for column in shown]
    numeric = [isinstance(column.data_type, NumericType) for column in shown]
    table = table_html(names, [row[: len(shown)] for row in rows], numeric)
    return f"{table}<p><em>{escape(note)}</em></p>" if note else table


def environment_html(described: Mapping[str, str]) -> str:
    """Return the facts about an environment as HTML."""
    rows = [[name, shorten(value)] for name, value in described.items()]
    return f"{heading('TableEnvironment', '')}{table_html(['', ''], rows)}"


def _sql(operation: QueryOperation, hidden: Any) -> str:
    if _is_large(operation):
        return "The query is large; as_serializable_string() returns its SQL."
    try:
        with hiding(hidden):
            sql = operation.as_serializable_string(layout=Layout.MERGED, quoting=Quoting.NEEDED)
    except TableException:
        # Data that exists only in this process has no SQL.
        sql = operation.as_summary_string()
    return truncate(sql)


def _is_large(operation: QueryOperation) -> bool:
    if operation.expanded_size() > _OPERATIONS:
        return True
    return any(isinstance(part, Values) and len(part.rows) > _WRITTEN_ROWS for part in operation.walk())


def truncate(text: str) -> str:
    """Cut a text to the maximum number of lines and characters."""
    lines = text.split("\n")
    if len(lines) > _LINES_OF_SQL:
        rest = len(lines) - _LINES_OF_SQL
        text = "\n".join([*lines[:_LINES_OF_SQL], f"… ({rest} more line{'' if rest == 1 else 's'})"])
    return text if len(text) <= _LONGEST_SQL else f"{text[:_LONGEST_SQL]}… ({len(text) - _LONGEST_SQL} more characters)"


def columns_text(schema: ResolvedSchema) -> str:
    """Return the columns of a schema with their types in parentheses, one per line."""
    lines = [f"  {_column(column.name)} {_type(column.data_type)}" for column in schema.columns[:_COLUMNS]]
    rest = len(schema) - _COLUMNS
    if rest > 0:
        lines.append(f"  … ({rest} more column{'' if rest == 1 else 's'})")
    return "(\n" + ",\n".join(lines) + "\n)" if lines else "()"


def _column(name: str) -> str:
    return shorten(quote(name))


def _type(data_type: Any) -> str:
    return shorten(data_type.as_summary_string())


def columns_html(title: str, schema: ResolvedSchema) -> str:
    """Return the columns of a schema as an HTML table with a title."""
    shown = schema.columns[:_COLUMNS]
    rows = [[_column(c.name), _type(c.data_type), shorten(c.comment or "")] for c in shown]
    rest = len(schema) - len(shown)
    note = f"{len(schema)} column{'' if len(schema) == 1 else 's'}" + (f", {rest} of them not shown" if rest else "")
    if any(column.comment for column in shown):
        return f"{heading(title, note)}{table_html(['column', 'type', 'comment'], rows)}"
    return f"{heading(title, note)}{table_html(['column', 'type'], [row[:2] for row in rows])}"


def heading(title: str, note: str) -> str:
    """Return a title and a note as a line of HTML."""
    return f"<p><strong>{escape(title)}</strong> <em>{escape(note)}</em></p>"


def table_html(names: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool] = ()) -> str:
    """Return strings as an HTML table; numeric columns are right-aligned."""
    sides = ["right" if number < len(numeric) and numeric[number] else "left" for number in range(len(names))]

    def line(tag: str, texts: Sequence[str]) -> str:
        cells = [
            f'<{tag} style="text-align: {side}; white-space: pre">{escape(text)}</{tag}>'
            for text, side in zip(texts, sides, strict=True)
        ]
        return f"<tr>{''.join(cells)}</tr>"

    return f"<table><thead>{line('th', names)}</thead><tbody>{''.join(line('td', row) for row in rows)}</tbody></table>"


def format_as_html(text: str) -> str:
    """Return a text as HTML with its line breaks."""
    return f'<pre style="text-align: left"><code>{escape(text)}</code></pre>'


def escape(text: str) -> str:
    """Escape a text for HTML; write invisible and direction-changing characters as escape sequences."""
    visible = "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)
    # Jupyter would render text between dollar signs as mathematics.
    return html.escape(visible).replace("$", "&#36;")
