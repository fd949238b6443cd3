"""Find the objects of a directory catalog by name, and read them from their files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import attrs

from ir.errors import CatalogException, DatabaseNotExistException, TableNotExistException, did_you_mean
from ir.identifiers import fold
from tableapi.catalog import object_files, relation_errors
from tableapi.catalog.catalog import StoredView
from tableapi.catalog.directory_storage import (
    DATABASE_FILE,
    FOLDERS,
    DirectoryStorage,
    Place,
    Unreadable,
    belongs_to_name,
)
from tableapi.catalog.object_files import Broken, Stored

RELATIONS: Final = ("tables", "views")
Files = Mapping[str | None, tuple[Place, ...]]
CALLED: Final = {"tables": "table", "views": "view", "functions": "function"}


@attrs.frozen
class Entry:
    """The file of an object, and the name of the object."""

    folder: str
    path: Path
    name: str


class DirectoryObjects:
    """The databases and objects in the files of one directory."""

    def __init__(self, catalog: str, default_database: str, storage: DirectoryStorage) -> None:
        self._catalog = catalog
        self._default_database = default_database
        self._storage = storage

    # --- databases ---------------------------------------------------------------------------------------------------

    def database_names(self) -> list[str]:
        """Return the sorted names of the databases."""
        names = {fold(str(place.name)): str(place.name) for place in self.databases()}
        return sorted({fold(self._default_database): self._default_database, **names}.values())

    def databases(self) -> list[Place]:
        """Return the databases that have a folder, each with its name."""
        found = []
        for place in self._storage.databases():
            name = place.name or self._read_object_name("database", "", place.path / DATABASE_FILE)
            if name is not None:
                found.append(Place(place.path, name))
        return found

    def folder(self, database: str) -> Path:
        """Return the folder of a database; the folder of the default database need not exist."""
        found = [place.path for place in self.databases() if belongs_to_name(place, database)]
        if len(found) > 1:
            raise CatalogException(
                f"The database {database} of the catalog {self._catalog} has several folders: "
                f"{', '.join(map(str, found))}. Make one of them."
            )
        if found:
            return found[0]
        if fold(database) != fold(self._default_database):
            raise DatabaseNotExistException(
                f"No database {database} in the catalog {self._catalog}."
                + did_you_mean(database, self.database_names())
            )
        return self.new_folder(self._default_database)

    def new_folder(self, database: str) -> Path:
        """Return the folder for a new database."""
        return self._storage.path_of(self._storage.root, "", database).with_suffix("")

    # --- finding -----------------------------------------------------------------------------------------------------

    def entries(self, folder: Path, kinds: Iterable[str]) -> Iterator[Entry]:
        """Yield the files of objects whose names are known."""
        for kind in kinds:
            for place in self._storage.objects(folder, kind):
                name = place.name or self._read_object_name(kind, "", place.path)
                if name is not None:
                    yield Entry(kind, place.path, name)

    def broken(self, skipped: Collection[Path], intact: Collection[Path]) -> Iterator[tuple[Path, Broken]]:
        """Yield the corrupt files, except those in folders of ``skipped`` and those known to be ``intact``."""
        for database in self._storage.databases():
            file = database.path / DATABASE_FILE
            name = database.name or self._read_object_name("database", "", file)
            found = [(file, self.content("database", "", file, database.name))]
            for kind in FOLDERS:
                # The objects need the name of their database, which may be unknown if its file is corrupt.
                if name is not None and database.path / kind not in skipped:
                    places = [place for place in self._storage.objects(database.path, kind) if place.path not in intact]
                    found += [(place.path, self.content(kind, name, place.path, place.name)) for place in places]
            for path, content in found:
                if isinstance(content, Broken):
                    yield path, content

    def names(self, database: str, kinds: Iterable[str]) -> list[str]:
        """Return the sorted names of the objects of some kinds, including corrupt ones."""
        names: dict[str, str] = {}
        for entry in self.entries(self.folder(database), kinds):
            names.setdefault(fold(entry.name), entry.name)
        return sorted(names.values())

    def find(self, folder: Path, kinds: Iterable[str], database: str, name: str) -> Entry | None:
        """Return the file of an object, or None if there is none; raise if there are several files."""
        found = []
        for kind in kinds:
            for place in self._storage.objects_of(folder, kind, name):
                said = place.name or self._read_object_name(kind, "", place.path)
                if said is not None and fold(said) == fold(name):
                    found.append(Entry(kind, place.path, said))
        if len(found) > 1:
            raise CatalogException(
                f"{self.shown(database, name)} is in several files: "
                f"{', '.join(str(entry.path) for entry in found)}. Remove all but one."
            )
        return found[0] if found else None

    def require(self, folder: Path, kind: str, database: str, name: str) -> Entry:
        """Return the file of a table or view; raise if there is none of this kind."""
        found = self.find(folder, RELATIONS, database, name)
        called = CALLED[kind]
        if found is None:
            raise self.make_missing_relation_error(called, database, name)
        if found.folder != kind:
            other = CALLED[found.folder]
            raise relation_errors.make_kind_error(self.shown(database, name), other)
        return found

    def make_missing_relation_error(self, called: str, database: str, name: str) -> TableNotExistException:
        """Return the error for a table or view that does not exist, with a suggestion of the nearest name."""
        near = self.names(database, RELATIONS if called == "table or view" else (f"{called}s",))
        return TableNotExistException(f"No {called} {self.shown(database, name)}.{did_you_mean(name, near)}")

    def shown(self, database: str, name: str) -> str:
        """Return the name of an object for messages."""
        return f"{self._catalog}.{database}.{name}"

    # --- reading -----------------------------------------------------------------------------------------------------

    def stored(self, entry: Entry, database: str) -> Stored:
        """Return the object in a file; raise if the file is corrupt or has been removed."""
        found = self.content(entry.folder, database, entry.path, entry.name)
        if found is None:
            raise TableNotExistException(f"No {CALLED[entry.folder]} {self.shown(database, entry.name)}.")
        if isinstance(found, Broken):
            raise CatalogException(
                f"The {CALLED[entry.folder]} {self.shown(database, entry.name)} is broken in {entry.path}: {found}"
            )
        return found

    def content(self, kind: str, database: str, path: Path, name: str | None) -> Stored | Broken | None:
        """Return the content of a file, or its error; None if the file has been removed."""
        made = self.read_file(kind, database, path, name)
        return None if made is None else made[1]

    def read_file(
        self, kind: str, database: str, path: Path, name: str | None
    ) -> tuple[str | None, Stored | Broken] | None:
        """Return the name in a file, and its content; None if the file has been removed."""
        try:
            return self._storage.read(path, partial(read_object, kind, database, name, origin=str(path)))
        except Unreadable as problem:
            return None, Broken(str(problem))

    def _read_object_name(self, kind: str, database: str, path: Path) -> str | None:
        """Return the object name in the content of a file, whose own name is truncated."""
        made = self.read_file(kind, database, path, None)
        return None if made is None else made[0]


def read_object(
    kind: str, database: str, name: str | None, content: bytes, *, origin: str = ""
) -> tuple[str | None, Stored | Broken]:
    """Return the object name in the content of a file, and the object or the error."""
    try:
        said, found = object_files.read_object(content, kind, database, name)
    except Broken as problem:
        return None, problem
    return said, attrs.evolve(found, origin=origin) if isinstance(found, StoredView) else found
