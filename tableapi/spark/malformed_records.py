"""Finds the column whose declared type a file contradicts, after Spark refused a record of the file.

Spark names the file and the record as far as it could read it, and neither the column nor the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from pyspark.errors import PySparkException
from pyspark.sql.types import StringType, StructField, StructType

from tableapi.lazy import lazy
from tableapi.spark.columns_to_write import struct

if TYPE_CHECKING:
    from pyspark.sql import SparkSession, functions

    from tableapi.declarations.file_tables import FileTable
else:
    functions = lazy(__name__, "pyspark.sql.functions")

_FILE: Final = re.compile(r"while reading file (\S+?)\.?\s+SQLSTATE")
_MALFORMED: Final = "[MALFORMED_RECORD_IN_PARSING"
_RECORD: Final = "__tableapi_record"
_CORRUPT: Final = "columnNameOfCorruptRecord"


def explain_malformed_record(session: SparkSession, message: str, tables: Iterable[FileTable]) -> str:
    """Return the column and the value of a malformed record of a CSV file; empty if they cannot be found.

    Args:
        session: the session.
        message: what Spark said.
        tables: the tables of files that the query reads.
    """
    found = _FILE.search(message)
    if found is None or _MALFORMED not in message:
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
