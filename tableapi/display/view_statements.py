"""The statement that recreates a stored view, with fully qualified names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from grammar.full_names import Parts, add_full_names
from ir.errors import CatalogException, SqlParserException
from ir.functions.builtins import BUILT_INS
from ir.identifiers import ObjectIdentifier, fold
from ir.resolution.lookup import find_built_in, name_in_session
from serializer.quoting import quote_if_needed
from tableapi.catalog.catalog import CatalogTable, StoredView
from tableapi.catalog.statements import ViewDefinition, create_view, view_path
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.catalog.manager import CatalogManager
    from tableapi.spark import catalog as spark_catalog
else:
    spark_catalog = lazy(__name__, "tableapi.spark.catalog")


def write_view_statement(manager: CatalogManager, identifier: ObjectIdentifier) -> str:
    """Return the CREATE VIEW statement of a stored view, headed by its settings as comments.

    All names are fully qualified. The settings are only comments, because a view definition in SQL cannot contain
    them.

    Raises:
        DatabaseNotExistException: the database does not exist.
        TableNotExistException: the view does not exist in the database.
        CatalogException: the name refers to a table, the catalog fails, or the view's text cannot be parsed, so its
            names cannot be qualified.
    """
    catalog = manager.catalog(str(identifier.catalog))
    namespace: Parts = (str(identifier.catalog), str(identifier.database))
    # The first condition spares other catalogs PySpark.
    if catalog.is_in_spark and isinstance(catalog, spark_catalog.SparkCatalog):
        definition, settings, stored_namespace = catalog.view_definition(str(identifier.database), identifier.name)
        namespace = stored_namespace or namespace
    else:
        found = manager.stored(identifier)
        if isinstance(found, CatalogTable):
            raise CatalogException(f"{identifier.as_summary_string()} is a table and no view.")
        settings = found.settings
        if isinstance(found, StoredView):
            columns, renames = found.columns, bool(found.columns)
        else:
            columns, renames = tuple([(column.name, column.comment) for column in found.schema.columns]), False
        mode = found.schema_mode or None
        definition = ViewDefinition(found.text, columns, found.comment, found.properties, mode, renames)
    text = _text_with_full_names(manager, identifier, definition.text, namespace)
    lines = [f"-- SET {key}={' '.join(value.split())};" for key, value in sorted(settings.items())]
    return "\n".join([*lines, create_view(view_path(*identifier.parts), attrs.evolve(definition, text=text))])


def _text_with_full_names(manager: CatalogManager, view: ObjectIdentifier, text: str, namespace: Parts) -> str:
    listed: dict[Parts, frozenset[str]] = {}

    def missing(parts: Parts) -> Parts:
        # In Spark, the first of two names may be a catalog.
        if len(parts) == 2 and fold(parts[0]) in map(fold, manager.list_catalogs()):
            return ()
        return namespace[: max(0, 3 - len(parts))]

    def missing_of_function(parts: Parts) -> Parts:
        is_built_in = len(parts) == 1 and BUILT_INS.find_in_sql(parts[0]) is not None
        if is_built_in or find_built_in(parts) is not None or name_in_session(parts) is not None:
            return ()
        added = missing(parts)
        if len(parts) > 1:
            return added
        if added not in listed:
            listed[added] = frozenset(map(fold, manager.catalog(added[0]).list_functions(added[1])))
        # A function that the database does not have is a built-in function of Spark that is unknown here.
        return added if fold(parts[0]) in listed[added] else ()

    try:
        return add_full_names(text, missing, missing_of_function, quote_if_needed)
    except SqlParserException as error:
        raise CatalogException(
            f"The names in the text of the view {view.as_summary_string()} cannot be completed, because it is not in "
            f"the grammar: {error}\nNames without a catalog or a database in it are of {'.'.join(namespace)}. "
            "Spark's statement, whose names are as they were written, is that of env.spark.sql('SHOW CREATE TABLE …')."
        ) from None
