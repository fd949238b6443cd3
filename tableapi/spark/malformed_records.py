"""Finds the column whose declared type a file contradicts, after Spark refused a record of the file.

Spark's error has the file and the part of the record that was read. It names neither the column nor the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from pyspark.errors import PySparkException
from pyspark.sql.types import StringType, StructField, StructType

from ir.identifiers import fold
from ir.operations.source import Source
from tableapi.declarations.file_tables import FileTable
from tableapi.lazy import lazy
from tableapi.spark.columns_to_write import struct
from tableapi.spark.versions import describes_as_json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession, functions

    from ir.operations.operation import QueryOperation
else:
    functions = lazy(__name__, "pyspark.sql.functions")

_FILE: Final = re.compile(r"while reading file (\S+?)\.?\s+SQLSTATE")
_MALFORMED: Final = "[MALFORMED_RECORD_IN_PARSING"
_RECORD: Final = "__tableapi_record"
_CORRUPT: Final = "columnNameOfCorruptRecord"


def is_about_record(message: str) -> bool:
    """Whether a message of Spark is about a malformed record of a file."""
    return _MALFORMED in message


def find_csv_tables(session: SparkSession, sources: Iterable[QueryOperation]) -> list[FileTable]:
    """Return the tables of CSV files in Spark's catalogs among some sources, as Spark describes them.

    Args:
        session: the session; before Spark 4.0, it describes no options of a table, and nothing is found.
        sources: what a query reads.
    """
    found: list[FileTable] = []
    for source in sources:
        if not isinstance(source, Source) or source.identifier.is_temporary or not describes_as_json(session):
            continue
        path = source.identifier.as_serializable_string()
        try:
            facts = json.loads(session.sql(f"DESCRIBE TABLE EXTENDED {path} AS JSON").collect()[0][0])
        except PySparkException:
            # The first error is the one to report.
            continue
        if fold(str(facts.get("provider"))) == "csv" and facts.get("location"):
            options, keys = facts.get("storage_properties") or {}, facts.get("partition_columns") or ()
            location = unquote(str(facts["location"])).removeprefix("file:")
            found.append(FileTable("csv", location, options, source.schema, tuple(keys)))
    return found


def explain_malformed_record(session: SparkSession, message: str, tables: Iterable[FileTable]) -> str:
    """Return the column and the value of a malformed record of a CSV file; empty if they cannot be found.

    Args:
        session: the session.
        message: Spark's message.
        tables: the tables of files that the query reads.
    """
    found = _FILE.search(message)
    if found is None or not is_about_record(message):
        return ""
    file = unquote(found[1])
    for table in tables:
        if table.format == "csv" and table.schema is not None and table.path is not None and table.path in file:
            try:
                return _explain(session, file, table)
            except PySparkException:
                # The first error is the one to report.
                return ""
    return ""


def _explain(session: SparkSession, file: str, table: FileTable) -> str:
    assert table.schema is not None
    declared = [column for column in table.schema.columns if column.name not in table.partition_keys]
    types = struct(table.schema)
    stored = [types[column.name] for column in declared]
    given = {key: value for key, value in table.options.items() if key.lower() not in ("mode", _CORRUPT.lower())}
    options = {**given, "mode": "PERMISSIVE", _CORRUPT: _RECORD}
    reader = session.read.format("csv").options(**options)
    reader = reader.schema(StructType([*stored, StructField(_RECORD, StringType())]))
    texts = ", ".join(f"c{number} STRING" for number in range(len(stored)))
    text_options = {key: value for key, value in given.items() if key.lower() != "header"}
    rows = (
        reader.option("__globPaths__", "false")
        .load(file)
        .where(functions.col(_RECORD).isNotNull())
        .limit(1)
        .withColumn("__texts", functions.from_csv(_RECORD, texts, text_options))
        .collect()
    )
    for row in rows:
        return _describe(row, [(column.name, column.data_type.as_summary_string()) for column in declared])
    return ""


def _describe(row: Any, columns: list[tuple[str, str]]) -> str:
    for number, (name, data_type) in enumerate(columns):
        text = row["__texts"][number]
        if text is not None and row[number] is None:
            return f"The column {name} is declared as {data_type}, and the file has {text!r} there: {row[_RECORD]}"
    return f"The file has a record with other columns than the {len(columns)} declared ones: {row[_RECORD]}"
