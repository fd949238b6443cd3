"""Infer the columns of views that are stored as text: parse each text, after the texts of the views that it reads."""

from __future__ import annotations

from collections.abc import Callable

from grammar.builder.context import ReadVersion
from grammar.reading import Surroundings, query_of
from ir import light_attrs as attrs
from ir.errors import CatalogException, TableException, ValidationException
from ir.expressions import Expression
from ir.identifiers import ObjectIdentifier, fold_path, parse_long_path
from ir.implicit_notices import suppress_notices
from ir.light_typing import TYPE_CHECKING, Any
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source
from ir.resolution.operations import rename_all, source_schema
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView, Witness, find_versions
from tableapi.catalog.dependency_record import DependencyRecord, NotedFunction
from tableapi.catalog.read_cache import cache_reads, find_cached_facts
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.spark import settings as spark_settings
else:
    spark_settings = lazy(__name__, "tableapi.spark.settings")

_Key = tuple[str, ...]
_Find = Callable[[str], QueryOperation]
_Relation = CatalogTable | CatalogView


class _Needed(Exception):
    """Another view has to be read first."""

    def __init__(self, identifier: ObjectIdentifier, stored: StoredView) -> None:
        super().__init__(identifier)
        self.identifier = identifier
        self.stored = stored


@attrs.frozen(eq=False)
class _ViewRead:
    """A parsed view and its dependencies; the view is unchanged as long as these are.

    Attributes:
        stored: the view as its catalog stores it, the same object until the file changes.
        time_zone: the time zone of times without one.
        reads: the relations that its text names, with their columns.
        made: the view.
        witnesses: they tell whether the view itself and the tables that it reads are unchanged.
        beneath: the views that it reads; None if one of them is not remembered.
        functions: the functions that its text and the bodies of called SQL functions name.
    """

    stored: StoredView
    time_zone: str | None
    reads: tuple[tuple[ObjectIdentifier, ResolvedSchema], ...]
    made: CatalogView
    witnesses: tuple[Witness, ...]
    beneath: tuple[_ViewRead, ...] | None
    functions: tuple[NotedFunction, ...]


class _Look:
    """The facts found in one look at the catalogs.

    Attributes:
        done: current tables and views.
        standing: whether remembered views are unchanged.
        seen: facts that witnesses found.
    """

    def __init__(self) -> None:
        self.done: dict[_Key, _Relation] = {}
        self.standing: dict[_ViewRead, bool] = {}
        self.seen: dict[object, Any] = {}


