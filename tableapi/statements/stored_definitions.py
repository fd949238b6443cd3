"""The command that creates a table which a catalog has: for SHOW CREATE TABLE, and as the source of LIKE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir.commands.table_definition import ColumnDefinition, PartitionField, PrimaryKeyConstraint, TableDefinition
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import CatalogException, ValidationException
from ir.identifiers import ObjectIdentifier, fold
from tableapi.catalog.catalog import CatalogTable
from tableapi.lazy import lazy
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.statements.declared_definitions import command_of

if TYPE_CHECKING:
    from tableapi.declarations import secrets
else:
    secrets = lazy(__name__, "tableapi.declarations.secrets")


def command_of_table(environment: EnvironmentParts, identifier: ObjectIdentifier, *, masks: bool = True) -> CreateTable:
    """Return the command that creates a table of a catalog that Spark does not have.

    Args:
        environment: the environment of the catalog.
        identifier: the full name of the table.
        masks: whether passwords are masked, as in every text that is shown.

    Raises:
        TableNotExistException: the catalog has no such table.
        ValidationException: the table is temporary.
        CatalogException: the name is that of a view, or the table has rows of its own and is described by nothing else.
    """
    manager = environment.runtime.manager
    if identifier.is_temporary:
        raise ValidationException(
            f"{identifier.name} is temporary: it ends with this environment, and no catalog has a statement that "
            "creates it."
        )
    identifier = manager.spelled(identifier)
    found = manager.find(identifier)
    shown = identifier.as_summary_string()
    if not isinstance(found, CatalogTable):
        raise CatalogException(f"{shown} is a view and no table.")
    if found.descriptor is not None:
        given = found.descriptor
        if masks:
            given = attrs.evolve(given, options=secrets.mask_options(given.options))
        return command_of(environment, identifier, given)
    if found.files is None and found.data is not None:
        raise CatalogException(
            f"{shown} has rows of its own, which no statement creates. DESCRIBE {identifier.name} shows its columns."
        )
    return CreateTable(identifier, _definition(found, masks=masks))


def needs_flink(command: CreateTable | CreateTableLike) -> bool:
    """Whether a command in a catalog that Spark does not have has a form in Flink's SQL alone, as keys have there."""
    definition = command.definition
    has_rules = any(column.value is not None for column in definition.columns) or any(
        not isinstance(constraint, PrimaryKeyConstraint) for constraint in definition.constraints
    )
    return command.is_temporary or definition.is_of_flink or (bool(definition.constraints) and not has_rules)


def _definition(table: CatalogTable, *, masks: bool) -> TableDefinition:
    files = table.files
    schema = table.schema if files is None or files.schema is None else files.schema
    known = {} if table.definition is None else {fold(column.name): column for column in table.definition.columns}
    columns = tuple(
        [
            ColumnDefinition(c.name, c.data_type, known[fold(c.name)].value if known else None, c.comment)
            for c in schema.columns
        ]
    )
    constraints = () if table.definition is None else table.definition.constraints
    partitioning = tuple([PartitionField((key,)) for key in table.partition_keys])
    given = table.options if files is None else files.options
    options = tuple(sorted((secrets.mask_options(given) if masks else given).items()))
    if files is None:
        return TableDefinition(
            columns, constraints, partitioning=partitioning, properties=options, comment=table.comment
        )
    return TableDefinition(
        columns,
        partitioning=partitioning,
        format=files.format,
        location=files.path,
        options=options,
        comment=table.comment,
    )
