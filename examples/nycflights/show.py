"""Output of the demo: in colour on a terminal, as plain lines of at most 100 characters elsewhere."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow
from pyarrow import types
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.syntax import Syntax
from rich.table import Table as Grid
from rich.text import Text

from examples.nycflights.data import Report
from tableapi import Table

PLAIN_WIDTH = 100
_ROWS_SHOWN = 12


def console() -> Console:
    """Return the console, as wide as the terminal, or 100 characters wide without one."""
    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=PLAIN_WIDTH, color_system=None)


def question(query: Callable[..., Table]) -> str:
    """Return the question that a query answers."""
    return inspect.getdoc(query) or query.__name__


def source(query: Callable[..., Table]) -> str:
    """Return the code of a query without its docstring, which is shown as the question."""
    lines = textwrap.dedent(inspect.getsource(query)).splitlines()
    (function,) = ast.parse("\n".join(lines)).body
    assert isinstance(function, ast.FunctionDef)
    docstring = function.body[0]
    del lines[docstring.lineno - 1 : docstring.end_lineno]
    return "\n".join(line.removesuffix("  # fmt: skip") for line in lines if line.strip() or line == "")


def show_code(out: Console, title: str, code: str, language: str) -> None:
    """Print highlighted code, with its lines unbroken so that they can be copied."""
    _title(out, title)
    highlighted = Syntax("", language, theme="ansi_dark").highlight(textwrap.indent(code, "  "))
    highlighted.rstrip()
    out.print(highlighted, soft_wrap=True)


def show_tree(out: Console, tree: str) -> None:
    """Print a tree of operations; the rest of a long line continues below, further to the right."""
    _title(out, "Operations")
    for line in tree.splitlines():
        margin = " " * (len(line) - len(line.lstrip()) + 2)
        for part in textwrap.wrap(
            line.strip(), out.width, initial_indent=margin, subsequent_indent=margin + "    ", break_on_hyphens=False
        ):
            name, colon, rest = part.partition(":")
            is_name = colon and name.strip().isalpha()
            out.print(Text.assemble((name, "bold"), colon, rest) if is_name else Text(part))


def show_rows(out: Console, rows: pyarrow.Table) -> None:
    """Print the first rows as a table."""
    _title(out, f"Rows ({rows.num_rows})")
    grid = grid_of_rows()
    for field in rows.schema:
        numeric = types.is_integer(field.type) or types.is_floating(field.type) or types.is_decimal(field.type)
        grid.add_column(Text(field.name), justify="right" if numeric else "left", overflow="fold")
    for row in rows.slice(0, _ROWS_SHOWN).to_pylist():
        grid.add_row(*[Text("NULL", style="dim") if value is None else Text(str(value)) for value in row.values()])
    out.print(grid)
    if rows.num_rows > _ROWS_SHOWN:
        out.print(f"  and {rows.num_rows - _ROWS_SHOWN} more", style="dim")


def grid_of_rows() -> Grid:
    """Return an empty table in the style of the demo."""
    return Grid(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, padding=(0, 1))


def _title(out: Console, title: str) -> None:
    out.print()
    out.print(title, style="bold cyan")


@contextmanager
def progress_of_loading(out: Console, total: int) -> Iterator[Report]:
    """Return a callback for progress reports: a bar on a terminal, a line for each table elsewhere."""
    if not out.is_terminal:

        def say(name: str, done: int, of: int) -> None:
            if done == of:
                out.print(f"  {name}: {of:,} rows")

        yield say
        return
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("", total=total)
        finished: dict[str, int] = {}

        def advance(name: str, done: int, of: int) -> None:
            finished[name] = done
            bar.update(task, description=name, completed=sum(finished.values()))
            if done == of:
                bar.console.print(f"  {name}: {of:,} rows")

        yield advance
