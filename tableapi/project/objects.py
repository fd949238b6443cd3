"""Names of views and functions, and texts of functions, for projects and targets alike."""

from __future__ import annotations

import attrs

from ir.identifiers import ObjectIdentifier, fold, quote
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.statements import create_function

Key = tuple[str, str]
"""The folded database and name of a view or function."""


def key_of(identifier: ObjectIdentifier) -> Key:
    """Return the folded database and name of a view or function."""
    return fold(str(identifier.database)), fold(identifier.name)


@attrs.frozen(eq=False)
class Named:
    """An object of a catalog.

    Attributes:
        identifier: its full name.
    """

    identifier: ObjectIdentifier

    @property
    def name(self) -> str:
        """The name with the database: ``sales.daily``."""
        return f"{self.identifier.database}.{self.identifier.name}"


@attrs.frozen(eq=False)
class StoredFunction(Named):
    """A function of a catalog.

    Attributes:
        identifier: its full name.
        function: the function.
    """

    function: CatalogFunction

    @property
    def text(self) -> str:
        """The statement that creates it."""
        return create_function(quote(self.identifier.name), self.function)
