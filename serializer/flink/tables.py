"""Writes the commands that declare a table as Flink's SQL."""

from __future__ import annotations

from collections.abc import Iterator

from ir.commands.table_definition import (
    Bucketing,
    ColumnDefinition,
    ComputedValue,
    CreateMode,
    MetadataValue,
    PrimaryKeyConstraint,
    TableDefinition,
)
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import TableException
from ir.file_formats import connector_of_files
from serializer.commands.writing import CommandWriting
from serializer.types import type_text


def write_create_table(command: CreateTable, writing: CommandWriting) -> str:
    """Write CREATE TABLE, with the query of CTAS.

    Raises:
        TableException: Flink lacks a part of the definition.
    """
    lines = [_beginning(command, writing), *_parts(command.definition, writing)]
    if len(lines) > 1 and lines[1].startswith("("):
        lines[:2] = [f"{lines[0]} {lines[1]}"]
    if command.query is not None:
        lines += ["AS", writing.query(command.query)]
    return "\n".join(lines)


def write_create_table_like(command: CreateTableLike, writing: CommandWriting) -> str:
    """Write CREATE TABLE LIKE.

    Raises:
        TableException: Flink lacks a part of the definition.
    """
    lines = [_beginning(command, writing), *_parts(command.definition, writing)]
    features = "".join(f"\n    {word} {feature}" for word, feature in command.features)
    return "\n".join([*lines, f"LIKE {writing.path(command.source)}" + (f" ({features}\n)" if features else "")])


def _beginning(command: CreateTable | CreateTableLike, writing: CommandWriting) -> str:
    mode = command.mode.value
    if command.mode is CreateMode.REPLACE and isinstance(command, CreateTable) and command.query is None:
        raise _missing("REPLACE TABLE without a query", "Drop the table, and create it again")
    if command.mode is CreateMode.CREATE_OR_REPLACE and isinstance(command, CreateTable) and command.query is None:
        raise _missing("CREATE OR REPLACE TABLE without a query", "Drop the table, and create it again")
    return f"{mode.replace('TABLE', 'TEMPORARY TABLE', 1) if command.is_temporary else mode} " + writing.path(
        command.target
    )


def _missing(what: str, remedy: str) -> TableException:
    return TableException(f"SQL of Flink has no {what}. {remedy}.")


def _parts(definition: TableDefinition, writing: CommandWriting) -> Iterator[str]:
    _refuse_parts_of_spark(definition)
    elements = [_column(column, writing) for column in definition.columns]
    elements += [
        _key(constraint, writing)
        for constraint in definition.constraints
        if isinstance(constraint, PrimaryKeyConstraint)
    ]
    mark = definition.watermark
    if mark is not None:
        elements.append(f"WATERMARK FOR {writing.name(mark.column)} AS {writing.expression(mark.expression)}")
    if elements:
        yield "(\n" + ",\n".join(f"    {element}" for element in elements) + "\n)"
    if definition.comment is not None:
        yield f"COMMENT {writing.string(definition.comment)}"
    if definition.buckets is not None:
        yield _buckets(definition.buckets, writing)
    if definition.partitioning:
        yield f"PARTITIONED BY {writing.names(key.column[0] for key in definition.partitioning)}"
    connector = _connector(definition)
    if connector:
        yield f"WITH {writing.properties(connector)}"


def _refuse_parts_of_spark(definition: TableDefinition) -> None:
    parts = {
        "CLUSTER BY": definition.clustering,
        "STORED AS and ROW FORMAT": definition.hive,
        "TBLPROPERTIES": definition.properties,
        "DEFAULT COLLATION": definition.collation,
        "EXTERNAL": definition.is_external,
    }
    for called, given in parts.items():
        if given:
            raise _missing(called, "Leave it out, or print the statement in the dialect SPARK")
    for key in definition.partitioning:
        if not key.is_column:
            shown = f"the transform {key.transform}" if key.transform else "a field"
            raise _missing(f"partition by {shown}", "Add a column with the value, and partition by that")
    for constraint in definition.constraints:
        if not isinstance(constraint, PrimaryKeyConstraint):
            raise _missing(f"{constraint.called} constraints", "Leave it out, or filter the rows in the query")


def _connector(definition: TableDefinition) -> dict[str, str]:
    if definition.connector:
        return dict(definition.connector)
    if definition.format is None:
        if definition.location is not None or definition.options:
            raise _missing("LOCATION and OPTIONS without a format", "Say USING and a format")
        return {}
    made = connector_of_files(definition.format, definition.location, dict(definition.options))
    if made is None:
        raise TableException(
            f"SQL of Flink has no form of a table USING {definition.format} with the options "
            f"{sorted(dict(definition.options))}: its connector 'filesystem' lacks the format or one of the options."
        )
    return made


def _column(column: ColumnDefinition, writing: CommandWriting) -> str:
    words = [writing.name(column.name)]
    match column.value:
        case ComputedValue():
            words.append(f"AS {writing.expression(column.value.expression)}")
        case None | MetadataValue():
            words.append(type_text(column.data_type, writing.notation))
            words += [] if column.data_type.nullable else ["NOT NULL"]
        case _:
            raise _missing(f"{column.value.called}: {column.name}", "Compute the column in the query that writes rows")
    if isinstance(column.value, MetadataValue):
        words.append("METADATA")
        words += [] if column.value.key is None else [f"FROM {writing.string(column.value.key)}"]
        words += ["VIRTUAL"] if column.value.is_virtual else []
    if column.comment is not None:
        words.append(f"COMMENT {writing.string(column.comment)}")
    return " ".join(words)


def _key(key: PrimaryKeyConstraint, writing: CommandWriting) -> str:
    if key.relies:
        raise _missing("RELY", "Leave it out; Flink's optimizer always relies on keys")
    named = "" if key.name is None else f"CONSTRAINT {writing.name(key.name)} "
    return f"{named}PRIMARY KEY {writing.names(key.columns)} NOT ENFORCED"


def _buckets(buckets: Bucketing, writing: CommandWriting) -> str:
    if buckets.sort_keys:
        raise _missing("SORTED BY", "Leave it out")
    words = ["DISTRIBUTED"]
    if buckets.columns:
        words += ["BY", *([buckets.algorithm] if buckets.algorithm else []), writing.names(buckets.columns)]
    return " ".join(words + ([] if buckets.count is None else [f"INTO {buckets.count} BUCKETS"]))
