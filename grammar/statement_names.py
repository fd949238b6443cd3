"""Finds the catalog objects that a statement of Spark names, without a grammar.

Spark executes these statements, and this grammar does not parse them.

The search works on words only. A statement is recognised by its first words, after which its objects have fixed
places; tables of queries follow FROM, JOIN and TABLE. The result may contain too many names, never too few, because it
decides whether Spark may execute the statement.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from grammar.lexemes import Token
from ir.functions.builtins import BUILT_INS
from ir.identifiers import fold

TABLE: Final = "table"
DATABASE: Final = "database"
FUNCTION: Final = "function"


class NamedObject(NamedTuple):
    """An object that a statement names.

    Attributes:
        kind: ``table`` (also for views), ``database`` or ``function``.
        parts: the parts of its name; empty if the statement acts on the whole current database, None if IDENTIFIER
            computes the name.
        position: the start of the name in the text.
        is_new: whether the statement creates it, so that the name denotes no temporary view.
    """

    kind: str
    parts: tuple[str, ...] | None
    position: int
    is_new: bool = False


class StatementNames(NamedTuple):
    """The kind and the named objects of a statement.

    Attributes:
        called: its first words, such as ``ALTER TABLE``; empty for a query or an unknown statement.
        objects: the objects that it names, in text order.
        is_known: whether all names in this kind of statement are found.
    """

    called: str
    objects: tuple[NamedObject, ...]
    is_known: bool


def statement_names(tokens: Sequence[Token]) -> StatementNames:
    """Return the objects that the words of a statement name.

    >>> from grammar.statement_words import words
    >>> found = statement_names(words("MERGE INTO a.t USING (SELECT * FROM u, `v w`) ON t.a = u.a"))
    >>> found.called, [one.parts for one in found.objects]
    ('MERGE INTO', [('a', 't'), ('u',), ('v w',)])
    """
    return _Reader(tokens).statement(0)


# --- kinds of statements ---------------------------------------------------------------------------------------------

# Words in brackets are optional, and bars separate alternatives. An object is its kind in angle brackets, with ! if
# the statement creates it, and ? if it defaults to the current database. A dot stands for any one word. Longer forms
# come first.
_DB: Final = "DATABASE|SCHEMA|NAMESPACE"
_IN: Final = "IN|FROM"
_FORMS: Final[tuple[str, ...]] = (
    "CREATE [OR REPLACE] [EXTERNAL] TABLE [IF NOT EXISTS] <table!> [LIKE <table>]",
    "CREATE [OR REFRESH] STREAMING TABLE [IF NOT EXISTS] <table!>",
    "CREATE [OR REPLACE] TEMPORARY|TEMP TABLE [IF NOT EXISTS] .",
    "REPLACE TABLE <table!>",
    "CREATE [OR REPLACE] [GLOBAL] TEMPORARY|TEMP VIEW [IF NOT EXISTS] .",
    "CREATE [OR REFRESH] MATERIALIZED VIEW [IF NOT EXISTS] <table!>",
    "CREATE [OR REPLACE] [METRIC] VIEW [IF NOT EXISTS] <table!>",
    "CREATE [OR REPLACE] TEMPORARY|TEMP FUNCTION [IF NOT EXISTS] .",
    "CREATE [OR REPLACE] FUNCTION [IF NOT EXISTS] <function!>",
    "CREATE INDEX [IF NOT EXISTS] . ON [TABLE] <table>",
    f"CREATE {_DB} [IF NOT EXISTS] <database!>",
    "CREATE FLOW <table!>",
    "ALTER MATERIALIZED VIEW <table>",
    "ALTER STREAMING TABLE <table>",
    "ALTER TABLE|VIEW <table>",
    f"ALTER {_DB} <database>",
    "DROP [TEMPORARY] VARIABLE [IF EXISTS] .",
    "DROP TEMPORARY|TEMP FUNCTION [IF EXISTS] .",
    "DROP TEMPORARY|TEMP VIEW|TABLE [IF EXISTS] .",
    "DROP [MATERIALIZED] TABLE|VIEW [IF EXISTS] <table>",
    "DROP FUNCTION [IF EXISTS] <function>",
    "DROP INDEX [IF EXISTS] . ON [TABLE] <table>",
    f"DROP {_DB} [IF EXISTS] <database>",
    f"ANALYZE TABLES [{_IN} <database?>]",
    "ANALYZE TABLE <table>",
    f"SHOW TABLE EXTENDED [{_IN} <database?>]",
    f"SHOW TABLES|VIEWS|PROCEDURES [{_IN} <database?>]",
    f"SHOW [USER|SYSTEM|ALL] FUNCTIONS [{_IN} <database?>]",
    f"SHOW COLUMNS {_IN} <table> [{_IN} <database?>]",
    "SHOW TBLPROPERTIES <table>",
    "SHOW PARTITIONS <table>",
    "SHOW CREATE TABLE|VIEW <table>",
    "SHOW COLLATIONS|CATALOGS|CURRENT|DATABASES|SCHEMAS|NAMESPACES|VARIABLES",
    # The function is most often built in, and so in no catalog.
    "DESCRIBE|DESC FUNCTION [EXTENDED] .",
    "DESCRIBE|DESC PROCEDURE <function>",
    f"DESCRIBE|DESC {_DB} [EXTENDED] <database>",
    "DESCRIBE|DESC HISTORY|DETAIL <table>",
    "DESCRIBE|DESC [TABLE] [EXTENDED|FORMATTED] <table>",
    "COMMENT ON TABLE <table>",
    f"COMMENT ON {_DB} <database>",
    "COMMENT ON COLUMN <column>",
    "REFRESH TABLE <table>",
    "REFRESH FUNCTION <function>",
    "REFRESH .",
    "CACHE [LAZY] TABLE <table>",
    "UNCACHE TABLE [IF EXISTS] <table>",
    "CLEAR CACHE",
    "TRUNCATE TABLE <table>",
    "[MSCK] REPAIR TABLE <table>",
    "LOAD DATA [LOCAL] INPATH . [OVERWRITE] INTO TABLE <table>",
    "INSERT OVERWRITE [LOCAL] DIRECTORY",
    "INSERT [WITH SCHEMA EVOLUTION] INTO|OVERWRITE [TABLE] <table>",
    "DELETE FROM <table>",
    "UPDATE <table>",
    "MERGE [WITH SCHEMA EVOLUTION] INTO <table>",
    "CALL <function>",
    "DECLARE",
    "SET",
    "RESET",
    "USE",
    "ADD",
    "LIST",
    *("SELECT", "WITH", "FROM", "VALUES", "TABLE <table>", "(", "MAP", "REDUCE"),
)
_QUERIES: Final = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "(", "MAP", "REDUCE")
# Words that begin a statement only within a script; none of these names an object.
_OF_SCRIPTS: Final = frozenset(
    (
        *("BEGIN", "END", "IF", "ELSEIF", "ELSE", "CASE", "WHEN", "WHILE", "FOR", "LOOP", "REPEAT", "UNTIL", "LEAVE"),
        *("ITERATE", "SIGNAL", "RESIGNAL", "OPEN", "FETCH", "CLOSE", "DECLARE", "SET"),
    )
)
_BEFORE_STATEMENTS: Final = frozenset((";", "BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT"))
_EXPLAINED: Final = ("EXTENDED", "FORMATTED", "CODEGEN", "COST", "LOGICAL")


_NUMBER: Final = re.compile(r"\d+(?:bd|[lsydf])?", re.IGNORECASE)


class _Part(NamedTuple):
    """A part of a form: alternative words, an object, or optional parts."""

    words: tuple[str, ...] = ()
    kind: str = ""
    optional: tuple[_Part, ...] = ()


@functools.cache
def _forms() -> dict[str, list[tuple[_Part, ...]]]:
    """Return the forms by their possible first words."""
    found: dict[str, list[tuple[_Part, ...]]] = {}
    for text in _FORMS:
        form, _ = _parts(text.replace("[", "[ ").replace("]", " ]").split(), 0)
        begins = [*form[0].optional[0].words, *form[1].words] if form[0].optional else form[0].words
        for word in begins:
            found.setdefault(word, []).append(form)
    return found


def _parts(texts: list[str], index: int) -> tuple[tuple[_Part, ...], int]:
    made: list[_Part] = []
    while index < len(texts) and texts[index] != "]":
        if texts[index] == "[":
            inner, index = _parts(texts, index + 1)
            made.append(_Part(optional=inner))
        elif texts[index].startswith("<"):
            made.append(_Part(kind=texts[index].strip("<>")))
        else:
            made.append(_Part(words=tuple(texts[index].split("|"))))
        index += 1
    return tuple(made), index


# --- reading ---------------------------------------------------------------------------------------------------------

# Words that end the table list of a query, in which commas separate tables.
_ENDS: Final = frozenset(
    (
        *("WHERE", "GROUP", "HAVING", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "UNION", "EXCEPT"),
        *("INTERSECT", "MINUS", "WINDOW", "QUALIFY", "SELECT", "INSERT", "MAP", "REDUCE", "SET", "WHEN", "DO", "FROM"),
        *("RETURN", ";", "|>"),
    )
)


class _Reader:
    """Finds the names in the words of one statement."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._upper = [token.text.upper() for token in tokens]

    def _word(self, index: int) -> str:
        return self._upper[index] if 0 <= index < len(self._upper) else ""

    def statement(self, start: int) -> StatementNames:
        """Return the names in the statement that begins at a word."""
        first = self._word(start)
        if first == "EXPLAIN":
            start += 1
            while self._word(start) in _EXPLAINED:
                start += 1
            return self.statement(start)
        if first == "EXECUTE" and self._word(start + 1) == "IMMEDIATE":
            return StatementNames("EXECUTE IMMEDIATE", (NamedObject(TABLE, None, self._tokens[start].position),), True)
        if first == "BEGIN" or (self._word(start + 1) == ":" and self._word(start + 2) == "BEGIN"):
            return self._script(start)
        found = self._head(start)
        if found is None:
            return StatementNames("", tuple(self._tables_of_queries(start)), False)
        called, named, after = found
        if first in _QUERIES:
            return StatementNames("", self._sort(named, start), True)
        if first == "MERGE":
            named += self._find_merge_source(after)
        if first == "CACHE" and "AS" in self._upper[after:]:
            # The name is that of a temporary view, which the statement creates.
            named = []
        return StatementNames(called, self._sort(named, after), True)

    def _sort(self, named: list[NamedObject], after: int) -> tuple[NamedObject, ...]:
        by_position = {one.position: one for one in [*self._tables_of_queries(after), *named]}
        return tuple([by_position[position] for position in sorted(by_position)])

    def _script(self, start: int) -> StatementNames:
        named: list[NamedObject] = []
        is_known = True
        for index in range(start + 1, len(self._tokens)):
            is_start = self._word(index - 1) in _BEFORE_STATEMENTS
            found = self._head(index) if is_start or self._word(index) not in _QUERIES else None
            if found is not None:
                named += found[1]
                named += self._find_merge_source(found[2]) if self._word(index) == "MERGE" else []
            elif is_start and self._word(index) == "EXECUTE":
                named.append(NamedObject(TABLE, None, self._tokens[index].position))
            elif is_start and self._word(index) not in _OF_SCRIPTS and self._word(index + 1) != ":":
                is_known = is_known and self._word(index) in (";", "")
        return StatementNames("BEGIN … END", self._sort(named, start), is_known)

    # --- the first words ---------------------------------------------------------------------------------------------

    def _head(self, start: int) -> tuple[str, list[NamedObject], int] | None:
        """Return the first words of a statement, the objects that they name, and the index after them."""
        for form in _forms().get(self._word(start), ()):
            named: list[NamedObject] = []
            called: list[str] = []
            after = self._match(form, start, named, called)
            if after is not None:
                return " ".join(called), named, after
        return None

    def _match(self, form: tuple[_Part, ...], index: int, named: list[NamedObject], called: list[str]) -> int | None:
        for part in form:
            if part.optional:
                inner: list[NamedObject] = []
                after = self._match(part.optional, index, inner, [])
                if after is not None:
                    named += inner
                    index = after
                elif part.optional[-1].kind.endswith("?"):
                    named.append(NamedObject(DATABASE, (), self._tokens[index - 1].position))
            elif part.kind:
                found = self._path(index)
                if found is None:
                    return None
                parts, after = found
                named.append(_make_object(part.kind, parts, self._tokens[index].position))
                index = after
            elif part.words == (".",):
                if index >= len(self._tokens):
                    return None
                found = self._path(index)
                index = index + 1 if found is None else found[1]
            elif self._word(index) in part.words:
                called.append(self._word(index))
                index += 1
            else:
                return None
        return index

    def _path(self, index: int) -> tuple[tuple[str, ...] | None, int] | None:
        """Return the name that begins at a word, None for IDENTIFIER, and the index after it."""
        if self._word(index) == "IDENTIFIER" and self._word(index + 1) == "(":
            return None, self._find_closing(index + 1)
        parts: list[str] = []
        while index < len(self._tokens):
            text = self._tokens[index].text
            if text[0] == "`":
                parts.append(text[1:-1].replace("``", "`"))
            elif (text[0] == "_" or text[0].isalnum()) and not _NUMBER.fullmatch(text):
                parts.append(text)
            else:
                return None
            if self._word(index + 1) == "." and index + 2 < len(self._tokens):
                index += 2
            elif self._word(index + 1)[:1] == "." and self._word(index + 1)[1:].isalnum():
                # A part of digits only, which looks like a number after the dot.
                parts.append(self._tokens[index + 1].text[1:])
                return tuple(parts), index + 2
            else:
                return tuple(parts), index + 1
        return None

    def _find_closing(self, index: int) -> int:
        """Return the index after the closing parenthesis."""
        depth = 0
        for position in range(index, len(self._tokens)):
            depth += (self._word(position) == "(") - (self._word(position) == ")")
            if depth == 0:
                return position + 1
        return len(self._tokens)

    # --- tables of queries -------------------------------------------------------------------------------------------

    def _tables_of_queries(self, start: int) -> Iterator[NamedObject]:
        """Yield the tables that queries name from a word on, except those that WITH defines."""
        defined = self._find_defined()
        for index in range(start, len(self._tokens)):
            for one in self._begin(index):
                if one.parts is None or len(one.parts) > 1 or fold(one.parts[0]) not in defined:
                    yield one

    def _begin(self, index: int) -> Iterator[NamedObject]:
        word, before = self._word(index), self._word(index - 1)
        if word == "JOIN" or (word == "FROM" and before not in ("DISTINCT", "NEXT") and not self._is_argument(index)):
            yield from self._walk_from_tables(index + 1)
        elif word == "TABLE" and before not in ("RETURNS", "INTO", "OVERWRITE", "."):
            in_parentheses = self._word(index + 1) == "("
            found = self._path(index + 1 + in_parentheses)
            if found is not None and (not in_parentheses or self._word(found[1]) == ")"):
                yield NamedObject(TABLE, found[0], self._tokens[index + 1 + in_parentheses].position)
        elif word == "INSERT":
            head = self._head(index)
            yield from [] if head is None else head[1]

    def _is_argument(self, index: int) -> bool:
        """Whether FROM belongs to the arguments of a function such as EXTRACT."""
        depth = 0
        while index > 0:
            index -= 1
            depth += (self._word(index) == ")") - (self._word(index) == "(")
            if depth < 0:
                function = BUILT_INS.find_in_sql(self._word(index - 1))
                return function is not None and function.emission.takes_from
        return False

    def _find_defined(self) -> set[str]:
        """Return the folded names that WITH defines, which precede ``AS (`` or ``(``, with optional columns between."""
        found: set[str] = set()
        if "WITH" not in self._upper:
            return found
        for index in range(1, len(self._tokens)):
            if self._word(index - 1) not in ("WITH", "RECURSIVE", ","):
                continue
            after = index + 1
            if self._word(after) == "(" and self._word(self._find_closing(after)) in ("AS", "("):
                after = self._find_closing(after)
            after += self._word(after) == "AS"
            if self._word(after) == "(" and self._word(after + 1) in _QUERIES:
                text = self._tokens[index].text
                found.add(fold(text[1:-1].replace("``", "`") if text[0] == "`" else text))
        return found

    def _walk_from_tables(self, index: int) -> Iterator[NamedObject]:
        """Yield the tables of a FROM clause, whose first relation begins at a word."""
        expected, in_view, depth = True, False, 0
        while index < len(self._tokens):
            word = self._word(index)
            if expected and word in ("LATERAL", "STREAM"):
                expected = self._word(index + 1) != "VIEW"
            elif expected and word == "(":
                if self._word(index + 1) in _QUERIES[:-3]:
                    index, expected = self._find_closing(index), False
                    continue
                depth += 1
            elif expected:
                found = self._path(index)
                expected = False
                if found is not None and self._word(found[1]) == "(":
                    index = self._find_closing(found[1])
                    continue
                if found is not None and word != "VALUES":
                    yield NamedObject(TABLE, found[0], self._tokens[index].position)
                    index = found[1]
                    continue
            elif word in _ENDS:
                return
            elif word == "(":
                index = self._find_closing(index)
                continue
            elif word == ")":
                depth -= 1
                if depth < 0:
                    return
            elif word == "VIEW" and self._word(index - 1) in ("LATERAL", "OUTER"):
                in_view = True
            elif word == "JOIN" or (word == "," and not in_view):
                expected, in_view = True, False
            index += 1

    def _find_merge_source(self, start: int) -> list[NamedObject]:
        """Return the table after USING in a MERGE."""
        for index in range(start, len(self._tokens)):
            if self._word(index) == "USING":
                found = self._path(index + 1)
                return [] if found is None else [NamedObject(TABLE, found[0], self._tokens[index + 1].position)]
        return []


def _make_object(written: str, parts: tuple[str, ...] | None, position: int) -> NamedObject:
    kind = written.strip("!?")
    if kind == "column":
        # The parts before the column's name are the table's name.
        return NamedObject(TABLE, None if parts is None else parts[:-1], position)
    return NamedObject(kind, parts, position, written.endswith("!"))
