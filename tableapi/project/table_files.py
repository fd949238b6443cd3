"""The columns of a target's tables, which a project keeps as files of its catalog."""

from __future__ import annotations

from tableapi.catalog.catalog import CatalogTable, CatalogView


def declared_table(table: CatalogTable | CatalogView) -> CatalogTable:
    """Return the kept part of a table: its columns, comment, partition columns and properties.

    Of a view that is not part of the project, it keeps the columns and the comment.
    """
    if isinstance(table, CatalogView):
        return CatalogTable(table.schema, table.comment)
    schema = table.schema if table.files is None or table.files.schema is None else table.files.schema
    comment = table.comment if table.files is None else table.files.comment or table.comment
    options = {} if table.files is not None else dict(table.options)
    return CatalogTable(schema, comment, options, partition_keys=table.partition_keys)
