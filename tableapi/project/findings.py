"""Findings of a check of a project: a problem of a view, with its place in the project's files."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Final

import attrs

from grammar.errors import place, place_in
from grammar.statement_words import words
from ir.errors import CatalogException, CatalogNotExistException, TableException
from ir.identifiers import fold

_IN_FILE: Final = re.compile(r"(?:The view \S+ cannot be read as a query)? in (?P<file>[^\n]+?\.sql): ")
# A view in Python or SQL on which a message is about; the last one is the cause.
_CAUSE: Final = re.compile(
    r"The view (?P<name>\S+) "
    r"(?:of the project cannot be built|cannot be read as a query(?: in [^\n]+?\.sql)?|is broken in [^\n]+?\.sql): "
)
_CYCLE: Final = re.compile(r"The view \S+ reads itself: (?P<chain>[^\n]+)\.")
_MISSING_CATALOG: Final = re.compile(r"There is no catalog named '(\w+)'")


class UnreadableView(TableException):
    """A view of the project that another view reads cannot be built."""

    @classmethod
    def of(cls, name: str, reason: str) -> UnreadableView:
        """Return the error of a view with its full name and the reason.

        >>> str(UnreadableView.of("sales.daily", "there is no table."))
        'The view sales.daily of the project cannot be built: there is no table.'
        """
        return cls(f"The view {name} of the project cannot be built: {reason}")


class ViewCycle(CatalogException):
    """A view of the project reads itself through other views; the message has the cycle."""


@attrs.frozen
class Finding:
    """A problem in a project.

    Attributes:
        subject: the name of the view, table or module that it is about.
        message: what is wrong, what is accepted, and the likely fix.
        file: the file, relative to the project; empty if it is unknown.
        line: the line in the file, from 1; 0 if it is unknown.
        column: the column in the line, from 1; 0 if it is unknown.
        is_error: whether the project cannot be deployed with it.
        because_of: the name of the view whose problem causes this one; empty if this is the cause.
        condition: Spark's condition of the error, such as ``UNRESOLVED_COLUMN``; empty if Spark has none.
    """

    subject: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    is_error: bool = True
    because_of: str = ""
    condition: str = ""

    @property
    def place(self) -> str:
        """The place for editors: ``views/daily.py:12:5``."""
        return ":".join([self.file, *[str(number) for number in (self.line, self.column) if number]])


def find_cause(subject: str, error: Exception, root: Path, file: str = "", line: int = 0) -> Finding:
    """Return the finding of an error that came up while a view was built.

    Args:
        subject: the name of the view.
        error: the error.
        root: the folder of the project; the innermost of its lines in the traceback is the place of the error.
        file: the file of the view, where the traceback has none of the project.
        line: the line of the view.
    """
    message = str(error) or type(error).__name__
    if not isinstance(error, TableException):
        message = f"{type(error).__name__}: {message}"
    if isinstance(error, CatalogNotExistException):
        said, end, after = message.partition("\n")
        found = _MISSING_CATALOG.search(said)
        section = f"[catalogs.{found[1]}]" if found else "[catalogs.NAME]"
        message = f"{said} If a target has it, add {section} to tableapi.toml.{end}{after}"
    column = 0
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_within(frame.filename, root):
            file, line = frame.filename, frame.lineno or 0
            column = (getattr(frame, "colno", None) or -1) + 1
    if isinstance(error, SyntaxError) and error.filename and _is_within(error.filename, root):
        file, line, column = error.filename, error.lineno or 0, error.offset or 0
        message = f"The module cannot be read: {error.msg}."
    in_file = _IN_FILE.search(message)
    if in_file is not None and _is_within(in_file["file"], root):
        file = in_file["file"]
        line, column = place_in(message, in_file.end())
    if isinstance(error, OSError) and error.filename == file:
        message = f"The module cannot be read: {error.strerror}."
    because_of = ""
    # The error may have been made anew with its place in a text.
    causes = list(_CAUSE.finditer(message))
    if causes:
        # Views in files are named with the catalog.
        name = ".".join(causes[-1]["name"].split(".")[-2:])
        because_of = name if name != subject else ""
    cycle = _CYCLE.search(message)
    if cycle is not None:
        # One of its views stands for the cycle, whichever was read first.
        chain = [".".join(member.split(".")[-2:]) for member in cycle["chain"].split(" → ")]
        because_of = min(chain) if min(chain) != subject else ""
        if not line and subject in chain[:-1] and file.endswith(".sql"):
            message, (line, column) = _with_reference(message, file, chain[chain.index(subject) + 1])
    if in_file is not None and not because_of and message.startswith("The view "):
        # The name and the file stand before the message.
        message = message[in_file.end() :]
    condition = (error.condition if isinstance(error, TableException) else None) or ""
    return Finding(subject, message, relative(file, root), line, column, because_of=because_of, condition=condition)


def _with_reference(message: str, file: str, name: str) -> tuple[str, tuple[int, int]]:
    """Return a message with the place where the query of a file names a view, and that place."""
    text = Path(file).read_text("utf-8")
    wanted = fold(name.rpartition(".")[2].strip("`"))
    # The first words name the view itself.
    named = [token.position for token in words(text)[3:] if fold(token.text.strip("`")) == wanted]
    if not named:
        return message, (1, 0)
    shown = place(text, named[0])
    return f"{message}\n{shown}", place_in(shown)


def _is_within(file: str, root: Path) -> bool:
    if file.startswith("<"):
        # Python's own name of code that is in no file.
        return False
    try:
        return Path(file).resolve().is_relative_to(root.resolve())
    except (OSError, ValueError):
        return False


def relative(file: str, root: Path) -> str:
    """Return a file as it is shown: relative to the project if it is in it."""
    if file and _is_within(file, root):
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    return file