class ViewTypes:
    """Parses views, and remembers them until a dependency changes.

    Args:
        stored: returns a table or view as its catalog stores it.
        surround: returns the surroundings for parsing the text of a view, given a function that finds tables by path,
            and the catalog and database of unqualified names.
        spell: returns the name of a table or view as it is stored.
        witness: returns a witness that tells later whether a table or view is unchanged; without it, nothing is
            remembered.
        circumstances: returns a value on which all views depend; if it changes, all views are parsed again.
    """

    def __init__(
        self,
        stored: Callable[[ObjectIdentifier], _Relation | StoredView],
        surround: Callable[[_Find, StoredView, tuple[str, ...]], Surroundings],
        spell: Callable[[ObjectIdentifier], ObjectIdentifier],
        witness: Callable[[ObjectIdentifier, _Relation | StoredView], Witness] | None = None,
        circumstances: Callable[[], object] = lambda: None,
    ) -> None:
        self._stored = stored
        self._surround = surround
        self._spell = spell
        self._witness = witness
        self._circumstances = circumstances
        self._read_in: object = None
        self._remembered: dict[_Key, _ViewRead] = {}

    def relation(self, identifier: ObjectIdentifier) -> _Relation:
        """Return a table or view with its columns; a view also with its tree.

        A stack of views is read from the bottom up without recursion, each view once.

        Raises:
            TableNotExistException: the relation does not exist.
            ValidationException: a text is invalid, or its settings would change its meaning here.
            CatalogException: the stored object is corrupt, or a view reads itself.
        """
        with cache_reads():
            return self._relation(identifier)

    def _relation(self, identifier: ObjectIdentifier) -> _Relation:
        found_out = find_cached_facts(self)
        assert found_out is not None
        look: _Look = found_out.setdefault("look", _Look())
        own, done = _key(identifier), look.done
        if own in done:
            return done[own]
        circumstances = self._circumstances()
        if circumstances != self._read_in:
            self._remembered, self._read_in = {}, circumstances
        known = self._remembered.get(own)
        if known is not None and _stands(known, look):
            done[own] = known.made
            return known.made
        first = self._stored(identifier)
        # Views that wait for the next one, each as its catalog stores it.
        waiting: dict[_Key, tuple[ObjectIdentifier, _Relation | StoredView]] = {own: (identifier, first)}
        while waiting:
            key = next(reversed(waiting))
            current, found = waiting[key]
            try:
                done[key] = self._read(current, found, look) if isinstance(found, StoredView) else found
                del waiting[key]
            except _Needed as needed:
                if _key(needed.identifier) in waiting:
                    raise _circle([known for known, _ in waiting.values()], needed.identifier) from None
                waiting[_key(needed.identifier)] = needed.identifier, needed.stored
            except TableException as error:
                if len(waiting) > 1:
                    error.args = (f"{error}\nThe view {identifier.as_summary_string()} reads it.", *error.args[1:])
                raise
        return done[own]

    def _read(self, identifier: ObjectIdentifier, view: StoredView, look: _Look) -> CatalogView:
        namespace = str(identifier.catalog), str(identifier.database)
        known = self._remembered.get(_key(identifier))
        if known is not None and _stands(known, look):
            return known.made
        if known is not None and known.stored is view and self._is_as_it_was(known, look):
            zone = self._surround(_raise_without_tables, view, namespace).time_zone
            if zone == known.time_zone:
                # Its dependencies were read again, and have the same columns as before.
                read = attrs.evolve(known, **self._depends(identifier, view, known.reads, look))
                self._remember(identifier, read, look)
                return known.made
        reads: dict[ObjectIdentifier, ResolvedSchema] = {}

        def find(path: str) -> QueryOperation:
            parts = parse_long_path(path)
            completed = (*namespace[: max(0, 3 - len(parts))], *parts)
            written = ObjectIdentifier(completed[-1], completed[1], completed[0], completed[2:-1])
            target = self._spell(written)
            found = self._relation_beneath(target, look)
            reads[target] = found.schema
            versions = find_versions(found)
            return Source(target, source_schema(found.schema), stream=found.stream, versions=versions)

        shown = f"The view {identifier.as_summary_string()}"
        _refuse_settings(view, shown)
        try:
            surroundings = self._surround(find, view, namespace)
            noting = DependencyRecord()

            def find_table(
                path: tuple[str, ...], version: ReadVersion, moment: Expression | None, options: ReadOptions
            ) -> QueryOperation:
                made = surroundings.find_table(path, version, moment, options)
                known = isinstance(made, Source) and made.identifier in reads
                # Not detectable: files by path, tables at a version, and options that reveal the kind of a relation.
                if not known or version is not None or moment is not None or options:
                    noting.others = True
                return made

            lookup = noting.finding(surroundings.lookup)
            with noting.around(), suppress_notices():
                query = query_of(
                    view.query, view.content, attrs.evolve(surroundings, lookup=lookup, find_table=find_table)
                )
            made = _apply_columns(query, view)
        except TableException as error:
            where = f" in {view.origin}" if view.origin else ""
            error.args = (f"{shown} cannot be read as a query{where}: {error}", *error.args[1:])
            raise
        if noting.others or self._witness is None:
            self._remembered.pop(_key(identifier), None)
            return made
        depends = self._depends(identifier, view, tuple(reads.items()), look)
        read = _ViewRead(
            view, surroundings.time_zone, tuple(reads.items()), made, functions=noting.functions, **depends
        )
        self._remember(identifier, read, look)
        return made

    def _remember(self, identifier: ObjectIdentifier, read: _ViewRead, look: _Look) -> None:
        self._remembered[_key(identifier)] = read
        # The view has just been checked.
        look.standing[read] = read.beneath is not None

    def _depends(
        self,
        identifier: ObjectIdentifier,
        view: StoredView,
        reads: tuple[tuple[ObjectIdentifier, ResolvedSchema], ...],
        look: _Look,
    ) -> dict[str, Any]:
        """Return the current dependencies of a view: its witnesses, and the views that it reads."""
        assert self._witness is not None
        witnesses = [self._witness(identifier, view)]
        beneath: list[_ViewRead] | None = []
        for target, _ in reads:
            read = self._remembered.get(_key(target))
            found = look.done[_key(target)]
            if read is not None and read.made is found:
                beneath = None if beneath is None or read.beneath is None else [*beneath, read]
            elif isinstance(found, CatalogTable) or found.operation is None or self._is_kept_whole(target, found):
                witnesses.append(self._witness(target, found))
            else:
                beneath = None
        return {"witnesses": tuple(witnesses), "beneath": None if beneath is None else tuple(beneath)}

    def _is_kept_whole(self, target: ObjectIdentifier, found: CatalogView) -> bool:
        """Whether a catalog stores a view with its tree, and not as a text that is parsed here."""
        return self._stored(target) is found

    def _relation_beneath(self, target: ObjectIdentifier, look: _Look) -> _Relation:
        """Return a relation that a view reads.

        Raises:
            _Needed: the relation is a view that has to be read first.
        """
        found = look.done.get(_key(target))
        if found is not None:
            return found
        known = self._remembered.get(_key(target))
        if known is not None and _stands(known, look):
            relation: _Relation = known.made
        else:
            stored = self._stored(target)
            if isinstance(stored, StoredView):
                raise _Needed(target, stored)
            relation = stored
        look.done[_key(target)] = relation
        return relation

    def _is_as_it_was(self, known: _ViewRead, look: _Look) -> bool:
        """Whether all relations that a view reads have the same columns as before, and its functions are the same.

        Raises:
            _Needed: a view that it reads has to be read first.
        """
        for target, schema in known.reads:
            try:
                found = self._relation_beneath(target, look)
            except TableException:
                # Reading the view again reports the error.
                return False
            if found.schema is not schema and found.schema != schema:
                return False
        return _has_functions(known, look)


