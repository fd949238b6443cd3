"""Tables of Spark's catalogs that a program declares: their columns are known before a session starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import ObjectIdentifier, fold, fold_path
from ir.light_typing import TYPE_CHECKING, Any
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from ir import cast_rules
    from ir.schema import ResolvedSchema
    from tableapi import schema as schemas
    from tableapi.catalog.catalog import CatalogTable
    from tableapi.declarations import file_tables as files
else:
    schemas = lazy(__name__, "tableapi.schema")
    cast_rules = lazy(__name__, "ir.cast_rules")
    files = lazy(__name__, "tableapi.declarations.file_tables")


class DeclaredTables:
    """The declared tables of one environment, by their full names in any case."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, ...], tuple[ObjectIdentifier, CatalogTable]] = {}

    def add(self, identifier: ObjectIdentifier, table: CatalogTable) -> None:
        """Declare a table; replace an earlier declaration of the name."""
        self._tables[fold_path(identifier.parts)] = identifier, table

    def find(self, identifier: ObjectIdentifier) -> CatalogTable | None:
        """Return the declaration of a name, or None."""
        found = self._tables.get(fold_path(identifier.parts)) if self._tables else None
        return None if found is None else found[1]

    def spelling(self, identifier: ObjectIdentifier) -> ObjectIdentifier | None:
        """Return a name as it was declared, or None."""
        found = self._tables.get(fold_path(identifier.parts)) if self._tables else None
        return None if found is None else found[0]

    def remove(self, identifier: ObjectIdentifier) -> bool:
        """Forget the declaration of a name, and return whether there was one."""
        return self._tables.pop(fold_path(identifier.parts), None) is not None

    def names(self, catalog: str, database: str) -> list[str]:
        """Return the names of the declared tables of a database."""
        if not self._tables:
            return []
        wanted = fold_path((catalog, database))
        return [identifier.name for key, (identifier, _) in self._tables.items() if key[:2] == wanted]

    def has_database(self, catalog: str, database: str) -> bool:
        """Whether a table of a database is declared."""
        wanted = fold_path((catalog, database))
        return any(key[:2] == wanted for key in self._tables)


@attrs.frozen(eq=False)
class DeclarationsOfCatalog(attrs.Slotted):
    """The declared tables of one catalog, as what a view depends on."""

    tables: DeclaredTables
    catalog: str

    def stored_table(self, database: str, name: str) -> CatalogTable | None:
        """Return the declaration of a table, or None."""
        return self.tables.find(ObjectIdentifier(name, database, self.catalog))


def schema_of_declaration(columns: Any, comments: Mapping[str, str], key: Sequence[str] | str) -> schemas.Schema:
    """Return the schema that a declaration says.

    Args:
        columns: the columns, in any form that ``Schema.of`` takes.
        comments: comments of columns by their names.
        key: the columns of the primary key, or the one.

    Raises:
        ValidationException: the columns are invalid, or a comment or the key names a column that does not exist.
    """
    schema = schemas.Schema.of(columns)
    names = {fold(column.name): column.name for column in schema.columns}
    for name in comments:
        if fold(name) not in names:
            raise ValidationException(
                f"There is a comment for the column {name!r}, which is not declared: [{listing(names.values())}]."
                + did_you_mean(name, names.values())
            )
    by_name = {fold(name): comment for name, comment in comments.items()}
    commented = tuple(
        attrs.evolve(column, comment=by_name.get(fold(column.name), column.comment)) for column in schema.columns
    )
    builder = schemas.Schema.new_builder().from_schema(attrs.evolve(schema, columns=commented))
    if key:
        builder.primary_key(*((key,) if isinstance(key, str) else key))
    return builder.build()


def require_declared_columns(identifier: ObjectIdentifier, declared: ResolvedSchema, actual: ResolvedSchema) -> None:
    """Refuse a table whose columns are not those that were declared.

    A table may have further columns, and its columns another order. Whether a column holds NULL is what the
    declaration says: Spark takes nothing in files to be NOT NULL.

    Raises:
        ValidationException: columns are missing or of other types; each is named.
    """
    wrong: list[str] = []
    for column in declared.columns:
        index = actual.index_of(column.name)
        if index is None:
            wrong.append(f"there is no column {column.name!r}." + did_you_mean(column.name, actual.names))
            continue
        wanted = files.read_type(cast_rules.plain_type(column.data_type))
        given = files.read_type(cast_rules.plain_type(actual.columns[index].data_type))
        if wanted != given:
            shown = f"{column.name!r} is declared as {wanted.as_summary_string()}, and is {given.as_summary_string()}."
            is_of_zone = {wanted.as_summary_string()[:9], given.as_summary_string()[:9]} == {"TIMESTAMP"}
            wrong.append(shown + (" Spark's TIMESTAMP is declared as TIMESTAMP_LTZ." if is_of_zone else ""))
    if wrong:
        raise ValidationException(
            f"The table {identifier.as_summary_string()} of the Spark session is not as it was declared: it has the "
            f"columns [{listing(actual.names)}].\n" + "\n".join(f"  {line}" for line in wrong)
        )
