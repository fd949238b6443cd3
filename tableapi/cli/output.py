"""The output of verbs, as text or as one JSON document, and the exit codes."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import typer

from ir.errors import TableException
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from rich import console, syntax
    from rich import text as rich_text
else:
    # Nothing is printed by --help.
    console = lazy(__name__, "rich.console")
    syntax = lazy(__name__, "rich.syntax")
    rich_text = lazy(__name__, "rich.text")

JSON_VERSION: Final = 1
"""The version of all JSON documents. It grows when a field is removed or changes its meaning, not when one is added."""


class ExitCode(IntEnum):
    """The exit codes of all verbs."""

    OK = 0
    FOUND = 1
    """The verb worked, and found what it was asked to look for: problems, differences, drift, grave steps."""
    FAILED = 2
    """The verb could not do its work: wrong arguments, an unreadable project, a target that cannot be reached."""


class Output:
    """The output of one call of a verb.

    Args:
        verb: the verb, such as ``schema check``.
        is_json: whether to print one JSON document on stdout.
    """

    def __init__(self, verb: str, *, is_json: bool) -> None:
        self.verb = verb
        self.is_json = is_json

    @cached_property
    def console(self) -> console.Console:
        """The console for people, which writes to stdout."""
        return console.Console(highlight=False, soft_wrap=True)

    def show(self, text: str, style: str | None = None) -> None:
        """Print lines for people, on a terminal in its width; nothing with ``--json``."""
        if not self.is_json:
            shown = wrap(text, self.console.width) if self.console.is_terminal else text
            self.console.print(rich_text.Text(shown, style or ""))

    def show_sql(self, text: str) -> None:
        """Print SQL for people, with colours on a terminal."""
        if not self.is_json:
            if self.console.is_terminal:
                self.console.print(syntax.Syntax(text, "sql", background_color="default"))
            else:
                print(text)

    def note(self, text: str) -> None:
        """Print a line about the run to stderr, so that stdout holds the result alone."""
        if not self.is_json:
            print(_for_stderr(text), file=sys.stderr)

    def document(self, **fields: Any) -> None:
        """Print the JSON document of the verb; nothing without ``--json``."""
        if self.is_json:
            print(json.dumps({"verb": self.verb, "version": JSON_VERSION, **fields}, indent=2, ensure_ascii=False))

    def fail(self, message: str) -> None:
        """Report why the verb could not do its work."""
        if self.is_json:
            self.document(error=message)
        else:
            print(_for_stderr(f"error: {message}"), file=sys.stderr)

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report the errors of a verb without a stack trace, and end with the exit code FAILED.

        ``TABLEAPI_TRACEBACK=full`` shows the stack trace.
        """
        try:
            yield
        except (TableException, OSError, ModuleNotFoundError) as error:
            # A module that is not found is one of a package that comes with an extra, which the message names.
            if os.environ.get("TABLEAPI_TRACEBACK") == "full":
                raise
            self.fail(str(error))
            raise typer.Exit(ExitCode.FAILED) from None

    def progress(self, what: str) -> Callable[[int, int, str], None]:
        """Return a function that prints the progress of a run: on a terminal in one line, else one line a step."""

        def show(number: int, total: int, name: str) -> None:
            if self.is_json:
                return
            line = f"[{number}/{total}] {what} {name}"
            if sys.stderr.isatty():
                # A longer line would stay in part when the next one is written over it.
                line = line[: shutil.get_terminal_size().columns - 1]
                print(f"\r\033[K{line}", end="\n" if number == total else "", file=sys.stderr, flush=True)
            else:
                print(line, file=sys.stderr)

        return show


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "view"), counted(0, "view"), counted(2, "entry", "entries")
    ('1 view', '0 views', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def wrap(text: str, width: int) -> str:
    """Return lines that fit into a width, broken between words; what follows a break is indented further.

    A line above marks of a place (``^^^``) stays as it is, because the marks belong below its words.

    >>> print(wrap("  read by sales.daily: its columns stay the same", 30))
      read by sales.daily: its
          columns stay the same
    """
    lines = text.split("\n")
    made = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        is_marked = bool(following.strip()) and not following.strip().strip("^")
        if len(line) <= width or is_marked:
            made.append(line)
            continue
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        made += textwrap.wrap(
            line,
            max(width, len(indent) + 20),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
    return "\n".join(made)


def _for_stderr(text: str) -> str:
    return wrap(text, shutil.get_terminal_size().columns) if sys.stderr.isatty() else text


def bullet_list(lines: Sequence[str], indent: int = 2) -> str:
    """Return lines, each with an indent."""
    return "\n".join(" " * indent + line for line in lines)
