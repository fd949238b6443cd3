"""Formats SQL files in place, or shows what would change."""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from grammar.formatting import Formatted, format_text
from ir.errors import TableException
from ir.rendering import Dialect
from tableapi.cli.output import Output

_STDIN = "-"
_BYTE_ORDER_MARK = "\ufeff"
# With fewer files, the run ends before a progress line can be read.
_MANY = 20


class Mode(Enum):
    """What happens to a file that is not formatted."""

    WRITE = "write"
    CHECK = "check"
    DIFF = "diff"


class _Problem(Exception):
    """The reason why a file is not formatted."""


class _Content(NamedTuple):
    """The text of a file, and whether a byte order mark precedes it."""

    text: str
    is_marked: bool

    def encoded(self, text: str) -> bytes:
        return ((_BYTE_ORDER_MARK if self.is_marked else "") + text).encode()


class Formatting:
    """One run over all files, which prints one JSON document instead of lines if ``output`` does."""

    def __init__(
        self, output: Output, paths: Sequence[str], dialect: Dialect, width: int, mode: Mode, *, is_quiet: bool
    ) -> None:
        self._output = output
        self._documents: list[dict[str, Any]] = []
        self._paths = paths
        self._dialect = dialect
        self._width = width
        self._check = mode is Mode.CHECK
        self._diff = mode is Mode.DIFF
        self._quiet = is_quiet or output.is_json
        self._changed = self._unchanged = self._failed = 0

    def run(self) -> int:
        """Format the files, and return the exit code."""
        names = list(self._names())
        shows_progress = len(names) >= _MANY and not self._quiet and sys.stderr.isatty()
        for number, name in enumerate(names):
            if shows_progress:
                print(f"\r\033[K{number + 1}/{len(names)} {name}", end="", file=sys.stderr, flush=True)
            try:
                self._file(name)
            except (_Problem, TableException) as error:
                self._fail(name, str(error))
        if shows_progress:
            print("\r\033[K", end="", file=sys.stderr)
        if names != [_STDIN]:
            self._say(self._summary())
        self._output.document(files=self._documents)
        if self._failed:
            return 2
        return 1 if self._changed and (self._check or self._diff) else 0

    def _names(self) -> Iterator[str]:
        """Yield each file once; hidden files of directories are left out."""
        seen: set[str] = set()
        for given in self._paths:
            path = Path(given)
            found = [given]
            if given != _STDIN and path.is_dir():
                found = [str(p) for p in sorted(path.rglob("*.sql")) if p.is_file() and not _is_hidden(p, path)]
            elif given != _STDIN and not path.exists():
                self._fail(given, "There is no such file or directory.")
                continue
            for name in found:
                key = name if name == _STDIN else os.path.realpath(name)
                if key not in seen:
                    seen.add(key)
                    yield name

    def _file(self, name: str) -> None:
        content = _read_content(name)
        formatted = format_text(content.text, self._dialect, self._width)
        for note in formatted.notes:
            self._say(f"{_display_name(name)}:{note.line}: note: {note.message}")
        made = _complete(formatted)
        is_changed = made != content.text
        self._changed += is_changed
        self._unchanged += not is_changed
        if self._output.is_json:
            self._documents.append(self._document(name, content.text, formatted, made))
            if is_changed and name != _STDIN and not (self._diff or self._check):
                _write(name, content.encoded(made))
        elif self._diff:
            sys.stdout.write(_difference(_display_name(name), content.text, made))
        elif self._check:
            if is_changed:
                print(_display_name(name))
        elif name == _STDIN:
            sys.stdout.flush()
            sys.stdout.buffer.write(content.encoded(made))
            sys.stdout.buffer.flush()
        elif is_changed:
            _write(name, content.encoded(made))
            self._say(f"formatted {name}")

    def _document(self, name: str, text: str, formatted: Formatted, made: str) -> dict[str, Any]:
        """Return the entry of a file in the JSON document."""
        found: dict[str, Any] = {
            "file": _display_name(name),
            "is_changed": made != text,
            "notes": [{"line": note.line, "message": note.message} for note in formatted.notes],
        }
        if self._diff:
            found["diff"] = _difference(_display_name(name), text, made)
        if name == _STDIN:
            found["text"] = made
        return found

    def _fail(self, name: str, message: str) -> None:
        self._failed += 1
        if self._output.is_json:
            # A file whose new content could not be written has an entry already.
            self._documents = [one for one in self._documents if one["file"] != _display_name(name)]
            self._documents.append({"file": _display_name(name), "is_changed": False, "notes": [], "error": message})
            return
        print(f"{_display_name(name)}: error: {message}", file=sys.stderr)

    def _say(self, message: str) -> None:
        if not self._quiet:
            print(message, file=sys.stderr)

    def _summary(self) -> str:
        would = "would be" if self._check or self._diff else "were" if self._changed != 1 else "was"
        counts = []
        if self._changed:
            counts.append(f"{_files(self._changed)} {would} formatted")
        if self._unchanged:
            counts.append(f"{_files(self._unchanged)} already formatted")
        if self._failed:
            counts.append(f"{_files(self._failed)} left alone because of errors")
        return ", ".join(counts) + "." if counts else "There are no SQL files."


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"


def _display_name(name: str) -> str:
    return "<stdin>" if name == _STDIN else name


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def _read_content(name: str) -> _Content:
    try:
        content = sys.stdin.buffer.read() if name == _STDIN else Path(name).read_bytes()
        text = content.decode()
    except OSError as error:
        raise _Problem(f"It cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise _Problem(f"It is no text in UTF-8: byte {error.start + 1} is {content[error.start]:#04x}.") from None
    is_marked = text.startswith(_BYTE_ORDER_MARK)
    return _Content(text.removeprefix(_BYTE_ORDER_MARK), is_marked)


def _complete(formatted: Formatted) -> str:
    """Return the formatted content of a file, which ends with a line break unless it is empty."""
    return formatted.text + (formatted.newline if formatted.text else "")


def _write(name: str, content: bytes) -> None:
    """Replace a file atomically, keeping symbolic links and the file's mode."""
    target = os.path.realpath(name)
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".tableapi-fmt-")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise _Problem(f"It cannot be written: {error.strerror}.") from None


def _difference(name: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"{name} (formatted)")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