def _stands(first: _ViewRead, look: _Look) -> bool:
    """Whether a view and all its direct and indirect dependencies are unchanged; each is checked once."""
    standing, seen = look.standing, look.seen
    waiting = [] if first in standing else [first]
    # Use operators and one call per witness, because this runs for every view beneath a view.
    while waiting:
        read, is_ready = waiting[-1], True
        for below in read.beneath or ():
            if below not in standing:
                waiting += (below,)
                is_ready = False
        if not is_ready:
            continue
        del waiting[-1]
        if read in standing:
            continue
        stands = read.beneath is not None
        for below in read.beneath or ():
            stands = stands and standing[below]
        for witness in read.witnesses:
            stands = stands and witness.stands(seen)
        standing[read] = stands and (not read.functions or _has_functions(read, look))
    return standing[first]


def _has_functions(read: _ViewRead, look: _Look) -> bool:
    """Whether the function names of a view still resolve to the same functions."""
    for lookup, name, meant in read.functions:
        key = meant.user_code.identifier, name
        if key not in look.seen:
            try:
                look.seen[key] = lookup.find(name)
            except TableException:
                look.seen[key] = None
        if look.seen[key] is not meant:
            return False
    return True


def _apply_columns(query: QueryOperation, view: StoredView) -> CatalogView:
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
        ResolvedSchema(columns),
        view.text,
        view.comment,
        view.properties,
        view.settings,
        operation=named,
        schema_mode=view.schema_mode,
    )


def _raise_without_tables(path: str) -> QueryOperation:
    raise CatalogException(f"No table is read here, but {path!r} was asked for.")


def _refuse_settings(view: StoredView, shown: str) -> None:
    wrong = spark_settings.violations(view.settings)
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
    return fold_path(identifier.parts)
