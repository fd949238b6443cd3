"""The example queries in Spark's function documentation, and the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grammar import syntax as s
from grammar.builder.context import Surroundings
from grammar.errors import Misread
from grammar.reading import parse_syntax, query_builder
from ir.errors import TableException
from ir.rendering import Dialect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXAMPLE = re.compile(r"> (SELECT .*?);\s*$", re.MULTILINE | re.DOTALL)


def examples(spark: SparkSession) -> Iterator[tuple[str, int, str]]:
    """Yield each example query with the position and the name of each of its columns."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    for (function,) in spark.sql("SHOW FUNCTIONS").collect():
        if not function.replace("_", "").isalnum():
            continue
        text = "\n".join(line[0] for line in spark.sql(f"DESCRIBE FUNCTION EXTENDED {function}").collect())
        for query in _EXAMPLE.findall(text):
            try:
                schema = spark.sql(query).schema
            except (PySparkException, Py4JJavaError):
                # Some examples show an error, and some need data that does not exist.
                continue
            for position, name in enumerate(schema.names):
                yield query, position, name


def name_of(query: str, position: int) -> str | None:
    """Return the name that Spark's rules give to a column; None after an alias or a star, or if the column has one."""
    written = parse_syntax(query, Dialect.SPARK)
    if isinstance(written, s.Modified):
        written = written.query
    if not isinstance(written, s.Select) or position >= len(written.items):
        return None
    item = written.items[position]
    if any(isinstance(other, (s.Aliased, s.Star)) for other in written.items[: position + 1]):
        return None
    try:
        return query_builder(query, Surroundings(time_zone="UTC")).output_names.of(item)
    except (TableException, Misread) as error:
        return str(error)
