"""Where imported views come from, what they read besides each other, and why a view cannot be read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import attrs

from grammar.errors import PLACE, place_in
from ir.call_expressions import Call
from ir.errors import TableException
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, fold, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import sources_of
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.functions import CatalogFunction
from tableapi.migration.records import Failure, Proof, SourceView
from tableapi.project.objects import key_of
from tableapi.user_functions.sql_function import SqlFunction

# A name has blanks if it is quoted.
_OF_VIEW: Final = re.compile(
    r"The view (?P<name>[^\n]+?) (?:cannot be read as a query|is broken)(?: in [^\n]+?\.sql)?: "
)
READER: Final = re.compile(r"\nThe view (?P<name>[^\n]+) reads it\.")
"""What the error of a view says of each view above it that reads it."""


class ViewsToImport(Protocol):
    """Where views come from: a target, or files."""

    @property
    def origin(self) -> str:
        """The source of the import, in words: the target with its databases, or the files."""

    @property
    def skipped(self) -> Sequence[str]:
        """The statements of files that are not views, each with its file, line and first words."""

    def stored(self, own: Collection[str] = ()) -> list[SourceView]:
        """Return the views as they are stored.

        Args:
            own: the files that earlier runs of the same import wrote, which no view may read.
        """

    def read(self, view: SourceView) -> SourceView:
        """Return a view with its tree, or with the reason why it has none."""

    def surroundings(self, views: Sequence[SourceView]) -> Surroundings:
        """Return the tables and functions that views read besides each other."""

    def prove(self, view: SourceView, operation: QueryOperation, *, rows: bool) -> Proof:
        """Compare the view with a query by an engine; without one, nothing is compared."""


@attrs.frozen(eq=False)
class Surroundings:
    """The tables and functions that imported views read but that are not imported.

    Attributes:
        tables: tables, and views of other databases, by their databases and names.
        functions: functions by their databases and names.
    """

    tables: Mapping[tuple[str, str], CatalogTable]
    functions: Mapping[tuple[str, str], CatalogFunction]

    def functions_of(self, namespace: tuple[str, ...]) -> set[str]:
        """Return the folded names of the functions of a namespace."""
        return {fold(name) for database, name in self.functions if fold(database) == fold(namespace[-1])}


def failure_of(error: Exception | str) -> Failure:
    """Return the reason of an error with its place in the text of the query.

    >>> failure_of("The view c.d.v cannot be read as a query: There is no t.\\nline 2, column 6\\n  FROM t")
    Failure(reason='There is no t.', line=2, column=6)
    """
    message = str(error) or type(error).__name__
    if isinstance(error, Exception) and not isinstance(error, TableException):
        message = f"{type(error).__name__}: {message}"
    found = PLACE.search(message)
    line, column = place_in(message)
    message = _OF_VIEW.sub("", message)
    # The lines below the place show the text, which the file has.
    reason = message[: message.index(found[0])] if found is not None and found[0] in message else message
    return Failure(reason.strip().rstrip("\n ") or message.strip(), line, column)


def failure_of_query(error: Exception, text: str) -> Failure:
    """Return why a query cannot be read; if a view that it reads cannot be, its place is where that view is named.

    Args:
        error: the error of reading the query alone.
        text: the query.
    """
    found = failure_of(error)
    below = _OF_VIEW.match(str(error))
    if below is None:
        return found
    # The places in the texts of the views below come first.
    line = column = 0
    for place in PLACE.finditer(str(error)):
        line, column = int(place["line"]), int(place["column"])
    named = text.split("\n")[line - 1][column - 1 :] if line <= text.count("\n") + 1 else ""
    readers = [match["name"] for match in READER.finditer(str(error))]
    *_, direct = [below["name"], *readers]
    if fold(direct).rpartition(".")[2] not in fold(named.replace("``", "`")):
        line = column = 0
    reads = f"{direct}, which reads {below['name']}" if readers else direct
    return Failure(f"It reads {reads}, which cannot be read: {found.reason}", line, column)


def read_by(views: Iterable[SourceView]) -> list[ObjectIdentifier]:
    """Return the tables and views that views read and that are none of them, each once.

    They include the tables that the bodies of called table functions read.
    """
    views = list(views)
    own = {view.key for view in views}
    found: dict[tuple[str, ...], ObjectIdentifier] = {}
    for query in _queries(views):
        for identifier in _sources(query):
            if key_of(identifier) not in own:
                found.setdefault(fold_path(identifier.parts), identifier)
    return list(found.values())


def sources_of_view(view: SourceView) -> list[ObjectIdentifier]:
    """Return the tables and views that a view reads; none if it cannot be read."""
    return [] if view.operation is None else _sources(view.operation)


def _sources(query: QueryOperation) -> list[ObjectIdentifier]:
    return [source.identifier for source in sources_of(query) if isinstance(source, Source)]


def called_by(views: Iterable[SourceView]) -> list[FunctionIdentifier]:
    """Return the functions of catalogs that views call, directly or by the bodies of called functions, each once."""
    found: dict[tuple[str, ...], FunctionIdentifier] = {}
    for query in _queries(views):
        for call in _calls(query):
            identifier = call.function.user_code.identifier
            if identifier is not None:
                found.setdefault(fold_path(identifier.parts), identifier)
    return list(found.values())


def _queries(views: Iterable[SourceView]) -> Iterator[QueryOperation]:
    """Yield the queries of views, and those of the table functions that they call."""
    left = [view.operation for view in views if view.operation is not None]
    seen: set[int] = set()
    while left:
        query = left.pop()
        yield query
        for call in _calls(query):
            code = call.function.user_code.implementation
            if isinstance(code, SqlFunction) and code.stored.is_table and id(code) not in seen:
                seen.add(id(code))
                left.append(code.query())


def _calls(query: QueryOperation) -> Iterator[Call]:
    for operation in query.walk_with_subqueries():
        for expression in operation.expressions:
            yield from (part for part in expression.walk() if isinstance(part, Call))


def is_stored_in(identifier: ObjectIdentifier | FunctionIdentifier, catalog: str) -> bool:
    """Whether an object belongs to a catalog."""
    return len(identifier.parts) == 3 and fold(identifier.parts[0]) == fold(catalog)
