"""Write the definition of a table as a descriptor with its schema."""

from __future__ import annotations

from collections.abc import Callable

from ir.commands.table_definition import (
    CheckConstraint,
    ColumnDefinition,
    ComputedValue,
    Constraint,
    DefaultValue,
    ForeignKeyConstraint,
    GeneratedValue,
    IdentityValue,
    MetadataValue,
    PartitionField,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
)
from ir.expressions import ResolvedExpression
from ir.identifiers import path_text, quote
from tableapi.declarations.connectors import TABLE_FORMATS
from tableapi.python_code.code import Code, display_dict, display_list, import_name, method
from tableapi.python_code.literals import python_value, text, write_integer

WriteExpression = Callable[[ResolvedExpression], Code]


def write_descriptor(definition: TableDefinition, expression: WriteExpression) -> Code | None:
    """Return the code of a descriptor; None if a definition says nothing.

    A part that descriptors do not have is left out, so that the caller has to compare the statements.
    """
    if definition == TableDefinition():
        return None
    made, options = _connector(definition)
    if definition.columns:
        made = method(made, "schema", _schema(definition, expression))
    for key, value in options:
        made = method(made, "option", text(key), text(value))
    if definition.partitioning:
        made = method(made, "partitioned_by", *[text(_key(field)) for field in definition.partitioning])
    if definition.clustering:
        made = method(made, "clustered_by", *[text(path_text(path)) for path in definition.clustering])
    buckets = definition.buckets
    if buckets is not None and buckets.count is not None and not buckets.sort_keys:
        keys = [text(column) for column in buckets.columns]
        called = f"distributed_by{'_' + buckets.algorithm.lower() if buckets.algorithm else ''}"
        made = method(made, called if keys else "distributed_into", write_integer(buckets.count), *keys)
    if definition.comment is not None:
        made = method(made, "comment", text(definition.comment))
    return method(made, "build")


def _connector(definition: TableDefinition) -> tuple[Code, list[tuple[str, str]]]:
    """Return the begun descriptor, and the options that it still needs."""
    begin = import_name("TableDescriptor", "tableapi")
    made: Code
    location = [] if definition.location is None else [("path", definition.location)]
    if definition.connector:
        given = dict(definition.connector)
        return method(begin, "for_connector", text(given.pop("connector", "filesystem"))), list(given.items())
    if definition.format in TABLE_FORMATS:
        assert definition.format is not None
        return method(begin, "for_connector", text(definition.format)), [*location, *definition.properties]
    made = method(begin, "for_connector", text("filesystem"))
    if definition.format is not None:
        made = method(made, "format", text(definition.format))
    return made, [*location, *[(f"{definition.format}.{key}", value) for key, value in definition.options]]


def _key(field: PartitionField) -> str:
    if field.transform is None:
        return path_text(field.column) if len(field.column) > 1 else field.column[0]
    number = "" if field.argument is None else f"{field.argument}, "
    return f"{field.transform}({number}{'.'.join(map(quote, field.column))})"


# --- the schema ------------------------------------------------------------------------------------------------------


def _schema(definition: TableDefinition, expression: WriteExpression) -> Code:
    schema = import_name("Schema", "tableapi")
    is_plain = all(column.value is None and column.comment is None for column in definition.columns)
    if is_plain and not definition.constraints and definition.watermark is None:
        pairs = [(text(c.name), text(c.data_type.as_summary_string())) for c in definition.columns]
        return method(schema, "of", display_dict(pairs))
    made: Code = method(schema, "new_builder")
    for column in definition.columns:
        made = _column(made, column, expression)
        if column.comment is not None:
            made = method(made, "with_comment", text(column.comment))
    for constraint in definition.constraints:
        made = _constraint(made, constraint, expression)
    mark = definition.watermark
    if mark is not None:
        made = method(made, "watermark", text(mark.column), expression(mark.expression))
    return method(made, "build")


def _column(made: Code, column: ColumnDefinition, expression: WriteExpression) -> Code:
    named, data_type = text(column.name), text(column.data_type.as_summary_string())
    match column.value:
        case ComputedValue(computed):
            return method(made, "column_by_expression", named, expression(computed))
        case MetadataValue(key, is_virtual):
            given = {} if key is None else {"metadata_key": text(key)}
            if is_virtual:
                given["is_virtual"] = python_value(True)
            return method(made, "column_by_metadata", named, data_type, **given)
    made = method(made, "column", named, data_type)
    match column.value:
        case DefaultValue(default):
            return method(made, "with_default", expression(default))
        case GeneratedValue(generated):
            return method(made, "generated_as", expression(generated))
        case IdentityValue(always, start, step):
            numbers = {"start": (start, 1), "step": (step, 1)}
            given = {key: write_integer(value) for key, (value, usual) in numbers.items() if value != usual}
            return method(made, "generated_as_identity", **({} if always else {"always": python_value(False)}), **given)
    return made


def _constraint(made: Code, constraint: Constraint, expression: WriteExpression) -> Code:
    named = {} if constraint.name is None else {"name": text(constraint.name)}
    match constraint:
        case PrimaryKeyConstraint():
            keys = [text(column) for column in constraint.columns]
            if constraint.name is None:
                return method(made, "primary_key", *keys)
            return method(made, "primary_key_named", text(constraint.name), *keys)
        case UniqueConstraint():
            return method(made, "unique", *[text(column) for column in constraint.columns], **named)
        case CheckConstraint():
            return method(made, "check", expression(constraint.condition), **named)
        case ForeignKeyConstraint():
            own, others = ([text(c) for c in names] for names in (constraint.columns, constraint.referenced))
            path = text(path_text(constraint.table.parts))
            return method(made, "foreign_key", display_list(own), path, display_list(others), **named)
    return made
