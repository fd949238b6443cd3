"""Reads the statements of a pipeline's SQL files: the head of each, and the text of its query.

Queries are read later, when the columns of what they read are known. Each text keeps the positions of its file: what
is not part of it is replaced by blanks.
`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

import attrs

from grammar import syntax as s
from grammar.errors import place
from grammar.lexemes import Token
from grammar.reading import parse_syntax
from grammar.spark import unquote
from grammar.statement_words import words
from grammar.syntax.base import Syntax, fields_of
from ir.errors import SqlParserException, did_you_mean
from ir.rendering import Dialect
from tableapi.project.declarations import RESERVED_PROPERTIES

Path = tuple[str, ...]
ACCEPTED: Final = (
    "CREATE MATERIALIZED VIEW, CREATE [TEMPORARY] VIEW, CREATE STREAMING TABLE, CREATE FLOW, SET key = value and "
    "USE SCHEMA"
)


class DatasetKind(Enum):
    """The kind of dataset that a statement or a decorator defines."""

    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    TEMPORARY_VIEW = "temporary view"
    STREAMING_TABLE = "streaming table"
    FLOW = "flow"
    SINK = "sink"

    @property
    def is_stored(self) -> bool:
        """Whether it is an object of the catalog after a run."""
        return self in (DatasetKind.VIEW, DatasetKind.MATERIALIZED_VIEW, DatasetKind.STREAMING_TABLE)


@attrs.frozen
class NamedPlace:
    """A name with its position in the file.

    Attributes:
        path: the parts of the name.
        position: the position of its first character.
    """

    path: Path
    position: int

    @property
    def text(self) -> str:
        """The name with dots."""
        return ".".join(self.path)


@attrs.frozen
class DeclaredColumn:
    """A column in the list of a statement.

    Attributes:
        name: the name, with its position.
        type_text: the text of its type; empty in the list of a view.
        comment: its comment.
    """

    name: NamedPlace
    type_text: str = ""
    comment: str | None = None


@attrs.frozen
class ChangeFeed:
    """The clauses of AUTO CDC after its target.

    Attributes:
        source: the name of the table whose changes are read.
        keys: the columns that identify a row.
        included: the columns of COLUMNS (…); empty for all.
        excluded: the columns that COLUMNS * EXCEPT leaves out.
        sequence: the expression that orders the changes of a row.
        scd_type: the type of the slowly changing dimension: 1 for the newest rows, 2 for all with their times.
    """

    source: NamedPlace
    keys: tuple[NamedPlace, ...]
    included: tuple[NamedPlace, ...]
    excluded: tuple[NamedPlace, ...]
    sequence: str
    scd_type: int


@attrs.frozen
class Definition:
    """A statement that defines a dataset or a flow.

    Attributes:
        kind: what it defines.
        name: the name of the dataset or flow.
        text: the text of the file up to the end of the statement.
        query: the text of the query without STREAM, with the positions of the file; None if there is none.
        written: the same with STREAM.
        streams: what the query reads as a stream.
        columns: the list of columns.
        partitioned_by: the columns of PARTITIONED BY.
        clustered_by: the columns of CLUSTER BY.
        target: the streaming table into which a flow inserts.
        changes: what AUTO CDC reads.
        comment: the comment.
        properties: the keys and values of TBLPROPERTIES.
        format: the format of USING.
    """

    kind: DatasetKind
    name: NamedPlace
    text: str
    query: str | None = None
    written: str | None = None
    streams: tuple[NamedPlace, ...] = ()
    columns: tuple[DeclaredColumn, ...] = ()
    partitioned_by: tuple[NamedPlace, ...] = ()
    clustered_by: tuple[NamedPlace, ...] = ()
    target: NamedPlace | None = None
    changes: ChangeFeed | None = None
    comment: str | None = None
    properties: tuple[tuple[str, str], ...] = ()
    format: str | None = None


@attrs.frozen
class UseSchema:
    """A statement that changes the database of the names after it in the file.

    Attributes:
        name: the database, with its catalog or without one.
    """

    name: NamedPlace


@attrs.frozen
class Setting:
    """A SET statement."""


Statement = Definition | UseSchema | Setting


def read_statement(text: str) -> Statement:
    """Return a statement of a pipeline's SQL file.

    Args:
        text: the statement, with as many lines and blanks before it as precede it in the file.

    Raises:
        SqlParserException: a pipeline does not take the statement, or its head is invalid.

    >>> found = read_statement("CREATE MATERIALIZED VIEW sales.daily PARTITIONED BY (day) AS SELECT * FROM STREAM(a)")
    >>> found.name.text, [name.text for name in found.partitioned_by], [name.text for name in found.streams]
    ('sales.daily', ['day'], ['a'])
    >>> found.query.strip()
    'SELECT * FROM        a'
    """
    return _Reader(text).statement()


_KINDS: Final = {
    ("MATERIALIZED", "VIEW"): DatasetKind.MATERIALIZED_VIEW,
    ("STREAMING", "TABLE"): DatasetKind.STREAMING_TABLE,
    ("GLOBAL", "TEMPORARY", "VIEW"): DatasetKind.TEMPORARY_VIEW,
    ("GLOBAL", "TEMP", "VIEW"): DatasetKind.TEMPORARY_VIEW,
    ("TEMPORARY", "VIEW"): DatasetKind.TEMPORARY_VIEW,
    ("TEMP", "VIEW"): DatasetKind.TEMPORARY_VIEW,
    ("VIEW",): DatasetKind.VIEW,
    ("FLOW",): DatasetKind.FLOW,
}
_TABLES: Final = (DatasetKind.MATERIALIZED_VIEW, DatasetKind.STREAMING_TABLE)
_CLAUSES_OF_TABLES: Final = ("USING", "PARTITIONED", "CLUSTER", "COMMENT", "TBLPROPERTIES", "DEFAULT")
_CLAUSES: Final = {
    DatasetKind.MATERIALIZED_VIEW: _CLAUSES_OF_TABLES,
    DatasetKind.STREAMING_TABLE: _CLAUSES_OF_TABLES,
    DatasetKind.VIEW: ("COMMENT", "TBLPROPERTIES", "WITH", "DEFAULT"),
    DatasetKind.TEMPORARY_VIEW: ("COMMENT", "DEFAULT"),
}
# What Spark refuses by name, with what to do instead.
_REFUSED_CLAUSES: Final = {
    "LOCATION": "The pipeline decides where the files are: leave LOCATION out.",
    "OPTIONS": "Leave OPTIONS out, or put them into TBLPROPERTIES.",
    "CLUSTERED": "A pipeline has no buckets: leave CLUSTERED BY out, or use PARTITIONED BY.",
}
_NAME: Final = re.compile(r"`(?:[^`]|``)*`|\w+")
_END: Final = Token("", -1)


class _Reader:
    """Reads one statement, word by word."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [token for token in words(text) if token.text != ";"]
        self._at = 0

    def statement(self) -> Statement:
        if self._take("CREATE"):
            return self._create()
        if self._take("SET"):
            return self._set()
        if self._take("USE"):
            return self._use()
        first = self._next.text.upper()
        hint = did_you_mean(first, ("CREATE", "SET", "USE"))
        raise self._fail(f"A pipeline does not take {first} statements. Its SQL files hold {ACCEPTED}.{hint}")

    # --- statements ---

    def _set(self) -> Setting:
        has_value = any("=" in token.text for token in self._tokens)
        if not has_value and not self._take("TIME", "ZONE"):
            raise self._fail("A pipeline takes SET only with a key and a value: SET key = value.", self._tokens[0])
        return Setting()

    def _use(self) -> UseSchema:
        if not (self._take("SCHEMA") or self._take("DATABASE") or self._take("NAMESPACE")):
            shown = self._next.text or "a database"
            instead = "catalog in spark-pipeline.yml" if shown.upper() == "CATALOG" else f"USE SCHEMA {shown}"
            raise self._fail(f"A pipeline does not take USE {shown}; it takes {instead}.")
        return UseSchema(self._name("a database"))

    def _create(self) -> Definition:
        start = self._next
        replaces = self._take("OR", "REPLACE")
        if self._take("OR", "REFRESH"):
            raise self._fail("Spark 4.3 has no OR REFRESH: leave it out, each run refreshes the dataset.", start)
        kind = next((kind for form, kind in _KINDS.items() if self._take(*form)), None)
        if kind is None:
            word = self._next.text.upper()
            if word in ("TEMPORARY", "TEMP", "GLOBAL", "EXTERNAL", "MATERIALIZED", "STREAMING"):
                word += f" {self._tokens[self._at + 1].text.upper()}" if self._at + 1 < len(self._tokens) else ""
            hint = did_you_mean(word, ("MATERIALIZED", "STREAMING", "TEMPORARY", "VIEW", "FLOW"))
            raise self._fail(f"A pipeline does not take CREATE {word}. Its SQL files hold {ACCEPTED}.{hint}")
        if replaces and kind in (*_TABLES, DatasetKind.FLOW):
            raise self._fail(f"A {kind.value} has no OR REPLACE: leave it out, each run replaces the dataset.", start)
        if self._take("IF"):
            self._expect("NOT", "EXISTS")
        name = self._name(f"the name of the {kind.value}")
        if kind is DatasetKind.FLOW:
            return self._flow(name)
        if kind is DatasetKind.TEMPORARY_VIEW and len(name.path) > 1:
            raise self._fail(
                f"A temporary view has a name of one part, such as {name.path[-1]}, and not {name.text}.", name.position
            )
        if len(name.path) > 3:
            raise self._fail(f"A name has up to three parts, and {name.text} has {len(name.path)}.", name.position)
        return self._dataset(Definition(kind, name, self._text))

    def _dataset(self, found: Definition) -> Definition:
        if self._next.text == "(":
            found = attrs.evolve(found, columns=self._columns(found.kind))
        begin = self._at
        while self._next.text and not self._sees("AS") and not self._sees("FLOW"):
            if self._sees("USING") and self._at != begin:
                raise self._fail("USING comes before the other clauses.")
            found = self._clause(found)
        if found.partitioned_by and found.clustered_by:
            raise self._fail("PARTITIONED BY and CLUSTER BY exclude each other.", found.clustered_by[0].position)
        if self._take("FLOW"):
            if found.kind is not DatasetKind.STREAMING_TABLE:
                raise self._fail(f"A {found.kind.value} has no FLOW; it has AS and a query.")
            self._expect("AUTO", "CDC")
            if found.columns:
                raise self._fail(
                    "A streaming table with AUTO CDC has the columns of its changes: leave out the list of columns.",
                    found.columns[0].name.position,
                )
            return attrs.evolve(found, changes=self._changes(), target=found.name)
        if self._take("AS"):
            return self._with_query(found)
        if found.kind is not DatasetKind.STREAMING_TABLE:
            raise self._fail(f"The {found.kind.value} {found.name.text} has no query: AS SELECT … is missing.")
        return found

    def _flow(self, name: NamedPlace) -> Definition:
        if len(name.path) > 1:
            raise self._fail(f"A flow has a name of one part, such as {name.path[-1]}.", name.position)
        found = Definition(DatasetKind.FLOW, name, self._text)
        if self._take("COMMENT"):
            found = attrs.evolve(found, comment=self._string())
        self._expect("AS")
        if self._take("AUTO", "CDC"):
            self._expect("INTO")
            target = self._name("the streaming table")
            return attrs.evolve(found, target=target, changes=self._changes())
        self._expect("INSERT", "INTO")
        target = self._name("the streaming table")
        if not self._take("BY", "NAME"):
            raise self._fail("A flow inserts by the names of columns: INSERT INTO … BY NAME SELECT …")
        return self._with_query(attrs.evolve(found, target=target))

    # --- parts of statements ---

    def _clause(self, found: Definition) -> Definition:
        token = self._next
        word = token.text.upper()
        known = _CLAUSES[found.kind]
        if word in _REFUSED_CLAUSES and found.kind in _TABLES:
            raise self._fail(f"A {found.kind.value} has no {word}. {_REFUSED_CLAUSES[word]}")
        if word not in known:
            hint = did_you_mean(word, (*known, "AS"))
            raise self._fail(
                f"{token.text} is not expected in the head of a {found.kind.value}, which takes {', '.join(known)} and "
                f"AS.{hint}"
            )
        self._at += 1
        if word in ("PARTITIONED", "CLUSTER"):
            self._expect("BY")
            names = self._names(f"{word} BY")
            if word == "CLUSTER":
                return attrs.evolve(found, clustered_by=names)
            return attrs.evolve(found, partitioned_by=names)
        if word == "TBLPROPERTIES":
            return attrs.evolve(found, properties=self._properties(found.kind))
        if word == "DEFAULT":
            self._expect("COLLATION")
            self._name("a collation")
        elif word == "WITH":
            self._expect("SCHEMA")
            self._at += 1 if not self._take("TYPE", "EVOLUTION") else 0
        elif word == "USING":
            return attrs.evolve(found, format=self._name("a format").text)
        elif word == "COMMENT":
            return attrs.evolve(found, comment=self._string())
        return found

    def _properties(self, kind: DatasetKind) -> tuple[tuple[str, str], ...]:
        found = []
        for part in self._parts():
            sign = next((index for index, token in enumerate(part) if token.text == "="), len(part))
            key = "".join(_plain_string(token.text) for token in part[:sign])
            if kind in _TABLES and key in RESERVED_PROPERTIES:
                raise self._fail(f"The property {key} is reserved for Spark: use another key.", part[0])
            found.append((key, "".join(_plain_string(token.text) for token in part[sign + 1 :])))
        return tuple(found)

    def _string(self) -> str:
        token = self._next
        if not token.text.startswith(("'", '"', "r'", 'r"', "R'", 'R"')):
            raise self._fail(f"A string is expected after COMMENT, but found {token.text or 'the end'}.")
        self._at += 1
        return unquote(token.text, token.position)

    def _columns(self, kind: DatasetKind) -> tuple[DeclaredColumn, ...]:
        found = []
        for part in self._parts():
            name = self._as_name(part[0])
            rest = part[1:]
            texts = [token.text.upper() for token in rest]
            end = texts.index("COMMENT") if "COMMENT" in texts else len(rest)
            stated = rest[:end]
            if kind in _TABLES and not stated:
                raise self._fail(f"The column {name.text} needs a type, such as {name.text} STRING.", part[0])
            if kind not in _TABLES and stated:
                raise self._fail(f"The list of a view has names and comments, and no types: {stated[0].text}.", part[0])
            last = stated[-1] if stated else None
            text = "" if last is None else self._text[stated[0].position : last.position + len(last.text)]
            comment = rest[end + 1] if end + 1 < len(rest) else None
            found.append(DeclaredColumn(name, text, None if comment is None else _plain_string(comment.text)))
        return tuple(found)

    def _names(self, what: str) -> tuple[NamedPlace, ...]:
        found = []
        for part in self._parts():
            if len(part) != 1:
                raise self._fail(f"{what} takes names of columns, such as (day).", part[0])
            found.append(self._as_name(part[0]))
        return tuple(found)

    def _parts(self) -> list[list[Token]]:
        """Return the words between parentheses, split at the commas that are not within others."""
        start = self._next
        inner = self._skip_parentheses()
        parts: list[list[Token]] = [[]]
        depth = 0
        for token in inner:
            depth += token.text.count("(") + token.text.count("<") - token.text.count(")") - token.text.count(">")
            if token.text == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        if not all(parts):
            raise self._fail("A name is missing in the parentheses.", start)
        return parts

    def _skip_parentheses(self) -> list[Token]:
        if self._next.text != "(":
            raise self._fail(f"'(' is expected, but found {self._next.text or 'the end'}.")
        start, depth = self._at, 0
        while self._next.text:
            depth += (self._next.text == "(") - (self._next.text == ")")
            self._at += 1
            if depth == 0:
                return self._tokens[start + 1 : self._at - 1]
        raise self._fail("')' is missing.", self._tokens[start])

    def _changes(self) -> ChangeFeed:
        self._expect("FROM")
        token = self._next
        if not self._take("STREAM"):
            raise self._fail(
                f"AUTO CDC reads a stream: FROM STREAM {token.text} and not FROM {token.text}.", token.position
            )
        wrapped = self._take("(")
        source = self._name("the table whose changes are read")
        if wrapped:
            self._expect(")")
        self._expect("KEYS")
        keys = self._names("KEYS")
        included: tuple[NamedPlace, ...] = ()
        excluded: tuple[NamedPlace, ...] = ()
        sequence, scd_type = "", 1
        while self._next.text:
            if self._take("SEQUENCE", "BY"):
                start = self._next.position
                while self._next.text and not (self._sees("COLUMNS") or self._sees("STORED")):
                    self._at += 1
                sequence = self._text[start : self._next.position if self._next.text else len(self._text)].strip()
            elif self._take("COLUMNS"):
                if self._next.text == "(":
                    included = self._names("COLUMNS")
            elif self._take("EXCEPT"):
                excluded = self._names("EXCEPT")
            elif self._take("SCD", "TYPE"):
                if self._next.text not in ("1", "2"):
                    raise self._fail(f"SCD has the types 1 and 2, and not {self._next.text}.")
                scd_type = int(self._next.text)
                self._at += 1
            elif self._sees("IGNORE") or self._sees("TRACK"):
                raise self._fail(f"Spark 4.3 has no {self._next.text.upper()} in AUTO CDC: leave the clause out.")
            else:
                self._at += 1
        if not sequence:
            raise self._fail("AUTO CDC needs SEQUENCE BY, the column that orders the changes of a row.")
        return ChangeFeed(source, keys, included, excluded, sequence, scd_type)

    def _with_query(self, found: Definition) -> Definition:
        if not self._next.text:
            raise self._fail(f"The query of {found.name.text} is missing.")
        start = self._next.position
        text = re.sub(r"[^\n]", " ", self._text[:start]) + self._text[start:]
        query, streams = _without_stream(text, self._tokens[self._at :])
        return attrs.evolve(found, query=query, written=text, streams=streams)

    def _name(self, what: str) -> NamedPlace:
        start = self._next
        parts = []
        while True:
            if not _NAME.fullmatch(self._next.text):
                found = self._next.text or "the end"
                raise self._fail(f"{what[:1].upper()}{what[1:]} is expected, but found {found}.")
            parts.append(_plain(self._next.text))
            self._at += 1
            if not self._take("."):
                return NamedPlace(tuple(parts), start.position)

    def _as_name(self, token: Token) -> NamedPlace:
        if not _NAME.fullmatch(token.text):
            raise self._fail(f"A name is expected, but found {token.text}.", token)
        return NamedPlace((_plain(token.text),), token.position)

    # --- words ---

    @property
    def _next(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    def _sees(self, word: str) -> bool:
        return self._next.text.upper() == word

    def _take(self, *wanted: str) -> bool:
        there = self._tokens[self._at : self._at + len(wanted)]
        if [token.text.upper() for token in there] != list(wanted):
            return False
        self._at += len(wanted)
        return True

    def _expect(self, *wanted: str) -> None:
        if not self._take(*wanted):
            raise self._fail(f"{' '.join(wanted)} is expected, but found {self._next.text or 'the end'}.")

    def _fail(self, message: str, where: Token | int | None = None) -> SqlParserException:
        at = self._next if where is None else where
        position = at.position if isinstance(at, Token) else at
        return SqlParserException(f"{message}\n{place(self._text, len(self._text) if position < 0 else position)}")


def _without_stream(text: str, tokens: Sequence[Token]) -> tuple[str, tuple[NamedPlace, ...]]:
    """Replace STREAM t and STREAM(t) by t in blanks of the same length, and return what is read as a stream.

    The grammar says where a table is read as one: a column may be called stream. A query that it cannot read stays as
    it is, since typing it reports the mistake.
    """
    if not any(token.text.upper() == "STREAM" for token in tokens):
        return text, ()
    try:
        read = sorted(_streams_in(parse_syntax(text, Dialect.SPARK)), key=lambda path: path.position)
    except SqlParserException:
        return text, ()
    signs = list(text)
    at = {token.position: index for index, token in enumerate(tokens)}
    for path in read:
        first = at[path.position]
        # A name has its parts and the dots between them.
        following = first + 2 * len(path.names) - 1
        wrapped = tokens[first - 1].text == "("
        before = tokens[first - 2 if wrapped else first - 1]
        signs[before.position : before.position + len(before.text)] = " " * len(before.text)
        if wrapped:
            signs[tokens[first - 1].position] = signs[tokens[following].position] = " "
    return "".join(signs), tuple([NamedPlace(path.parts, path.position) for path in read])


def _streams_in(query: Syntax) -> Iterator[s.Path]:
    """Yield the names of the tables that a query reads as streams."""
    left: list[object] = [query]
    while left:
        part = left.pop()
        if isinstance(part, (list, tuple)):
            left += part
        elif isinstance(part, Syntax):
            # The grammar takes FROM stream AS s for a stream of the table AS; a table that is called stream is meant.
            if isinstance(part, s.Table) and part.stream is not None and part.path.parts[0].upper() != "AS":
                yield part.path
            left += [getattr(part, name) for name in fields_of(part)]


def _plain_string(written: str) -> str:
    return unquote(written, 0) if written[-1:] in ("'", '"') else written


def _plain(written: str) -> str:
    return written[1:-1].replace("``", "`") if written.startswith("`") else written
