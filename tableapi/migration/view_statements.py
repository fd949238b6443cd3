"""Read the statements of SQL files: where each is, the comments before it, and the parts of CREATE VIEW."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from grammar import statements as st
from grammar.errors import place
from grammar.lexemes import Token
from grammar.reading import parse_syntax
from grammar.statement_words import statements_of, words
from ir.errors import SqlParserException
from ir.rendering import Dialect
from tableapi.catalog.statements import ViewDefinition
from tableapi.project.declarations import ViewKind
from tableapi.project.pipelines.build import Storage
from tableapi.project.pipelines.statements import DatasetKind, Definition, read_statement

_BEFORE_VIEW: Final = frozenset(
    ("OR", "REPLACE", "REFRESH", "TEMPORARY", "TEMP", "GLOBAL", "LOCAL", "MATERIALIZED", "LIVE", "PRIVATE")
)
_BEHIND: Final = re.compile(r";[ \t]*(--[^\n]*)")
# Clauses that say how rows are stored, each with the number of words before its value.
_STORAGE: Final = {"USING": 1, "PARTITIONED": 2, "CLUSTER": 2}
_OF_STREAMS: Final = frozenset(("STREAMING", "FLOW"))


@attrs.frozen
class FileStatement:
    """A statement of a file.

    Attributes:
        text: its text.
        line: the line of the file at which it begins, from 1.
        comments: the comments before it, and the one behind its semicolon.
        tokens: its words.
    """

    text: str
    line: int
    comments: str
    tokens: tuple[Token, ...]

    @property
    def words(self) -> list[str]:
        """Its words in upper case."""
        return [token.text.upper() for token in self.tokens]


def statements_in(script: str) -> Iterator[FileStatement]:
    """Yield the statements of a script.

    >>> script = "-- one\\nSELECT 1 -- end\\n;\\n\\n  SELECT 2;"
    >>> [(found.line, found.text, found.comments) for found in statements_in(script)]
    [(2, 'SELECT 1 -- end', '-- one'), (5, 'SELECT 2', '')]

    Raises:
        SqlParserException: a string or a quoted name is unclosed.
    """
    separators = [token.position for token in words(script) if token.text == ";"]
    begin = 0
    for padded in statements_of(script):
        statement = padded.lstrip("\n ")
        before = padded[: len(padded) - len(statement)]
        line = before.count("\n")
        start = _offset(script, line) + len(before) - line
        end = next((found for found in separators if found >= start + len(statement)), len(script))
        # A comment before the semicolon is of the statement.
        text = script[start:end].rstrip()
        behind = _BEHIND.match(script, end)
        comments = [_without(script, begin, start, separators).strip(), "" if behind is None else behind[1].rstrip()]
        yield FileStatement(text, line + 1, "\n".join(filter(None, comments)), tuple(words(text)))
        begin = end + 1 if behind is None else behind.end()


def _without(script: str, start: int, end: int, separators: Sequence[int]) -> str:
    """Return a part of a script without the semicolons of empty statements."""
    return "".join(script[position] for position in range(start, end) if position not in separators)


def _offset(script: str, line: int) -> int:
    position = 0
    for _ in range(line):
        position = script.index("\n", position) + 1
    return position


@attrs.frozen
class WrittenView:
    """A CREATE VIEW statement, whose query is not read.

    Attributes:
        path: the parts of the name.
        definition: the query's text, the columns, comment and properties.
        query: the statement in which all before the query is blank, so that positions are those of the statement.
        notes: what a project does otherwise.
        storage: how the rows of a table of a pipeline are stored; None for a view.
    """

    path: tuple[str, ...]
    definition: ViewDefinition
    query: str
    notes: tuple[str, ...] = ()
    storage: Storage | None = None


def view_word(given: Sequence[str]) -> int | None:
    """Return the index of the word VIEW of a statement that creates one, also of a materialized view of a pipeline.

    >>> view_word(["CREATE", "OR", "REPLACE", "VIEW", "V"]), view_word(["CREATE", "TABLE", "T"])
    (3, None)
    """
    for index, word in enumerate(given):
        if word == "VIEW" and index and given[0] == "CREATE":
            return index
        if index and word not in _BEFORE_VIEW:
            return None
    return None


def is_of_stream(given: Sequence[str]) -> bool:
    """Whether a statement creates a streaming table or a flow.

    >>> is_of_stream(["CREATE", "OR", "REFRESH", "STREAMING", "TABLE", "T"]), is_of_stream(["CREATE", "TABLE", "FLOW"])
    (True, False)
    """
    kind = next((word for word in given[1:] if word not in _BEFORE_VIEW), "")
    return given[:1] == ["CREATE"] and kind in _OF_STREAMS


def written_path(statement: FileStatement, index: int) -> tuple[str, ...]:
    """Return the parts of the name that begins at a word, also in a statement that cannot be read."""
    tokens = statement.tokens[index:]
    if [token.text.upper() for token in tokens[:3]] == ["IF", "NOT", "EXISTS"]:
        tokens = tokens[3:]
    parts: list[str] = []
    for number, token in enumerate(tokens):
        if number % 2 and token.text != ".":
            break
        if not number % 2:
            parts.append(token.text[1:-1].replace("``", "`") if token.text.startswith("`") else token.text)
    return tuple(parts)


def read_view(statement: FileStatement, index: int) -> WrittenView:
    """Return a CREATE VIEW statement.

    Args:
        statement: the statement.
        index: the index of its word VIEW.

    Raises:
        SqlParserException: the statement has no query, or a clause before it that no view has.
    """
    text, tokens = statement.text, statement.tokens
    as_ = _find_as(tokens, index)
    if as_ is None:
        raise SqlParserException("The statement has no query: there is no AS.\nline 1, column 1")
    begin = statement.words[1:index]
    refused: SqlParserException | None = None
    if "MATERIALIZED" in begin:
        try:
            return read_table(statement, index)
        except _ReadsStream:
            raise
        except SqlParserException as error:
            refused = error
    head, dropped = _without_storage(text[: tokens[as_].position], tokens[index:as_])
    head = _blank(head, 0, tokens[index].position)
    try:
        # Only the head is read, because the query may be of another dialect.
        written = parse_syntax("CREATE" + head[len("CREATE") :] + "AS SELECT 1", Dialect.SPARK, "stored")
    except SqlParserException as error:
        raise refused or error from None
    assert isinstance(written, st.CreateView)
    notes = []
    if refused is not None or dropped or "LIVE" in begin:
        without = f" without {', '.join(dropped)}" if dropped else ""
        notes.append(f"It is a materialized view of another kind of pipeline, and becomes a view{without}.")
    if not {"TEMPORARY", "TEMP"}.isdisjoint(begin):
        notes.append("It is a temporary view, and becomes a permanent one.")
    end = tokens[as_].position + len("AS")
    columns = tuple([(column.name.text, column.comment) for column in written.columns or ()])
    options = written.options
    definition = ViewDefinition(
        text[end:].strip(),
        columns,
        options.get("comment"),
        options.get("properties", {}),
        options.get("schema mode"),
        bool(columns),
        collation=options.get("collation", ""),
    )
    return WrittenView(tuple(written.name.parts), definition, _blank(text, 0, end), tuple(notes))


def _find_as(tokens: Sequence[Token], after: int) -> int | None:
    depth = 0
    for index in range(after, len(tokens)):
        word = tokens[index].text.upper()
        depth += (word == "(") - (word == ")")
        if word == "AS" and not depth:
            return index
    return None


class _ReadsStream(SqlParserException):
    """A query reads a stream."""


def read_table(statement: FileStatement, index: int) -> WrittenView:
    """Return the materialized view or the streaming table of a pipeline.

    Args:
        statement: the statement.
        index: the index of its word VIEW or TABLE.

    Raises:
        SqlParserException: Spark has no such clause, a materialized view reads a stream, or a streaming table has no
            query of its own.
    """
    text, tokens = statement.text, statement.tokens
    for token in tokens[1:index]:
        # A pipeline takes neither OR REPLACE nor OR REFRESH.
        if token.text.upper() not in ("MATERIALIZED", "STREAMING"):
            text = _blank(text, token.position, token.position + len(token.text))
    found = read_statement(text)
    assert isinstance(found, Definition)
    is_stream = found.kind is DatasetKind.STREAMING_TABLE
    as_ = _find_as(tokens, index)
    if found.query is None or as_ is None:
        what = "AUTO CDC" if found.changes else "flows"
        raise SqlParserException(
            f"It has no query: {what} of a streaming table belong in the folder of the pipeline, where "
            f"`tableapi pipeline build` keeps them.\n{place(statement.text, found.name.position)}"
        )
    if found.streams and not is_stream:
        raise _ReadsStream(
            f"It reads {found.streams[0].text} as a stream, which no view of a project does.\n"
            + place(statement.text, found.streams[0].position)
        )
    notes = []
    if found.clustered_by:
        names = ", ".join(column.text for column in found.clustered_by)
        notes.append(f"CLUSTER BY ({names}) is left out: runs fail with it in Spark's session catalog.")
    columns = tuple([(column.name.text, column.comment) for column in found.columns])
    # With the comments before the query.
    written = statement.text[tokens[as_].position + len("AS") :].strip()
    definition = ViewDefinition(written, columns, found.comment, dict(found.properties))
    kind = ViewKind.STREAMING if is_stream else ViewKind.MATERIALIZED
    storage = Storage(tuple([column.text for column in found.partitioned_by]), found.format, kind)
    return WrittenView(tuple(found.name.path), definition, str(found.written), tuple(notes), storage)


def _without_storage(head: str, tokens: Sequence[Token]) -> tuple[str, list[str]]:
    """Return a head in which the clauses of a table's storage are blank, and those clauses."""
    dropped: list[str] = []
    index = 0
    while index < len(tokens):
        length = _STORAGE.get(tokens[index].text.upper())
        if length is None:
            index += 1
            continue
        last = index + length
        depth = 0
        while last < len(tokens):
            depth += (tokens[last].text == "(") - (tokens[last].text == ")")
            if depth <= 0:
                break
            last += 1
        start, end = tokens[index].position, tokens[min(last, len(tokens) - 1)].position
        end += len(tokens[min(last, len(tokens) - 1)].text)
        dropped.append(" ".join(head[start:end].split()))
        head = _blank(head, start, end)
        index = last + 1
    return head, dropped


def _blank(text: str, start: int, end: int) -> str:
    """Replace a part of a text by blanks, and keep its line breaks."""
    return text[:start] + "".join(c if c == "\n" else " " for c in text[start:end]) + text[end:]
