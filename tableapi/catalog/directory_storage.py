"""The files of a directory catalog: found by name, and changed atomically.

A file is written beside the others, flushed to the disk and then renamed, which is one step of the file system. A
writer holds a lock, which the operating system frees when the process ends. The next writer removes files that a
process left when it ended during a write. Readers need no lock.

Other programs may have created the content of the directory. So links that lead out of the directory are neither read
nor changed, and only regular files are opened as files: reading from a pipe could block forever.

    .tableapi/lock             held by the process that writes; this folder has a .gitignore that excludes it from git
    sales/database.sql
    sales/tables/orders.sql
    sales/views/late.sql
    sales/functions/full_name.sql
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import attrs

from ir.errors import CatalogException
from ir.identifiers import fold
from tableapi.catalog.file_lock import try_lock
from tableapi.catalog.file_names import file_name, object_name
from tableapi.catalog.read_cache import find_cached_facts

ENDING: Final = ".sql"
FOLDERS: Final = ("tables", "views", "functions")
DATABASE_FILE: Final = "database" + ENDING
_OWN: Final = ".tableapi"
_LOCK: Final = "lock"
_PATIENCE_SECONDS: Final = 60.0
LARGEST: Final = 64 * 2**20
"""The most bytes in a file; a longer file is no statement for people to read."""
# If the system has these flags, opening a pipe does not block, and links are not followed.
_READING: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NOT_FOLLOWING: Final = getattr(os, "O_NOFOLLOW", 0)
_T = TypeVar("_T")


class Unreadable(Exception):
    """An entry that is not a readable file of the catalog; the message gives the reason."""


@attrs.frozen
class Place:
    """A file or folder and the name of its object; None if only the content tells the name."""

    path: Path
    name: str | None


@attrs.frozen(eq=False)
class Folder:
    """The object files in a folder, as of its last listing.

    Attributes:
        listed: the names of all entries in the folder.
        places: the object files by file name.
        by_object: the object files by folded object name; None as a key if only the content tells the name.
        state: what tells a changed folder from this one, if it had not changed for a while when it was listed; else
            None.
    """

    listed: list[str]
    places: dict[str, Place]
    by_object: dict[str | None, tuple[Place, ...]]
    state: tuple[int, int, int] | None = None

    def files_of(self, folded: str) -> tuple[Place, ...]:
        """Return the files that may hold an object: those of its name, and those that only their content names."""
        return (*self.by_object.get(folded, ()), *self.by_object.get(None, ()))


_EMPTY: Final = Folder([], {}, {})
# Nanoseconds after which another change of a folder gets another time: some file systems count in steps of two seconds.
_SETTLED: Final = 3_000_000_000


class DirectoryStorage:
    """The files in one directory."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._cache: dict[Path, tuple[tuple[int, int, int], object]] = {}
        self._folders: dict[Path, Folder] = {}
        self._root: tuple[list[str], list[Place]] = ([], [])
        self._writing = threading.RLock()
        self._is_locked = False

    # --- looking -----------------------------------------------------------------------------------------------------

    def databases(self) -> list[Place]:
        """Return the folders of databases: those that contain a database file, or a folder of objects."""
        look = find_cached_facts(self)
        if look is None:
            return self._databases()
        if self.root not in look:
            look[self.root] = self._databases()
        return list(look[self.root])

    def _databases(self) -> list[Place]:
        try:
            listed = os.listdir(self.root)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise CatalogException(f"The directory {self.root} cannot be read: {error.strerror}.") from None
        if self._root[0] != listed:
            places = [_place_of(self.root / name, "") for name in sorted(listed)]
            self._root = listed, [place for place in places if place is not None]
        return [place for place in self._root[1] if self._is_database(place.path)]

    def objects(self, database: Path, folder: str) -> list[Place]:
        """Return the files of the objects of one kind in a database, sorted by path."""
        # File names are unique, so the sort never compares places.
        return [place for _, place in sorted(self.folder(database / folder).places.items())]

    def objects_of(self, database: Path, folder: str, name: str) -> tuple[Place, ...]:
        """Return the files that may hold an object: those of its name, and those that only their content names."""
        return self.folder(database / folder).files_of(fold(name))

    def folder(self, path: Path) -> Folder:
        """Return the content of a folder: list it once in each look, and inspect only new entries."""
        look = find_cached_facts(self)
        if look is None:
            return self._folder(path)
        if path not in look:
            look[path] = self._folder(path)
        made: Folder = look[path]
        return made

    def _folder(self, path: Path) -> Folder:
        if self._leads_out(str(path)):
            raise CatalogException(f"The folder {path} is a link to what is not in the directory {self.root}.")
        known = self._folders.get(path, _EMPTY)
        try:
            begun, status = time.time_ns(), os.stat(path)
            # No program can set the time of the last change (ctime), unlike that of the last modification.
            state = status.st_ino, status.st_mtime_ns, status.st_ctime_ns
            if known.state == state:
                return known
            listed = os.listdir(path)
        except (FileNotFoundError, NotADirectoryError):
            self._folders.pop(path, None)
            return _EMPTY
        except OSError as error:
            raise CatalogException(f"The directory {path} cannot be read: {error.strerror}.") from None
        settled = state if begun - status.st_ctime_ns > _SETTLED else None
        if known.listed == listed:
            if settled is not None:
                self._folders[path] = known = attrs.evolve(known, state=settled)
            return known
        places, by_object = dict(known.places), dict(known.by_object)
        now = set(listed)
        for name in places.keys() - now:
            gone = places.pop(name)
            key = None if gone.name is None else fold(gone.name)
            by_object[key] = tuple([place for place in by_object[key] if place is not gone])
        for name in now - places.keys():
            place = _place_of(path / name, ENDING)
            if place is not None:
                places[name] = place
                key = None if place.name is None else fold(place.name)
                by_object[key] = (*by_object.get(key, ()), place)
        # If an entry is not an object, forget the listing, so that the entry is inspected again the next time.
        made = Folder([], places, by_object)
        if len(places) == len(listed):
            made = Folder(listed, places, by_object, settled)
        self._folders[path] = made
        return made

    def unreadable(self) -> dict[Path, str]:
        """Return unreadable folders, and files and folders whose names are not valid object names, with the reasons."""
        found: dict[Path, str] = {}
        self._look_for_unreadable(self.root, "", found)
        for database in self.databases():
            for folder in FOLDERS:
                self._look_for_unreadable(database.path / folder, ENDING, found)
        return found

    def foreign(self, database: Path) -> list[str]:
        """Return the foreign files in the folder of a database."""
        found = []
        for folder, folders, files in os.walk(database):
            here = Path(folder)
            own = here.name in FOLDERS and here.parent == database
            ours = files if own else [DATABASE_FILE] if here == database else []
            known = FOLDERS if here == database else ()
            found += [here / name for name in files if name not in ours or not name.endswith(ENDING)]
            found += [here / name for name in folders if name not in known]
        return sorted(str(path.relative_to(database)) for path in found)

    def read(self, path: Path, make: Callable[[bytes], _T]) -> _T | None:
        """Return what ``make`` computes from the content of a file, cached until the file changes.

        The result is None if the file does not exist. ``make`` must not raise.

        Raises:
            Unreadable: the path is not a regular file, is outside of the directory, is too long, or cannot be read.
        """
        while True:
            if self._leads_out(str(path)):
                raise Unreadable(f"It is a link to what is not in the directory {self.root}.")
            try:
                descriptor = os.open(path, _READING)
            except (FileNotFoundError, NotADirectoryError):
                self._cache.pop(path, None)
                return None
            except OSError as error:
                raise Unreadable(f"It cannot be read: {error.strerror}.") from None
            try:
                status = os.fstat(descriptor)
                if not stat.S_ISREG(status.st_mode):
                    raise Unreadable("It is no file.")
                if status.st_size > LARGEST:
                    raise Unreadable(f"It has {status.st_size:,} bytes; no more than {LARGEST:,} are read.")
                key = _state(status)
                known = self._cache.get(path)
                if known is not None and known[0] == key:
                    return known[1]  # type: ignore[return-value]  # a path is read by one kind of caller
                with open(descriptor, "rb", closefd=False) as file:
                    content = file.read()
                after = _state(os.fstat(descriptor))
            except OSError as error:
                raise Unreadable(f"It cannot be read: {error.strerror}.") from None
            finally:
                os.close(descriptor)
            if after == key:
                made = make(content)
                self._cache[path] = key, made
                return made

    def state_of(self, path: Path, made: object) -> tuple[int, int, int] | None:
        """Return the state of a file when ``made`` was computed from it; None if the cache has another result."""
        known = self._cache.get(path)
        return known[0] if known is not None and known[1] is made else None

    def _look_for_unreadable(self, folder: Path, ending: str, found: dict[Path, str]) -> None:
        try:
            if ending:
                self.folder(folder)
            listed = sorted(os.listdir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return
        except (CatalogException, OSError) as error:
            found[folder] = str(error)
            return
        for name in listed:
            path = folder / name
            if not name.endswith(ending) or name.startswith(".") or not (ending or _holds_objects(str(path))):
                continue
            if _place_of(path, ending) is None:
                found[path] = "Its name is not how a name is written."
            elif not ending and self._leads_out(str(path)):
                found[path] = f"It is a link to what is not in the directory {self.root}."

    def _leads_out(self, path: str) -> bool:
        """Whether a path is a link that leads out of the directory, or a broken link."""
        # This is called often, and the answer is almost always no.
        if not os.path.islink(path):
            return False
        return not os.path.exists(path) or not self._is_inside(path)

    def _is_inside(self, path: str | Path) -> bool:
        """Whether a path is in the directory after its links are resolved."""
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.root))

    def _is_database(self, folder: Path) -> bool:
        # This is called often, and paths as strings are several times faster.
        path = str(folder)
        return _holds_objects(path) and not self._leads_out(path)

    # --- changing ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Exclude all other writers: threads of this process and other processes.

        Raises:
            CatalogException: another process holds the lock for a minute, or the directory is not writable.
        """
        with self._writing:
            if self._is_locked:
                yield
                return
            descriptor = self._lock()
            try:
                self._is_locked = True
                self._clean()
                yield
            except OSError as error:
                file = error.filename2 or error.filename or self.root
                raise CatalogException(f"{file} cannot be written: {error.strerror or error}.") from error
            finally:
                self._is_locked = False
                os.close(descriptor)

    def write(self, path: Path, content: bytes) -> None:
        """Write a file atomically: at any time, even after a crash, readers see the old or the new content.

        A file that already has this content is left alone. The caller holds the lock.

        Raises:
            CatalogException: the content is too long, or the file is outside of the directory.
        """
        if len(content) > LARGEST:
            raise CatalogException(f"{path} would have {len(content):,} bytes; no more than {LARGEST:,} are read.")
        self._require_inside(path.parent)
        with contextlib.suppress(OSError):
            # A link is replaced, wherever it leads. Only a regular file is opened.
            if stat.S_ISREG(path.lstat().st_mode) and path.read_bytes() == content:
                return
        self._make_folder(path.parent)
        self._look_again()
        temporary = self._own(f"{secrets.token_hex(8)}.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _force(path.parent)

    def remove(self, path: Path) -> None:
        """Remove a file. The caller holds the lock.

        Raises:
            CatalogException: the file is outside of the directory.
        """
        self._require_inside(path.parent)
        self._look_again()
        path.unlink(missing_ok=True)
        _force(path.parent)

    def remove_folder(self, path: Path) -> None:
        """Remove a folder with its content in one step. The caller holds the lock."""
        self._look_again()
        away = self._own(f"{secrets.token_hex(8)}.dropped")
        os.rename(path, away)
        _force(path.parent)
        _remove_left(away)

    def require_writable(self, folders: Iterable[Path]) -> None:
        """Check that files can be written into folders; change nothing. A folder may be missing.

        Raises:
            CatalogException: a folder is not writable, or its nearest existing parent if it is missing.
        """
        for folder in (self.root / _OWN, *folders):
            there = next(path for path in (folder, *folder.parents) if path.exists())
            if not os.access(there, os.W_OK | os.X_OK):
                raise CatalogException(f"The folder {there} cannot be written: Permission denied.")

    def _look_again(self) -> None:
        """Clear the facts of the current look, because a change invalidates them."""
        look = find_cached_facts(self)
        if look is not None:
            look.clear()

    def _require_inside(self, folder: Path) -> None:
        """Check that a folder is inside of the directory: a link may lead out of it."""
        if not self._is_inside(folder):
            raise CatalogException(
                f"The folder {folder} is a link to what is not in the directory {self.root}; nothing was changed."
            )

    def path_of(self, database: Path, folder: str, name: str) -> Path:
        """Return the file for a new object."""
        return database / folder / (file_name(name) + ENDING)

    def _make_folder(self, folder: Path) -> None:
        missing = []
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
            _force(path.parent)

    def _own(self, name: str) -> Path:
        return self.root / _OWN / name

    def _lock(self) -> int:
        """Acquire the lock, and return the open lock file."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                self._prepare()
                descriptor = os.open(self._own(_LOCK), os.O_RDWR | os.O_CREAT | _NOT_FOLLOWING, 0o666)
            except OSError as error:
                raise CatalogException(f"The directory {self.root} cannot be written: {error.strerror}.") from None
            is_ours = False
            try:
                is_ours = self._is_ours(descriptor)
            finally:
                if not is_ours:
                    os.close(descriptor)
            if is_ours:
                return descriptor
            if time.monotonic() > deadline:
                raise CatalogException(
                    f"The directory {self.root} has been written by {self._holder()} for {_PATIENCE_SECONDS:.0f} "
                    "seconds; nothing was changed. Try again when that is done."
                )
            time.sleep(0.002)

    def _is_ours(self, descriptor: int) -> bool:
        """Try to take the lock; if that succeeds, write the holder into the file."""
        try:
            try_lock(descriptor)
            # Another process may have removed the file since it was opened.
            if not os.path.samestat(os.fstat(descriptor), os.stat(self._own(_LOCK))):
                return False
        except OSError:
            return False
        # The holder's name only helps waiting processes; the lock does not depend on it.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
        return True

    def _holder(self) -> str:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return self._own(_LOCK).read_text().strip() or "another process"
        return "another process"

    def _prepare(self) -> None:
        folder, lock, ignore = self.root / _OWN, self._own(_LOCK), self._own(".gitignore")
        # Files that are written or removed here must belong to the catalog.
        for path, of_its_kind in ((folder, os.path.isdir), (lock, os.path.isfile), (ignore, os.path.isfile)):
            if os.path.islink(path) or (os.path.exists(path) and not of_its_kind(path)):
                raise CatalogException(
                    f"The directory {self.root} cannot be written: {path} is a link, or of another kind than what the "
                    "catalog has there. Remove it."
                )
        folder.mkdir(parents=True, exist_ok=True)
        if not ignore.exists():
            ignore.write_text("*\n")

    def _clean(self) -> None:
        """Remove files that crashed writers have left; the lock excludes other writers."""
        with os.scandir(self.root / _OWN) as entries:
            left = [Path(entry.path) for entry in entries if entry.name.endswith((".tmp", ".dropped"))]
        for path in left:
            _remove_left(path)


def _place_of(path: Path, ending: str) -> Place | None:
    """Return the place of a file or folder; None if its name is not a valid object name, see ``unreadable``."""
    if not path.name.endswith(ending) or path.name.startswith("."):
        return None
    try:
        return Place(path, object_name(path.name.removesuffix(ending)))
    except ValueError:
        return None


def _state(status: os.stat_result) -> tuple[int, int, int]:
    """Return the properties by which a change of a file is detected."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def _holds_objects(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, DATABASE_FILE)) or any(
        os.path.isdir(os.path.join(folder, kind)) for kind in FOLDERS
    )


def _remove_left(path: Path) -> None:
    """Remove a file, a link or a folder, but not the target of a link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def belongs_to_name(place: Place, name: str) -> bool:
    """Whether a file or folder belongs to a name, ignoring case."""
    return place.name is not None and fold(place.name) == fold(name)


def _force(folder: Path) -> None:
    """Flush the names in a folder to the disk; Windows does that itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
