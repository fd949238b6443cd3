"""Options of tables behind JDBC, by Flink's and by Spark's names.

Sources: https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/jdbc/ and
https://spark.apache.org/docs/latest/sql-data-sources-jdbc.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold

_FLINK: Final[Mapping[str, str]] = {
    "url": "url",
    "table-name": "dbtable",
    "driver": "driver",
    "username": "user",
    "password": "password",
    "scan.partition.column": "partitionColumn",
    "scan.partition.num": "numPartitions",
    "scan.partition.lower-bound": "lowerBound",
    "scan.partition.upper-bound": "upperBound",
    "scan.fetch-size": "fetchsize",
    "sink.buffer-flush.max-rows": "batchsize",
    "sink.parallelism": "numPartitions",
}
_SPARK: Final = (
    "dbtable",
    "query",
    "prepareQuery",
    "user",
    "partitionColumn",
    "lowerBound",
    "upperBound",
    "numPartitions",
    "queryTimeout",
    "fetchsize",
    "batchsize",
    "isolationLevel",
    "sessionInitStatement",
    "truncate",
    "cascadeTruncate",
    "createTableOptions",
    "createTableColumnTypes",
    "customSchema",
    "pushDownPredicate",
    "pushDownAggregate",
    "pushDownLimit",
    "pushDownOffset",
    "pushDownTableSample",
    "keytab",
    "principal",
    "refreshKrb5Config",
    "connectionProvider",
    "preferTimestampNTZ",
    "hint",
)
PASSWORD_VARIABLE: Final = "password-variable"
OPTIONS: Final = (*_FLINK, *_SPARK, PASSWORD_VARIABLE)
# Flink's options of streams, lookups and retries, without an equal in a batch of Spark.
_OF_STREAMS: Final = ("lookup.", "connection.", "sink.buffer-flush.interval", "sink.max-retries", "scan.auto-commit")
_BY_NAME: Final = {**{fold(name): name for name in _SPARK}, **_FLINK}
_PARTITIONS: Final = ("partitionColumn", "lowerBound", "upperBound", "numPartitions")


def refuse_jdbc_option(key: str) -> None:
    """Reject an option that tables behind JDBC do not have.

    Raises:
        TableException: the option does not exist; the message suggests the nearest name.
    """
    if fold(key) in _BY_NAME or key in ("connector", PASSWORD_VARIABLE):
        return
    if key.startswith(_OF_STREAMS):
        raise TableException(
            f"The option {key!r} of the connector 'jdbc' is for streams and lookups; in batch, the table is read and "
            "written at once. Leave it out.",
            option=key,
        )
    raise TableException(
        f"The connector 'jdbc' has no option {key!r}.{did_you_mean(key, OPTIONS)} Its options are "
        f"[{listing(OPTIONS)}].",
        option=key,
    )


def options_of_jdbc(options: Mapping[str, str], name: str) -> tuple[dict[str, str], str | None]:
    """Return the options of a table behind JDBC by Spark's names, and the environment variable of the password.

    Args:
        options: the options of the descriptor, without the connector.
        name: the name of the table in messages.

    Raises:
        ValidationException: an option is missing, is given twice, or is given without the others that it needs.
        TableException: an option does not exist; the message suggests the nearest name.
    """
    found: dict[str, str] = {}
    spelled: dict[str, str] = {}
    for key, value in options.items():
        refuse_jdbc_option(key)
        if key == PASSWORD_VARIABLE:
            continue
        spark = _BY_NAME[fold(key)]
        if spark in found and found[spark] != value:
            raise ValidationException(f"Of {name}, {spelled[spark]!r} and {key!r} say different things about the same.")
        found[spark], spelled[spark] = value, key
    if not found.get("url", "").startswith("jdbc:"):
        at, given = ("connector", "has none") if "url" not in found else ("url", "has another one")
        raise ValidationException(
            f"The option 'url' of {name} is a URL of JDBC, 'jdbc:…', and it {given}.", option_value=at
        )
    if ("dbtable" in found) is ("query" in found):
        raise ValidationException(f"Of the options 'table-name' and 'query', {name} needs exactly one.")
    lacking = [key for key in _PARTITIONS if key not in found]
    if "partitionColumn" in found and lacking:
        raise ValidationException(
            f"The option {spelled['partitionColumn']!r} of {name} needs the bounds and the number of the partitions, "
            f"too: [{listing(lacking)}]."
        )
    variable = options.get(PASSWORD_VARIABLE)
    if variable is not None and "password" in found:
        raise ValidationException(f"Of 'password' and {PASSWORD_VARIABLE!r}, {name} needs one.")
    return found, variable
