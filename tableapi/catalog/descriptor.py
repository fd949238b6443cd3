"""Descriptors of catalogs: the type and the options for CREATE CATALOG and ``create_catalog``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.migration_page import Section, see
from tableapi.catalog.catalog import Catalog
from tableapi.catalog.in_memory import InMemoryCatalog
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.catalog import directory
else:
    directory = lazy(__name__, "tableapi.catalog.directory")

__all__ = ["CatalogDescriptor"]

_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "generic_in_memory": ("default-database",),
    "directory": ("path", "default-database"),
}


@boundaries
@attrs.frozen
class CatalogDescriptor:
    """A catalog descriptor, such as ``CatalogDescriptor.of("team", {"type": "directory", "path": "catalogs/team"})``.

    >>> CatalogDescriptor.of("team", {"type": "directory", "path": "catalogs/team"}, "views of the team").get_comment()
    'views of the team'
    """

    catalog_name: str
    configuration: Mapping[str, str] = attrs.field(hash=False)
    comment: str | None = None

    @staticmethod
    def of(catalog_name: str, configuration: Mapping[str, str], comment: str | None = None) -> CatalogDescriptor:
        """Return the descriptor of a catalog.

        Args:
            catalog_name: the name of the catalog.
            configuration: the options: ``type``, which is ``generic_in_memory`` or ``directory``, and the options of
                that type: ``default-database`` and, for a directory, ``path``.
            comment: a comment.

        Raises:
            TableException: the type of catalog is unknown.
            ValidationException: the options are not a mapping of strings to strings; an option is missing or unknown.
        """
        if not isinstance(configuration, Mapping) or not all(
            isinstance(part, str) for pair in configuration.items() for part in pair
        ):
            raise ValidationException(
                f"The configuration of a catalog is a mapping of text to text, but was given {configuration!r}."
            )
        check_options(catalog_name, configuration)
        return CatalogDescriptor(catalog_name, dict(configuration), comment)

    def get_catalog_name(self) -> str:
        """Return the name of the catalog."""
        return self.catalog_name

    def get_configuration(self) -> dict[str, str]:
        """Return the options."""
        return dict(self.configuration)

    def get_comment(self) -> str | None:
        """Return the comment."""
        return self.comment


def check_options(name: str, options: Mapping[str, str]) -> str:
    """Check options and return the type of catalog that they describe.

    Raises:
        TableException: the type of catalog is unknown.
        ValidationException: an option is missing or unknown.
    """
    kind = options.get("type", "generic_in_memory")
    if kind not in _OPTIONS:
        raise TableException(
            f"Catalogs of the type {kind!r} cannot be made here: those of Spark are configured with the session "
            f"(spark.sql.catalog.{name}), others are given to register_catalog. The types are "
            f"{' and '.join(map(repr, _OPTIONS))}.{see(Section.CATALOGS)}"
        )
    known = _OPTIONS[kind]
    for key in options:
        if key not in ("type", *known):
            raise ValidationException(
                f"A catalog of the type {kind!r} has no option {key!r}; it has [{listing(known)}]."
                + did_you_mean(key, known)
            )
    if "path" in known and not options.get("path", "").strip():
        raise ValidationException(f"A catalog of the type {kind!r} needs the option 'path', which says where it is.")
    return kind


def make_catalog(name: str, options: Mapping[str, str]) -> Catalog:
    """Create the catalog that options describe.

    Raises:
        TableException: the type of catalog is unknown.
        ValidationException: an option is missing or unknown.
    """
    kind = check_options(name, options)
    if kind == "generic_in_memory":
        return InMemoryCatalog(name, options.get("default-database", "default_database"))
    return directory.DirectoryCatalog(name, options["path"], options.get("default-database", "default"))
