"""The columns of views that are stored as texts: each text is read, those of the views beneath it first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from grammar.reading import Surroundings, query_of
from ir.errors import CatalogException, TableException, ValidationException
from ir.identifiers import ObjectIdentifier, fold, parse_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.operations import rename_all, source_schema
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView
from tableapi.spark.settings import violations

_Key = tuple[str, ...]
_Find = Callable[[str], QueryOperation]
_Relation = CatalogTable | CatalogView


class _Needed(Exception):
    """Another view has to be read first."""

    def __init__(self, identifier: ObjectIdentifier) -> None:
        super().__init__(identifier)
        self.identifier = identifier


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


class ViewTypes:
    """Reads views.

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
        waiting = [identifier]
        while waiting:
            current = waiting[-1]
            try:
                found = self._stored(current)
                done[_key(current)] = self._read(current, found, done) if isinstance(found, StoredView) else found
                waiting.pop()
            except _Needed as needed:
                waiting.append(needed.identifier)
                _refuse_circle(waiting)
            except TableException as error:
                if len(waiting) > 1:
                    error.args = (f"{error}\nThe view {waiting[0].as_summary_string()} reads it.", *error.args[1:])
                raise
        return done[_key(identifier)]

    def _read(self, identifier: ObjectIdentifier, view: StoredView, done: dict[_Key, _Relation]) -> CatalogView:
        namespace = str(identifier.catalog), str(identifier.database)

        def find(path: str) -> QueryOperation:
            parts = parse_path(path)
            completed = (*namespace[: max(0, 3 - len(parts))], *parts)
            target = ObjectIdentifier(completed[-1], completed[-2], completed[-3])
            found = done.get(_key(target))
            if found is None:
                stored = self._stored(target)
                if isinstance(stored, StoredView):
                    raise _Needed(target)
                found = done[_key(target)] = stored
            return Source(target, source_schema(found.schema))

        shown = f"The view {identifier.as_summary_string()}"
        _refuse_settings(view, shown)
        try:
            query = query_of(view.query, view.content, self._surround(find, view, namespace))
            return _with_columns(query, view)
        except TableException as error:
            where = f" in {view.origin}" if view.origin else ""
            error.args = (f"{shown} cannot be read as a query{where}: {error}", *error.args[1:])
            raise


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


def _refuse_settings(view: StoredView, shown: str) -> None:
    wrong = violations(view.settings)
    if wrong:
        raise ValidationException(
            f"{shown} was stored under settings by which its text means something else than it would here:\n"
            + "\n".join(f"  {line}" for line in wrong)
        )


def _refuse_circle(waiting: list[ObjectIdentifier]) -> None:
    keys = [_key(identifier) for identifier in waiting]
    first = keys.index(keys[-1])
    if first < len(keys) - 1:
        chain = " → ".join(identifier.as_summary_string() for identifier in waiting[first:])
        raise CatalogException(f"The view {waiting[-1].as_summary_string()} reads itself: {chain}.")


def _key(identifier: ObjectIdentifier) -> _Key:
    return tuple(map(fold, identifier.parts))


_read_once: ContextVar[dict[ViewTypes, dict[_Key, _Relation]] | None] = ContextVar("_read_once", default=None)
