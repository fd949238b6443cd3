"""Names of the options of tables of records and of the formats of their values."""

from __future__ import annotations

from typing import Final

JSON: Final = "json"
CSV: Final = "csv"
AVRO: Final = "avro"
RAW: Final = "raw"
FORMATS: Final = (JSON, CSV, AVRO, RAW)
"""The formats of values."""
ON_ERROR: Final = "on-error"
RECORD_OPTIONS: Final = (
    "format",
    "value.format",
    "value.fields-include",
    "key.format",
    "key.fields",
    "key.fields-prefix",
    ON_ERROR,
)
"""The options of tables of records besides those of the formats, by Flink's names; ``on-error`` is new."""


def is_option_of_format(key: str) -> bool:
    """Whether an option has the form of an option of a format, such as ``json.…`` and ``key.csv.…``.

    >>> is_option_of_format("value.json.ignore-parse-errors"), is_option_of_format("topic")
    (True, False)
    """
    for prefix in ("value.", "key."):
        key = key.removeprefix(prefix)
    return key.partition(".")[0] in FORMATS and "." in key
