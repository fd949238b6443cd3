"""The catalog of a project: the files of a directory catalog, and the views that Python functions declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import attrs

from ir.errors import TableException, ValidationException
from ir.identifiers import ObjectIdentifier, fold, parse_path
from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView, Witness
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.project.declarations import OWNER_OF_TABLE, ViewDeclaration, ViewKind
from tableapi.project.findings import UnreadableView, ViewCycle
from tableapi.table import Table

Key = tuple[str, str]


class ProjectCatalog(DirectoryCatalog):
    """The tables, views and functions of a project, as queries of the project see them.

    A view that a Python function declares is built when it is first read, so that views may read each other in any
    order of their files.

    Args:
        name: the name of the catalog at every target.
        path: the folder with the schemas of tables and with views in SQL.
        default_database: the database of names without one.
        declarations: the views that Python functions declare.
        build: returns the table of the query of a declaration.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        default_database: str,
        declarations: Iterable[ViewDeclaration],
        build: Callable[[ViewDeclaration], Table],
    ) -> None:
        super().__init__(name, path, default_database)
        self._build = build
        self._declared: dict[Key, ViewDeclaration] = {}
        self._built: dict[Key, CatalogView | Exception] = {}
        self._building: list[Key] = []
        for declaration in declarations:
            key = self.key(declaration.path)
            other = self._declared.get(key)
            if other is not None:
                raise ValidationException(
                    f"The view {declaration.path} is declared twice: in {other.file}:{other.line} and in "
                    f"{declaration.file}:{declaration.line}."
                )
            self._declared[key] = declaration
        self._databases_of_declared = {d for one in self._declared.values() for d in parse_path(one.path)[:-1]}

    def key(self, path: str) -> Key:
        """Return the folded database and name of a path."""
        *database, name = parse_path(path)
        return fold(database[-1] if database else self.default_database), fold(name)

    @property
    def declarations(self) -> tuple[ViewDeclaration, ...]:
        """The declarations of the views, in the order in which they were given."""
        return tuple(self._declared.values())

    def declaration(self, database: str, name: str) -> ViewDeclaration | None:
        """Return the declaration of a view in Python, None if there is none."""
        return self._declared.get((fold(database), fold(name)))

    def names_of(self, declaration: ViewDeclaration) -> tuple[str, str]:
        """Return the database and the name of a declared view, as they are written."""
        *database, name = parse_path(declaration.path)
        return self.spell_database(database[-1] if database else self.default_database), name

    def declared_twice(self) -> list[tuple[ViewDeclaration, str]]:
        """Return the declarations whose name a file of the catalog has, too, each with the kind of the object."""
        kinds: dict[Key, str] = {}
        for database in super().list_databases():
            views = {fold(name) for name in super().list_views(database)}
            for name in super().list_tables(database):
                kinds[fold(database), fold(name)] = "view" if fold(name) in views else "table"
        return [(declared, kinds[key]) for key, declared in self._declared.items() if key in kinds]

    # --- the interface of catalogs -----------------------------------------------------------------------------------

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""
        known = {fold(name): name for name in super().list_databases()}
        for database in self._databases_of_declared:
            known.setdefault(fold(database), database)
        return sorted(known.values())

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database."""
        return self._with_declared(database, super().list_tables)

    def list_views(self, database: str) -> list[str]:
        """Return the sorted names of the views of a database."""
        return self._with_declared(database, super().list_views)

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database."""
        return super().list_functions(database) if self._has_folder(database) else []

    def _with_declared(self, database: str, list_files: Callable[[str], list[str]]) -> list[str]:
        found = {fold(name): name for name in list_files(database)} if self._has_folder(database) else {}
        for (of, name), declaration in self._declared.items():
            if of == fold(database):
                found.setdefault(name, parse_path(declaration.path)[-1])
        return sorted(found.values())

    def _has_folder(self, database: str) -> bool:
        return fold(database) in map(fold, super().list_databases())

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return the spelling of a database and of a table or view in it."""
        declaration = self.declaration(database, name)
        if declaration is not None:
            return self.names_of(declaration)
        return super().spell(database, name) if self._has_folder(database) else (self.spell_database(database), name)

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView:  # type: ignore[override]  # a file holds no tree
        """Return a table, a view in SQL as its file stores it, or a declared view with its tree.

        Raises:
            TableNotExistException: the project has no such table or view; the message suggests the nearest name.
            UnreadableView: the function that declares the view fails.
        """
        if self.declaration(database, name) is not None:
            return self._view(database, name)
        if not self._has_folder(database):
            raise self._objects.make_missing_relation_error("table or view", database, name)
        return super().stored_table(database, name)

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a table or view."""
        if self.declaration(database, name) is not None:
            return self._view(database, name)
        return super().get_table(database, name)

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness of a table or view; a declared view never changes while the process runs."""
        if self.declaration(database, name) is not None:
            return Witness(self, database, name, found)
        return super().witness(database, name, found)

    # --- declared views ----------------------------------------------------------------------------------------------

    def built(self, declaration: ViewDeclaration) -> CatalogView:
        """Return a declared view, with its tree.

        Raises:
            Exception: what the function that declares the view raises, or what is wrong with its query.
        """
        key = self.key(declaration.path)
        if key not in self._built:
            self._built[key] = self._try_build(key, declaration)
        found = self._built[key]
        if isinstance(found, Exception):
            raise found
        return found

    def _view(self, database: str, name: str) -> CatalogView:
        key = fold(database), fold(name)
        if key in self._building:
            chain = [*self._building[self._building.index(key) :], key]
            shown = " → ".join(".".join(self.names_of(self._declared[one])) for one in chain)
            raise ViewCycle(f"The view {'.'.join(self.names_of(self._declared[key]))} reads itself: {shown}.")
        declaration = self._declared[key]
        try:
            return self.built(declaration)
        except ViewCycle:
            raise
        except Exception as error:
            raise UnreadableView.of(".".join(self.names_of(declaration)), _reason(error)) from error

    def _try_build(self, key: Key, declaration: ViewDeclaration) -> CatalogView | Exception:
        self._building.append(key)
        try:
            return self._to_view(declaration)
        except Exception as error:
            return error
        finally:
            self._building.pop()

    def _to_view(self, declaration: ViewDeclaration) -> CatalogView:
        made = self._build(declaration)
        if not isinstance(made, Table):
            raise ValidationException(
                f"The function of the view {declaration.path} returns a table, but returned {made!r}. It ends with "
                "`return …`, the query of the view."
            )
        operation = made.query_operation
        operation.schema.require_distinct_names(f"The view {declaration.path}")
        by_name = {fold(name): comment for name, comment in declaration.column_comments.items()}
        for name in declaration.column_comments:
            # Raises an error with the nearest name.
            operation.schema.column(name)
        columns = tuple([c.evolve(comment=by_name.get(fold(c.name), c.comment)) for c in operation.schema.columns])
        properties = dict(declaration.properties)
        if declaration.owner is not None:
            properties.setdefault(OWNER_OF_TABLE if declaration.kind.is_table else "owner", declaration.owner)
        _check_stream(declaration, operation)
        view = CatalogView(ResolvedSchema(columns), "", declaration.comment, properties, operation=operation)
        # Who reads a table reads the rows that it has.
        return attrs.evolve(view, stream=None, is_table=True) if declaration.kind.is_table else view

    def identifier(self, declaration: ViewDeclaration) -> ObjectIdentifier:
        """Return the full name of a declared view."""
        database, name = self.names_of(declaration)
        return ObjectIdentifier(name, database, self.name)


def _check_stream(declaration: ViewDeclaration, operation: QueryOperation) -> None:
    """Check that a streaming table or a sink reads a stream, and that a materialized view does not."""
    path, kind = declaration.path, declaration.kind
    if kind in (ViewKind.STREAMING, ViewKind.SINK) and not operation.is_unbounded:
        otherwise = ", or declare a materialized view" if kind is ViewKind.STREAMING else ""
        raise ValidationException(
            f"The query of the {kind.value} {path} reads no stream, so that each run would append all rows again. "
            f"Read a table as a stream (FROM STREAM …, te.from_path(…, stream=True)){otherwise}."
        )
    if kind is ViewKind.MATERIALIZED and operation.is_unbounded:
        raise ValidationException(
            f"The query of the materialized view {path} reads a stream, whose rows have no end. Declare a "
            "@streaming_table."
        )


def _reason(error: Exception) -> str:
    first = str(error).partition("\n")[0]
    return first if isinstance(error, TableException) else f"{type(error).__name__}: {first}"
