"""The catalog and the database in which names without them are found."""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import ValidationException
from ir.identifiers import path_text
from tableapi.catalog.looks import found_in_look

ReadNamespace = Callable[[], tuple[str, ...] | None]
"""Returns the current catalog of a Spark session and the parts of its current namespace; None where none runs yet."""


class CurrentNamespace:
    """The current catalog and database: what the program chose here, and until it did, what the Spark session has.

    The session is asked each time that a name needs it, because other code may change it at any time; while a query is
    read, it is asked once.
    """

    def __init__(self) -> None:
        self._catalog = ""
        # None stands for the default database of the catalog.
        self._parts: tuple[str, ...] | None = None
        self._read: ReadNamespace | None = None

    def follow(self, read: ReadNamespace) -> None:
        """Follow a Spark session until something is chosen."""
        self._read = read

    def choose(self, catalog: str, *parts: str) -> None:
        """Take a catalog and a database, and follow the session no more; without one, the catalog's own default."""
        self._catalog, self._parts, self._read = catalog, parts or None, None

    def choose_as_read(self, catalog: str, parts: tuple[str, ...]) -> None:
        """Take a catalog and a namespace of a session, which may have no part or several, and follow it no more."""
        self._catalog, self._parts, self._read = catalog, parts, None

    @property
    def is_chosen(self) -> bool:
        """Whether the namespace is the program's choice, whatever the session has."""
        return self._read is None

    @property
    def catalog(self) -> str:
        """The name of the current catalog."""
        return self._current()[0]

    @property
    def parts(self) -> tuple[str, ...] | None:
        """The parts of the current namespace within the catalog, None for the default database of the catalog."""
        return self._current()[1]

    @property
    def database(self) -> str | None:
        """The name of the current database, None for the default one of the catalog.

        Raises:
            ValidationException: the current namespace, which is the session's or was chosen there, is no database.
        """
        catalog, parts = self._current()
        if parts is None or len(parts) == 1:
            return None if parts is None else parts[0]
        here = f"The current namespace is {path_text((catalog, *parts))}, which has {len(parts)} parts"
        if not parts:
            here = f"The current catalog is {catalog}, and no database of it is the current one"
        raise ValidationException(
            f"{here}. The path of a table has three parts, catalog.database.name: write all of them, or choose a "
            "database with te.use_database(…)."
        )

    def set_default_database(self, name: str) -> None:
        """Remember the default database of the chosen catalog."""
        self._parts = (name,)

    def _current(self) -> tuple[str, tuple[str, ...] | None]:
        followed = self._followed()
        return (self._catalog, self._parts) if followed is None else (followed[0], followed[1:])

    def _followed(self) -> tuple[str, ...] | None:
        if self._read is None:
            return None
        known = found_in_look(self)
        if known is None:
            return self._read()
        if "" not in known:
            known[""] = self._read()
        found: tuple[str, ...] | None = known[""]
        return found
