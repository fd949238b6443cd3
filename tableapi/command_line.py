"""The command ``tableapi``, which formats SQL files and compiles queries."""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from grammar.formatting import DEFAULT_WIDTH, Formatted, format_text
from ir.errors import TableException
from ir.rendering import Dialect
from tableapi import sql_command
from tableapi._version import __version__

_STDIN = "-"
_BYTE_ORDER_MARK = "\ufeff"
# With fewer files, the run ends before a progress line can be read.
_MANY = 20

_EXIT_CODES = """\
exit code:
  0  all files are formatted
  1  --check or --diff found files that would change
  2  a file could not be read, does not parse, or could not be written; or the command line is wrong
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        options = _parser().parse_args(arguments)
        return sql_command.run(options) if options.command == "sql" else _Formatting(options).run()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader closed the output; without this redirection, the interpreter reports an error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tableapi", description="Tools of the Table API.")
    parser.add_argument("--version", action="version", version=f"tableapi {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    fmt = commands.add_parser(
        "fmt",
        help="format SQL files",
        description="Format SQL files in place. Comments stay, and nothing changes that has a meaning.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    fmt.add_argument("paths", nargs="+", metavar="path", help="a file, a directory with *.sql files, or - for stdin")
    fmt.add_argument("--check", action="store_true", help="write nothing, print the files that would change")
    fmt.add_argument("--diff", action="store_true", help="write nothing, print what would change")
    fmt.add_argument("--dialect", choices=["spark", "flink"], default="spark", help="how to read them (default: spark)")
    fmt.add_argument(
        "--width", type=_width, default=DEFAULT_WIDTH, help=f"columns of a line (default: {DEFAULT_WIDTH})"
    )
    fmt.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    sql = commands.add_parser(
        "sql",
        help="compile a query to SQL",
        description=sql_command.DESCRIPTION,
        epilog=sql_command.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sql_command.add_arguments(sql)
    return parser


def _width(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"takes a number of columns from 1 on, but was given {text!r}")
    return int(text)


class _Problem(Exception):
    """The reason why a file is not formatted."""


class _Content(NamedTuple):
    """The text of a file, and whether a byte order mark precedes it."""

    text: str
    is_marked: bool

    def encoded(self, text: str) -> bytes:
        return ((_BYTE_ORDER_MARK if self.is_marked else "") + text).encode()


class _Formatting:
    """One run over all files."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._paths: list[str] = options.paths
        self._dialect = Dialect[options.dialect.upper()]
        self._width: int = options.width
        self._check: bool = options.check
        self._diff: bool = options.diff
        self._quiet: bool = options.quiet
        self._changed = self._unchanged = self._failed = 0

    def run(self) -> int:
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
        if self._diff:
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

    def _fail(self, name: str, message: str) -> None:
        self._failed += 1
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
