"""The current catalog and database, which complete unqualified names."""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import ValidationException
from ir.identifiers import path_text
from ir.light_typing import TYPE_CHECKING
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.catalog import read_cache
else:
    read_cache = lazy(__name__, "tableapi.catalog.read_cache")

ReadNamespace = Callable[[], tuple[str, ...] | None]
"""Returns the current catalog and namespace parts of the Spark session, or None while no session runs."""


class CurrentNamespace:
    """The current catalog and database: those of the Spark session, until the program chooses others.

    Other code may change the session at any time, so the session is asked for every name. While a query is parsed, it
    is asked only once.
    """

    def __init__(self) -> None:
        self._catalog = ""
        # None stands for the default database of the catalog.
        self._parts: tuple[str, ...] | None = None
        self._read: ReadNamespace | None = None

    def follow(self, read: ReadNamespace) -> None:
        """Follow a Spark session until the program chooses a namespace."""
        self._read = read

    def choose(self, catalog: str, *parts: str) -> None:
        """Choose a catalog and a database, by default its default database, and stop following the session."""
        self._catalog, self._parts, self._read = catalog, parts or None, None

    def choose_as_read(self, catalog: str, parts: tuple[str, ...]) -> None:
        """Choose a catalog and a namespace of any number of parts, and stop following the session."""
        self._catalog, self._parts, self._read = catalog, parts, None

    @property
    def is_chosen(self) -> bool:
        """Whether the program has chosen the namespace, so that the session does not matter."""
        return self._read is None

    @property
    def catalog(self) -> str:
        """The name of the current catalog."""
        return self._current()[0]

    @property
    def parts(self) -> tuple[str, ...] | None:
        """The parts of the current namespace within the catalog; None for the default database of the catalog."""
        return self._current()[1]

    @property
    def database(self) -> str | None:
        """The name of the current database; None for the default database of the catalog.

        Raises:
            ValidationException: the current namespace is not a database, because it has no part or several.
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
        """Record the default database of the chosen catalog."""
        self._parts = (name,)

    def _current(self) -> tuple[str, tuple[str, ...] | None]:
        followed = self._followed()
        return (self._catalog, self._parts) if followed is None else (followed[0], followed[1:])

    def _followed(self) -> tuple[str, ...] | None:
        if self._read is None:
            return None
        known = read_cache.find_cached_facts(self)
        if known is None:
            return self._read()
        if "" not in known:
            known[""] = self._read()
        found: tuple[str, ...] | None = known[""]
        return found
