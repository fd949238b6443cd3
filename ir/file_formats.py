"""The options of Flink's connector ``filesystem`` and those of Spark's file formats, converted to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FLINK_FORMAT_OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "csv": {
        "field-delimiter": "sep",
        "quote-character": "quote",
        "escape-character": "escape",
        "null-literal": "nullValue",
    },
    "avro": {"codec": "compression"},
    "json": {},
    "orc": {"compress": "compression"},
    "parquet": {"compression": "compression"},
    "text": {},
    "xml": {},
}
"""Flink's names of the options of each file format, with Spark's names; other names are Spark's own."""

_ONLY_IN_SPARK: Final = ("text", "xml")


def files_of_connector(given: Mapping[str, str]) -> tuple[str, str | None, dict[str, str]] | None:
    """Return the format, the path and Spark's options of a table of files.

    Args:
        given: the options after WITH.

    Returns:
        None if the options are those of another connector, or some of them have no equivalent in Spark.

    >>> files_of_connector({"connector": "filesystem", "path": "/d", "format": "csv", "csv.field-delimiter": ";"})
    ('csv', '/d', {'sep': ';'})
    >>> files_of_connector({"connector": "kafka", "topic": "orders"}) is None
    True
    """
    format = given.get("format", "")
    if given.get("connector") != "filesystem" or format not in FLINK_FORMAT_OPTIONS:
        return None
    names, found = FLINK_FORMAT_OPTIONS[format], {}
    for key, value in given.items():
        if key in ("connector", "path", "format"):
            continue
        prefix, _, rest = key.partition(".")
        name = names.get(rest, rest)
        if prefix != format or not rest or "-" in name or name in found:
            return None
        found[name] = value
    return format, given.get("path"), found


def connector_of_files(format: str, path: str | None, options: Mapping[str, str]) -> dict[str, str] | None:
    """Return the options after WITH for a table of files; None if Flink's connector lacks the format or an option.

    >>> connector_of_files("csv", "/d", {"sep": ";"})
    {'connector': 'filesystem', 'path': '/d', 'format': 'csv', 'csv.field-delimiter': ';'}
    """
    if format not in FLINK_FORMAT_OPTIONS or format in _ONLY_IN_SPARK:
        return None
    made = {"connector": "filesystem"} | ({} if path is None else {"path": path}) | {"format": format}
    names = {spark: flink for flink, spark in FLINK_FORMAT_OPTIONS[format].items()}
    made |= {f"{format}.{names.get(key, key)}": value for key, value in options.items()}
    return made if files_of_connector(made) == (format, path, dict(options)) else None
