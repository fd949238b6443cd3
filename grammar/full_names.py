"""Completes or replaces the table and function names in a query's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grammar import syntax as s
from grammar.parsers import parser
from grammar.reading import parse_syntax
from grammar.syntax.base import Syntax, fields_of
from grammar.written_identifiers import identifier_clauses, replace_identifiers
from ir.identifiers import fold, quote
from ir.rendering import Dialect

Parts = tuple[str, ...]
MissingParts = Callable[[Parts], Parts]
"""Returns the missing catalog and database of a name; empty if the name is complete or names no object."""


def add_full_names(text: str, table: MissingParts, function: MissingParts, write: Callable[[str], str] = quote) -> str:
    """Add the missing parts to the table and function names of a query; the rest of the text stays unchanged.

    >>> sales = lambda name: ("main", "sales")[: 3 - len(name)]
    >>> add_full_names("WITH o AS (SELECT * FROM o) SELECT id FROM o, x.p", sales, lambda name: ())
    'WITH o AS (SELECT * FROM `main`.`sales`.o) SELECT id FROM o, `main`.x.p'

    Args:
        text: a query in Spark's dialect.
        table: returns the missing parts of a table name; not called for names of common table expressions.
        function: returns the missing parts of a function name.
        write: writes a missing part as an identifier.

    Raises:
        SqlParserException: the text does not match the grammar.
    """
    read = text
    if "identifier" in text.lower():
        # A name from IDENTIFIER ('…') is written in its place, padded so that no position changes. A name with ${
        # stays unchanged, because a Spark session may substitute it.
        reader = parser(Dialect.SPARK)
        read = replace_identifiers(reader, text)
        for clause in identifier_clauses(reader, text):
            if "${" not in clause.name:
                text = text[: clause.position] + read[clause.position : clause.end] + text[clause.end :]
    pieces, done = [], 0
    found = {
        path.position: (function if is_function else table)(path.parts)
        for path, is_function in _names_in(parse_syntax(read, Dialect.SPARK))
    }
    for position, parts in sorted(found.items()):
        pieces += [text[done:position], *[f"{write(part)}." for part in parts]]
        done = position
    return "".join([*pieces, text[done:]])


Renamed = Callable[[Parts], Parts | None]
"""Returns another name for a name; None if it stays."""


def replace_names(text: str, table: Renamed, function: Renamed, write: Callable[[str], str] = quote) -> str:
    """Replace table and function names of a query; the rest of the text stays unchanged.

    >>> replace_names("SELECT f(id) FROM a.b AS c", {("a", "b"): ("x", "y")}.get, lambda name: None)
    'SELECT f(id) FROM `x`.`y` AS c'

    Args:
        text: a query in Spark's dialect.
        table: returns another table name; not called for names of common table expressions.
        function: returns another function name.
        write: writes a part of a new name as an identifier.

    Raises:
        SqlParserException: the text does not match the grammar.
    """
    ends: dict[int, int] = {}
    named: dict[int, Parts] = {}
    for path, is_function in _names_in(parse_syntax(text, Dialect.SPARK)):
        new = (function if is_function else table)(path.parts)
        if new is not None:
            last = path.names[-1]
            # A quoted name begins and ends with a sign, and doubles that sign within it.
            length = len(quote(last.text)) if last.quoted else len(last.text)
            named[path.position], ends[path.position] = new, last.position + length
    pieces, done = [], 0
    for position, parts in sorted(named.items()):
        pieces += [text[done:position], ".".join(map(write, parts))]
        done = ends[position]
    return "".join([*pieces, text[done:]])


def _names_in(query: Syntax) -> Iterator[tuple[s.Path, bool]]:
    """Yield the table and function names of a query, without names of common table expressions.

    The second value is whether it is the name of a function.
    """
    # The parts still to visit, each with the names of the visible common table expressions.
    left: list[tuple[object, frozenset[str]]] = [(query, frozenset())]
    while left:
        part, common = left.pop()
        if isinstance(part, (list, tuple)):
            left += [(inner, common) for inner in part]
            continue
        if not isinstance(part, Syntax):
            continue
        if isinstance(part, s.With):
            for one in part.tables:
                left.append((one.query, common | {fold(one.name.text)} if part.recursive else common))
                common |= {fold(one.name.text)}
            left.append((part.query, common))
            continue
        path = part.path if isinstance(part, s.Table) else part.table if isinstance(part, s.TableQuery) else None
        if path is not None and not (len(path.names) == 1 and fold(path.names[0].text) in common):
            yield path, False
        if isinstance(part, s.Call):
            yield part.function, True
        left += [(getattr(part, name), common) for name in fields_of(part)]
