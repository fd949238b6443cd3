"""Display of tables, results and environments at a prompt and in a notebook, without starting Spark.

Every text is cut to a maximum size, and becomes HTML through one function that escapes it. The HTML sets no colours but
transparent tints, so it is readable on light and dark pages.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

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
COLUMNS = 100
"""The number of columns that are shown."""
# A longer text is folded away in a notebook until somebody opens it.
_OPEN_LINES = 15
_MARKED_LINES = 300
_ITEMS = 50
# They let the page's own colours of text and background through, so that they suit light and dark pages.
_TINTS = {"+": "rgba(46, 160, 67, 0.25)", "-": "rgba(248, 81, 73, 0.25)", "~": "rgba(210, 153, 34, 0.25)"}
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


@attrs.frozen
class FetchedRows:
    """The first rows that an execution of a query returned.

    Attributes:
        rows: the values as strings; only those of the first columns.
        note: how many rows there are, and when they were fetched.
    """

    rows: tuple[tuple[str, ...], ...]
    note: str


def table_as_html(operation: QueryOperation, hidden: Iterable[str], fetched: FetchedRows | None = None) -> str:
    """Return the columns of a query with their types, its SQL, and the rows that it has returned, as HTML.

    Args:
        operation: the query.
        hidden: the names of built-in functions that temporary functions hide.
        fetched: the first rows of the last execution; None before the first.
    """
    text = _sql(operation, hidden)
    sql = folded_lines_html("SQL", [(line, "") for line in text.split("\n")])
    schema = operation.schema
    head, columns = heading("Table", _count_columns(schema)), _columns_as_html(schema)
    if fetched is None:
        return f"{head}{columns}{sql}"
    # The rows have the names and types of the columns above them.
    rows = result_html(schema, fetched.rows, fetched.note)
    return f"{head}{rows}<details><summary>columns</summary>{columns}</details>{sql}"


def result_html(schema: ResolvedSchema, rows: Sequence[Sequence[str]], note: str) -> str:
    """Return rows of strings as an HTML table, headed by column names and types."""
    shown = schema.columns[:COLUMNS]
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
    lines = [f"  {_column(column.name)} {_type(column.data_type)}" for column in schema.columns[:COLUMNS]]
    rest = len(schema) - COLUMNS
    if rest > 0:
        lines.append(f"  … ({rest} more column{'' if rest == 1 else 's'})")
    return "(\n" + ",\n".join(lines) + "\n)" if lines else "()"


def _column(name: str) -> str:
    return shorten(quote(name))


def _type(data_type: Any) -> str:
    return shorten(data_type.as_summary_string())


def columns_html(title: str, schema: ResolvedSchema) -> str:
    """Return the columns of a schema as an HTML table with a title."""
    return f"{heading(title, _count_columns(schema))}{_columns_as_html(schema)}"


def _count_columns(schema: ResolvedSchema) -> str:
    count, rest = len(schema), len(schema) - COLUMNS
    return f"{count} column{'' if count == 1 else 's'}{f', {rest} of them not shown' if rest > 0 else ''}"


def _columns_as_html(schema: ResolvedSchema) -> str:
    shown = schema.columns[:COLUMNS]
    rows = [[_column(c.name), _type(c.data_type), shorten(c.comment or "")] for c in shown]
    if any(column.comment for column in shown):
        return table_html(["column", "type", "comment"], rows)
    return table_html(["column", "type"], [row[:2] for row in rows])


def heading(title: str, note: str) -> str:
    """Return a title and a note, of which one may be empty, as a line of HTML."""
    parts = [f"<strong>{escape(title)}</strong>" if title else "", f"<em>{escape(note)}</em>" if note else ""]
    return f"<p>{' '.join(filter(None, parts))}</p>"


def table_html(names: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool] = ()) -> str:
    """Return strings as an HTML table; numeric columns are right-aligned."""
    sides = ["right" if number < len(numeric) and numeric[number] else "left" for number in range(len(names))]

    def line(tag: str, texts: Sequence[str]) -> str:
        cells = [
            f'<{tag} style="text-align: {side}; white-space: pre">{escape(text)}</{tag}>'
            for text, side in zip(texts, sides, strict=True)
        ]
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line("td", row) for row in rows)
    table = f"<table><thead>{line('th', names)}</thead><tbody>{body}</tbody></table>"
    # A table that is wider than the page, or much taller, scrolls by itself.
    return f'<div style="overflow: auto; max-height: 30em">{table}</div>'


def list_html(items: Sequence[str], marks: Sequence[str] = ()) -> str:
    """Return texts as an HTML list, cut to a maximum number.

    Args:
        items: the texts.
        marks: their marks, as for ``marked_html``; without them, no text has one.
    """
    marked = zip(items[:_ITEMS], marks or [""] * len(items), strict=False)
    shown = [f"<li>{_marked(shorten(item), mark)}</li>" for item, mark in marked]
    rest = len(items) - len(shown)
    more = [f"<li>… ({rest} more)</li>"] if rest > 0 else []
    return f"<ul>{''.join([*shown, *more])}</ul>"


def marked_html(lines: Sequence[tuple[str, str]]) -> str:
    """Return lines as HTML, each below a tint for its mark.

    Args:
        lines: each line with its mark: ``+`` for what is added, ``-`` for what is removed, ``~`` for what is changed,
            or another character for no tint. The text has to say the same, for those who do not see colours.
    """
    shown = [_marked(shorten(text), mark) for text, mark in lines[:_MARKED_LINES]]
    rest = len(lines) - len(shown)
    more = [f"… ({rest} more line{'' if rest == 1 else 's'})"] if rest > 0 else []
    text = "\n".join([*shown, *more])
    return f'<pre style="text-align: left; overflow-x: auto"><code>{text}</code></pre>'


def _marked(text: str, mark: str) -> str:
    tint = _TINTS.get(mark)
    return escape(text) if tint is None else f'<span style="background: {tint}">{escape(text)}</span>'


def folded_lines_html(title: str, lines: Sequence[tuple[str, str]]) -> str:
    """Return marked lines as HTML below their title, on which a click shows or hides them. Few are shown at first.

    Args:
        title: the title.
        lines: the lines, as for ``marked_html``.
    """
    return folded_html(title, marked_html(lines), len(lines) <= _OPEN_LINES)


def folded_html(title: str, content: str, is_open: bool) -> str:
    """Return HTML below a title, on which a click shows or hides it.

    Args:
        title: the title.
        content: the HTML.
        is_open: whether it is shown at first.
    """
    return f"<details{' open' if is_open else ''}><summary>{escape(shorten(title))}</summary>{content}</details>"


def format_as_html(text: str) -> str:
    """Return a text as HTML with its line breaks."""
    return f'<pre style="text-align: left"><code>{escape(text)}</code></pre>'


def escape(text: str) -> str:
    """Escape a text for HTML; write invisible and direction-changing characters as escape sequences."""
    visible = "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)
    # Jupyter would render text between dollar signs as mathematics.
    return html.escape(visible).replace("$", "&#36;")
