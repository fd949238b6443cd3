"""Writes the commands that declare a table as Spark's SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ir.commands.table_definition import (
    Bucketing,
    CheckConstraint,
    ColumnDefinition,
    Constraint,
    DefaultValue,
    ForeignKeyConstraint,
    GeneratedValue,
    HiveStorage,
    IdentityValue,
    PartitionField,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
)
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import TableException
from ir.types import LogicalType
from serializer.commands.writing import CommandWriting
from serializer.types import type_text


def write_create_table(command: CreateTable, writing: CommandWriting) -> str:
    """Write CREATE TABLE or REPLACE TABLE, with the query of CTAS.

    Raises:
        TableException: the table is temporary, or a part of it has no form in Spark.
    """
    _refuse_temporary(command)
    definition = command.definition
    mode = command.mode.value
    if definition.is_external:
        mode = mode.replace("TABLE", "EXTERNAL TABLE", 1)
    lines = [f"{mode} {writing.path(command.target)}"]
    if definition.columns or definition.constraints:
        lines[0] += " ("
        lines.append(",\n".join(f"    {item}" for item in _elements(definition, writing)))
        lines.append(")")
    lines += _clauses(definition, writing)
    if command.query is not None:
        lines += ["AS", writing.query(command.query)]
    return "\n".join(lines)


def write_create_table_like(command: CreateTableLike, writing: CommandWriting) -> str:
    """Write CREATE TABLE LIKE.

    Raises:
        TableException: the table is temporary, has columns of its own, or the features to copy are listed.
    """
    _refuse_temporary(command)
    definition = command.definition
    if command.features:
        raise _missing("INCLUDING and EXCLUDING after LIKE", "List the columns of the table instead")
    if definition.columns or definition.constraints or definition.watermark is not None:
        raise _missing("LIKE with columns of its own", "List all columns of the table instead")
    lines = [f"{command.mode.value} {writing.path(command.target)} LIKE {writing.path(command.source)}"]
    return "\n".join([*lines, *_clauses(definition, writing)])


def _refuse_temporary(command: CreateTable | CreateTableLike) -> None:
    if command.is_temporary:
        raise _missing("temporary tables", "Create a table of the catalog, or a temporary view over files")


def _missing(what: str, remedy: str) -> TableException:
    return TableException(f"SQL of Spark has no {what}. {remedy}.")


# --- columns and constraints -----------------------------------------------------------------------------------------


def _elements(definition: TableDefinition, writing: CommandWriting) -> Iterator[str]:
    for column in definition.columns:
        yield column_text(column, writing)
    for constraint in definition.constraints:
        yield constraint_text(constraint, writing)
    if definition.watermark is not None:
        raise _missing("watermark of a table", "Declare the watermark in the query that reads the table")


def column_text(column: ColumnDefinition, writing: CommandWriting) -> str:
    """Write a column of a table with its type, its default or how it is generated, and its comment.

    Raises:
        TableException: Spark lacks the kind of column, or a part of its type.
    """
    words = [writing.name(column.name), _type(column.data_type, writing)]
    match column.value:
        case None:
            pass
        case DefaultValue():
            words.append(f"DEFAULT {writing.expression(column.value.expression)}")
        case GeneratedValue():
            words.append(f"GENERATED ALWAYS AS ({writing.expression(column.value.expression)})")
        case IdentityValue():
            words.append(_identity(column.value))
        case _:
            raise _missing(f"{column.value.called}: {column.name}", "Compute the column in a view over the table")
    if column.comment is not None:
        words.append(f"COMMENT {writing.string(column.comment)}")
    return " ".join(words)


def _type(data_type: LogicalType, writing: CommandWriting) -> str:
    return type_text(data_type, writing.notation) + ("" if data_type.nullable else " NOT NULL")


def _identity(value: IdentityValue) -> str:
    how = "ALWAYS" if value.always else "BY DEFAULT"
    return f"GENERATED {how} AS IDENTITY (START WITH {value.start} INCREMENT BY {value.step})"


def constraint_text(constraint: Constraint, writing: CommandWriting) -> str:
    """Write a constraint of a table."""
    named = "" if constraint.name is None else f"CONSTRAINT {writing.name(constraint.name)} "
    return named + _constraint(constraint, writing) + (" RELY" if constraint.relies else "")


def _constraint(constraint: Constraint, writing: CommandWriting) -> str:
    match constraint:
        case PrimaryKeyConstraint() | UniqueConstraint():
            return f"{constraint.called} {writing.names(constraint.columns)}"
        case ForeignKeyConstraint():
            other = f"{writing.path(constraint.table)} {writing.names(constraint.referenced)}"
            return f"FOREIGN KEY {writing.names(constraint.columns)} REFERENCES {other}"
        case CheckConstraint():
            return f"CHECK ({writing.expression(constraint.condition)})"
    raise AssertionError(constraint)


# --- clauses ---------------------------------------------------------------------------------------------------------


def _clauses(definition: TableDefinition, writing: CommandWriting) -> Iterator[str]:
    if definition.connector:
        name = dict(definition.connector).get("connector")
        raise _missing(f"connector {name!r}", "Print the statement in the dialect FLINK, or read the source with Spark")
    if definition.format is not None:
        yield f"USING {writing.name(definition.format)}"
    if definition.options:
        yield f"OPTIONS {writing.properties(definition.options)}"
    if definition.partitioning:
        yield f"PARTITIONED BY ({', '.join(partition_text(key, writing) for key in definition.partitioning)})"
    if definition.clustering:
        yield f"CLUSTER BY ({', '.join(_path(column, writing) for column in definition.clustering)})"
    if definition.buckets is not None:
        yield _buckets(definition.buckets, writing)
    if definition.hive is not None:
        yield from hive_lines(definition.hive, writing)
    if definition.location is not None:
        yield f"LOCATION {writing.string(definition.location)}"
    if definition.comment is not None:
        yield f"COMMENT {writing.string(definition.comment)}"
    if definition.collation is not None:
        yield f"DEFAULT COLLATION {definition.collation}"
    if definition.properties:
        yield f"TBLPROPERTIES {writing.properties(definition.properties)}"


def partition_text(key: PartitionField, writing: CommandWriting) -> str:
    """Write a partition key."""
    column = _path(key.column, writing)
    if key.transform is None:
        return column
    number = "" if key.argument is None else f"{key.argument}, "
    return f"{key.transform}({number}{column})"


def _path(names: Iterable[str], writing: CommandWriting) -> str:
    return ".".join(map(writing.name, names))


def _buckets(buckets: Bucketing, writing: CommandWriting) -> str:
    if buckets.algorithm:
        raise _missing(f"buckets by {buckets.algorithm}", "Leave the algorithm out")
    if not buckets.columns or buckets.count is None:
        raise _missing("buckets without columns and a number", "Write both")
    ordered = f" SORTED BY {writing.names(buckets.sort_keys)}" if buckets.sort_keys else ""
    return f"CLUSTERED BY {writing.names(buckets.columns)}{ordered} INTO {buckets.count} BUCKETS"


def hive_lines(storage: HiveStorage, writing: CommandWriting) -> Iterator[str]:
    """Yield the clauses of Hive's storage."""
    given = storage.row_format
    if given is not None and given.serde is not None:
        properties = f" WITH SERDEPROPERTIES {writing.properties(given.options)}" if given.options else ""
        yield f"ROW FORMAT SERDE {writing.string(given.serde)}{properties}"
    elif given is not None:
        yield " ".join(["ROW FORMAT DELIMITED", *[f"{key} {writing.string(value)}" for key, value in given.options]])
    if len(storage.formats) == 1:
        yield f"STORED AS {storage.formats[0]}"
    elif storage.formats:
        reads, writes = map(writing.string, storage.formats)
        yield f"STORED AS INPUTFORMAT {reads} OUTPUTFORMAT {writes}"
