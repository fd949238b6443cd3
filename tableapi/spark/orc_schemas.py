"""Checks the declared columns of a table of ORC files against the columns in the files.

Spark's reader of ORC converts the values of a column of another type, and reads NULL where it cannot; other readers
fail. So a column is only read as the type that the files have, or as a wider one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from ir.cast_rules import differ_at_most_in_nullability, plain_type
from ir.common_types import tightest_common_type
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from ir.schema import Column, ResolvedSchema
from ir.types import ArrayType, LogicalType, MapType, RowType
from tableapi.declarations.file_tables import FileTable
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MOST_FILES: Final = 100
"""The number of files of a table that are looked at."""
# Hive names the columns by their places.
_PLACE: Final = re.compile(r"_col\d+")

# The states of tables that were checked, by session, so that each state is checked once.
_checked: WeakKeyDictionary[SparkSession, set[int]] = WeakKeyDictionary()


def require_stored_types(session: SparkSession, files: FileTable, frame: DataFrame) -> None:
    """Check the types of the declared columns of a table of ORC files.

    Args:
        session: the session.
        files: the table.
        frame: the rows of the files.

    Raises:
        ValidationException: a file has a column with another type that is not narrower, or none of the columns.
    """
    assert files.schema is not None
    paths = [unquote(path) for path in frame.inputFiles()]
    state = hash((files.schema, files.partition_keys, *paths))
    known = _checked.setdefault(session, set())
    if not paths or state in known:
        return
    step = -(-len(paths) // MOST_FILES)
    found = _find_misfit(session, files, paths[::step])
    if found is not None:
        raise ValidationException(f"{found} Nothing was read.", condition="CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE")
    known.add(state)


def _find_misfit(session: SparkSession, files: FileTable, paths: Sequence[str]) -> str | None:
    """Return what does not fit and the file, None if all files fit; halve the files until one is left."""
    stored = _read_schema(session, files, paths)
    if stored is not None:
        misfit = _describe_misfit(files, stored)
        if misfit is None or len(paths) == 1:
            return None if misfit is None else f"The file {paths[0]} {misfit}"
    elif len(paths) == 1:
        # A file without columns, or one that Spark cannot read, is reported when its rows are read.
        return None
    middle = len(paths) // 2
    return _find_misfit(session, files, paths[:middle]) or _find_misfit(session, files, paths[middle:])


def _read_schema(session: SparkSession, files: FileTable, paths: Sequence[str]) -> ResolvedSchema | None:
    """Return the columns of files, None if the files have no common schema."""
    options = {**files.options, "mergeSchema": "true", "__globPaths__": "false"}
    try:
        with readable_errors():
            fields = session.read.format("orc").options(**options).load(list(paths)).schema.fields
    except TableException:
        return None
    columns = []
    for field in fields:
        try:
            columns.append(Column(field.name, from_spark(field.dataType)))
        except TableException:
            # A type that no column can be declared with.
            continue
    return ResolvedSchema(tuple(columns))


def _describe_misfit(files: FileTable, stored: ResolvedSchema) -> str | None:
    """Return what of the declared columns does not fit those of the files, None if all fit."""
    assert files.schema is not None
    keys = set(map(fold, files.partition_keys))
    declared = [column for column in files.schema.columns if fold(column.name) not in keys]
    own = [column for column in stored.columns if fold(column.name) not in keys]
    if own and all(_PLACE.fullmatch(column.name) for column in own):
        pairs = list(zip(declared, own, strict=False))
    else:
        by_name = {fold(column.name): column for column in own}
        pairs = [(column, by_name[fold(column.name)]) for column in declared if fold(column.name) in by_name]
        if own and not pairs:
            names = [column.name for column in own]
            first = declared[0].name
            return f"has none of the declared columns: it has [{listing(names)}].{did_you_mean(first, names)}"
    for column, found in pairs:
        if not is_readable_as(found.data_type, column.data_type):
            shown = found.data_type.as_nullable().as_summary_string()
            wanted = column.data_type.as_nullable().as_summary_string()
            return (
                f"has the column {column.name} of type {shown}, which is declared as {wanted}. Values that do not "
                f"fit would be read as NULL. Declare {shown}, and cast it in a query."
            )
    return None


def is_readable_as(stored: LogicalType, declared: LogicalType) -> bool:
    """Whether each value of a type in a file is read unchanged as a value of the declared type.

    >>> from ir.types import BIGINT, INT, STRING
    >>> is_readable_as(INT, BIGINT), is_readable_as(BIGINT, INT), is_readable_as(ArrayType(STRING), ArrayType(INT))
    (True, False, False)
    """
    stored, declared = plain_type(stored).as_nullable(), plain_type(declared).as_nullable()
    if differ_at_most_in_nullability(stored, declared):
        return True
    match stored, declared:
        case RowType(), RowType():
            known = {fold(field.name): field.data_type for field in stored.fields}
            return all(
                is_readable_as(known[fold(field.name)], field.data_type)
                for field in declared.fields
                if fold(field.name) in known
            )
        case ArrayType(), ArrayType():
            return is_readable_as(stored.element, declared.element)
        case MapType(), MapType():
            return is_readable_as(stored.key, declared.key) and is_readable_as(stored.value, declared.value)
    return tightest_common_type(stored, declared) == declared
