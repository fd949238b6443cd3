"""Rename the columns and relations in the text of a query: all distinct, or as equal as SQL allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

import attrs

from grammar.reading import parse_syntax
from ir.rendering import Dialect
from tests.metamorphic.names_in_text import NamesInText
from tests.metamorphic.symbols import Symbol, Undecided

_NAME = re.compile(r"`(?:[^`]|``)*`|\w+")
ColumnsOf = Callable[[tuple[str, ...]], Sequence[str]]


@attrs.frozen
class Renamed:
    """A renamed text.

    ``tables`` maps the new name of each table to its original path and the new names of its columns.
    """

    text: str
    tables: dict[str, tuple[str, tuple[str, ...]]]


def names_in(text: str, columns_of: ColumnsOf, *, is_emitted: bool = False) -> NamesInText:
    """Return the names in a query.

    In a text that this library wrote (``is_emitted``), lambda parameters keep their names, since they identify lowered
    calls.

    Raises:
        Undecided: the query contains a construct that the analysis does not cover.
    """
    if re.search(r"\bidentifier\s*\(", text, re.IGNORECASE):
        raise Undecided("IDENTIFIER")
    found = NamesInText(columns_of)
    found.query(_syntax(text), None)
    if is_emitted:
        for symbol in found.symbols:
            symbol.is_fixed = symbol.is_fixed or symbol.kind == "parameter"
    return found


@lru_cache(maxsize=2)
def _syntax(text: str) -> Any:
    """Parse a text; each is renamed in several ways, one after the other."""
    return parse_syntax(text, Dialect.SPARK)


def rename_apart(text: str, columns_of: ColumnsOf, *, is_emitted: bool = False) -> Renamed:
    """Rename a query so that each column and each relation has a distinct name."""
    found = names_in(text, columns_of, is_emitted=is_emitted)
    return _written(text, found, {symbol: f"n{symbol.number}" for symbol in _free(found)}, qualified=False)


def rename_alike(text: str, columns_of: ColumnsOf, *, is_emitted: bool = False) -> Renamed:
    """Rename a query so that columns of different relations and levels have equal names, with qualifiers.

    Where the analysis would then find another column, the columns involved get distinct names.

    Raises:
        Undecided: even then, the analysis would find another column.
    """
    found = names_in(text, columns_of, is_emitted=is_emitted)
    apart: set[Symbol] = set()
    for _ in range(6):
        renamed = _written(text, found, _alike(found, apart), qualified=True)
        columns = {new: names for new, (_, names) in renamed.tables.items()}
        again = names_in(renamed.text, partial(_known_columns, columns), is_emitted=is_emitted)
        wrong = _conflicts(found, again)
        if not wrong:
            return renamed
        apart |= wrong
    raise Undecided("equal names that would mean other columns")


def _known_columns(columns: Mapping[str, Sequence[str]], path: tuple[str, ...]) -> Sequence[str]:
    return columns[path[-1]]


def _free(found: NamesInText) -> list[Symbol]:
    return [s for s in found.symbols if s.root is s and not s.is_fixed]


def _alike(found: NamesInText, apart: Iterable[Symbol]) -> dict[Symbol, str]:
    """Return new names: distinct ones for relations and ``apart``; columns get the first name free beside them."""
    beside: dict[Symbol, list[set[str]]] = {}
    for symbols in found.together:
        taken = {s.root.text.lower() for s in symbols if s.root.is_fixed}
        for symbol in symbols:
            beside.setdefault(symbol.root, []).append(taken)
    names: dict[Symbol, str] = {}
    for symbol in _free(found):
        if symbol.kind != "column" or symbol in apart:
            names[symbol] = f"n{symbol.number}"
            continue
        taken = beside.get(symbol, [])
        number = 0
        while any(f"c{number}" in names_there for names_there in taken):
            number += 1
        names[symbol] = f"c{number}"
        for names_there in taken:
            names_there.add(f"c{number}")
    return names


def _conflicts(one: NamesInText, two: NamesInText) -> set[Symbol]:
    """Return the symbols of one text whose uses mean something else in the other."""
    if len(one.symbols) != len(two.symbols) or len(one.uses) != len(two.uses):
        # A path or a shared name has appeared or disappeared; it is unknown which one.
        return {s for s in _free(one) if s.kind == "column"}
    wrong: set[Symbol] = set()
    for ours, theirs in [*zip(one.uses, two.uses, strict=True), *zip(one.symbols, two.symbols, strict=True)]:
        if ours.root.number != theirs.root.number:
            wrong |= {ours.root, one.symbols[theirs.root.number].root}
    return {symbol for symbol in wrong if not symbol.is_fixed}


def _written(text: str, found: NamesInText, names: dict[Symbol, str], *, qualified: bool) -> Renamed:
    """Return the text with the new names of symbols, with column qualifiers if ``qualified``."""
    changes: dict[int, tuple[int, str]] = {}
    for site in found.sites:
        name = names.get(site.symbol.root)
        if site.position < 0:
            continue
        token = _NAME.match(text, site.position)
        assert token is not None, (text, site)
        new = token.group() if name is None else name
        if qualified and name is not None and site.qualifier is not None:
            new = f"{names.get(site.qualifier.root, site.qualifier.text)}.{new}"
        changes[site.position] = token.end(), new
    pieces, end = [], 0
    for position in sorted(changes):
        stop, new = changes[position]
        pieces += [text[end:position], new]
        end = stop
    tables = {}
    for table, columns in found.tables.values():
        new = names.get(table.root, table.text)
        tables[new] = table.text, tuple([names.get(c.root, c.text) for c in columns])
    return Renamed("".join([*pieces, text[end:]]), tables)
