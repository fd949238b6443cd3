"""The columns of views that are stored as texts: each text is read, those of the views beneath it first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import attrs

from grammar.reading import Surroundings, query_of
from ir.errors import CatalogException, TableException, ValidationException
from ir.expressions import Expression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import ObjectIdentifier, fold, parse_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.lookup import FunctionName
from ir.resolution.operations import rename_all, source_schema
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView
from tableapi.spark.settings import violations

_Key = tuple[str, ...]
_Find = Callable[[str], QueryOperation]
_Relation = CatalogTable | CatalogView


class _Needed(Exception):
    """Another view has to be read first."""

    def __init__(self, identifier: ObjectIdentifier, stored: StoredView) -> None:
        super().__init__(identifier)
        self.identifier = identifier
        self.stored = stored


@contextmanager
def reading_once() -> Iterator[None]:
    """Within the block, each view is read once: a chain of views costs as much as its length.

    Who looks at views one after another would read those beneath them again each time.
    """
    if _read_once.get() is not None:
        yield
        return
    token = _read_once.set({})
    try:
        yield
    finally:
        _read_once.reset(token)


@attrs.frozen(eq=False)
class _ViewRead:
    """A view that was read, and what it was read with: as long as that is the same, so is the view.

    Attributes:
        stored: the view as its catalog has it, which gives the same object until the file changes.
        time_zone: that of the times in it without one.
        reads: what its text names, with the columns that it has.
        made: the view.
    """

    stored: StoredView
    time_zone: str | None
    reads: tuple[tuple[ObjectIdentifier, ResolvedSchema], ...]
    made: CatalogView


class _Noting:
    """Finds functions and tables, and notes what may change without that its views are told.

    Those are functions that are not built in, and tables that no catalog knows: files by their path, tables as they
    were at a time.
    """

    def __init__(self, surroundings: Surroundings, reads: Mapping[ObjectIdentifier, ResolvedSchema]) -> None:
        self._functions = surroundings.lookup
        self._find_table = surroundings.find_table
        self._reads = reads
        self.others = False

    def find_table(self, path: tuple[str, ...], version: str | None, moment: Expression | None) -> QueryOperation:
        made = self._find_table(path, version, moment)
        known = isinstance(made, Source) and made.identifier in self._reads
        if not known or version is not None or moment is not None:
            self.others = True
        return made

    def find(self, name: FunctionName) -> FunctionDefinition:
        found = self._functions.find(name)
        if found.identifier is not None or found.implementation is not None:
            self.others = True
        return found


class ViewTypes:
    """Reads views, and remembers them until a file or a table that they read has changed.

    Args:
        stored: returns a table or view as its catalog has it.
        surround: returns what the text of a view is read with, given what finds tables by their paths, and the catalog
            and database of the names in it that have none.
    """

    def __init__(
        self,
        stored: Callable[[ObjectIdentifier], _Relation | StoredView],
        surround: Callable[[_Find, StoredView, tuple[str, ...]], Surroundings],
    ) -> None:
        self._stored = stored
        self._surround = surround
        self._remembered: dict[_Key, _ViewRead] = {}

    def relation(self, identifier: ObjectIdentifier) -> _Relation:
        """Return a table or view with its columns, and the tree of a view.

        Views over views are read from the lowest one upwards, with no recursion, and each once.

        Raises:
            TableNotExistException: there is none of this name.
            ValidationException: a text is wrong, or means something else here; or a view reads itself.
            CatalogException: what is stored is broken.
        """
        once = _read_once.get()
        done = {} if once is None else once.setdefault(self, {})
        if _key(identifier) in done:
            return done[_key(identifier)]
        first = self._stored(identifier)
        # Views that wait for the next one, each as its catalog has it.
        waiting: dict[_Key, tuple[ObjectIdentifier, _Relation | StoredView]] = {_key(identifier): (identifier, first)}
        while waiting:
            key = next(reversed(waiting))
            current, found = waiting[key]
            try:
                done[key] = self._read(current, found, done) if isinstance(found, StoredView) else found
                del waiting[key]
            except _Needed as needed:
                if _key(needed.identifier) in waiting:
                    raise _circle([known for known, _ in waiting.values()], needed.identifier) from None
                waiting[_key(needed.identifier)] = needed.identifier, needed.stored
            except TableException as error:
                if len(waiting) > 1:
                    error.args = (f"{error}\nThe view {identifier.as_summary_string()} reads it.", *error.args[1:])
                raise
        return done[_key(identifier)]

    def _read(self, identifier: ObjectIdentifier, view: StoredView, done: dict[_Key, _Relation]) -> CatalogView:
        namespace = str(identifier.catalog), str(identifier.database)
        known = self._remembered.get(_key(identifier))
        if known is not None and known.stored is view and self._is_as_it_was(known, done):
            zone = self._surround(_no_table, view, namespace).time_zone
            if zone == known.time_zone:
                return known.made
        reads: dict[ObjectIdentifier, ResolvedSchema] = {}

        def find(path: str) -> QueryOperation:
            parts = parse_path(path)
            completed = (*namespace[: max(0, 3 - len(parts))], *parts)
            target = ObjectIdentifier(completed[-1], completed[-2], completed[-3])
            found = done.get(_key(target))
            if found is None:
                stored = self._stored(target)
                if isinstance(stored, StoredView):
                    raise _Needed(target, stored)
                found = done[_key(target)] = stored
            reads[target] = found.schema
            return Source(target, source_schema(found.schema))

        shown = f"The view {identifier.as_summary_string()}"
        _refuse_settings(view, shown)
        try:
            surroundings = self._surround(find, view, namespace)
            noting = _Noting(surroundings, reads)
            noted = attrs.evolve(surroundings, lookup=noting, find_table=noting.find_table)
            query = query_of(view.query, view.content, noted)
            made = _with_columns(query, view)
        except TableException as error:
            where = f" in {view.origin}" if view.origin else ""
            error.args = (f"{shown} cannot be read as a query{where}: {error}", *error.args[1:])
            raise
        if noting.others:
            self._remembered.pop(_key(identifier), None)
        else:
            self._remembered[_key(identifier)] = _ViewRead(view, surroundings.time_zone, tuple(reads.items()), made)
        return made

    def _is_as_it_was(self, known: _ViewRead, done: dict[_Key, _Relation]) -> bool:
        """Whether all that a view reads has the columns that it had; views beneath have to be read first."""
        for target, schema in known.reads:
            found = done.get(_key(target))
            if found is None:
                try:
                    stored = self._stored(target)
                except TableException:
                    # Reading the view anew tells of it.
                    return False
                if isinstance(stored, StoredView):
                    raise _Needed(target, stored)
                found = done[_key(target)] = stored
            if found.schema is not schema and found.schema != schema:
                return False
        return True


def _with_columns(query: QueryOperation, view: StoredView) -> CatalogView:
    if view.columns and len(view.columns) != len(query.schema):
        raise ValidationException(
            f"It names {len(view.columns)} columns, and its query gives {len(query.schema)}: "
            f"{', '.join(query.schema.names)}."
        )
    named = rename_all(query, [name for name, _ in view.columns]) if view.columns else query
    columns = named.schema.columns
    if view.columns:
        columns = tuple([c.evolve(comment=comment) for c, (_, comment) in zip(columns, view.columns, strict=True)])
    return CatalogView(
        ResolvedSchema(columns), view.text, view.comment, view.properties, view.settings, operation=named
    )


def _no_table(path: str) -> QueryOperation:
    raise CatalogException(f"No table is read here, but {path!r} was asked for.")


def _refuse_settings(view: StoredView, shown: str) -> None:
    wrong = violations(view.settings)
    if wrong:
        raise ValidationException(
            f"{shown} was stored under settings by which its text means something else than it would here:\n"
            + "\n".join(f"  {line}" for line in wrong)
        )


def _circle(waiting: list[ObjectIdentifier], needed: ObjectIdentifier) -> CatalogException:
    first = [_key(identifier) for identifier in waiting].index(_key(needed))
    chain = " → ".join(identifier.as_summary_string() for identifier in [*waiting[first:], needed])
    return CatalogException(f"The view {needed.as_summary_string()} reads itself: {chain}.")


def _key(identifier: ObjectIdentifier) -> _Key:
    return tuple(map(fold, identifier.parts))


_read_once: ContextVar[dict[ViewTypes, dict[_Key, _Relation]] | None] = ContextVar("_read_once", default=None)
