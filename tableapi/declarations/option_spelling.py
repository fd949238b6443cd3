"""Misspelt connectors, formats and options of CREATE TABLE in Flink's form.

A statement may have options that only Flink supports, as it can be printed for Flink. Therefore a name is only rejected
if it is unknown to both engines and near a known name.

Sources: the pages of https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/ on the file system,
JDBC, Kafka and the formats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ir.errors import TableException, did_you_mean
from ir.file_formats import FLINK_FORMAT_OPTIONS
from ir.identifiers import fold
from ir.nearest_names import nearest_name
from tableapi.declarations import (
    connectors,
    file_options,
    format_options,
    jdbc,
    kafka_options,
    nats_options,
    python_sources,
)
from tableapi.declarations.file_options import MONITOR_INTERVAL, STREAMING

# The options that only Flink supports.
_FILESYSTEM: Final = f"""{MONITOR_INTERVAL} source.path.regex-pattern source.report-statistics partition.default-name
    partition.time-extractor.kind partition.time-extractor.class partition.time-extractor.timestamp-pattern
    partition.time-extractor.timestamp-formatter sink.rolling-policy.file-size sink.rolling-policy.rollover-interval
    sink.rolling-policy.check-interval sink.rolling-policy.inactivity-interval auto-compaction compaction.file-size
    compaction.parallelism sink.partition-commit.trigger sink.partition-commit.delay
    sink.partition-commit.watermark-time-zone sink.partition-commit.policy.kind sink.partition-commit.policy.class
    sink.partition-commit.success-file.name sink.shuffle-by-partition.enable sink.parallelism"""
_JDBC: Final = """connection.max-retry-timeout connection.properties compatible-mode scan.auto-commit scan.parallelism
    lookup.cache lookup.max-retries lookup.cache.max-rows lookup.cache.ttl lookup.cache.caching-missing-key
    lookup.partial-cache.max-rows lookup.partial-cache.expire-after-access lookup.partial-cache.expire-after-write
    lookup.partial-cache.cache-missing-key sink.buffer-flush.interval sink.max-retries filter.handling.policy"""
_OPTIONS: Final[Mapping[str, Sequence[str]]] = {
    "filesystem": ("path", "format", STREAMING, *_FILESYSTEM.split()),
    "jdbc": (*jdbc.OPTIONS, *_JDBC.split()),
    "kafka": (*kafka_options.OPTIONS, *kafka_options.REFUSED),
    "nats": (*nats_options.OPTIONS, *nats_options.REFUSED),
}
_OPTIONS_OF_FORMATS: Final[Mapping[str, str]] = {
    "avro": "codec encoding timestamp_mapping.legacy",
    "csv": """field-delimiter quote-character disable-quote-character escape-character null-literal allow-comments
        ignore-parse-errors array-element-delimiter write-bigdecimal-in-scientific-notation""",
    "json": """fail-on-missing-field ignore-parse-errors timestamp-format.standard map-null-key.mode
        map-null-key.literal encode.decimal-as-plain-number encode.ignore-null-fields decode.json-parser.enabled""",
    "raw": "charset endianness",
}
_FORMATS: Final = (
    *file_options.FORMATS,
    *("raw", "protobuf", "debezium-json", "canal-json", "maxwell-json", "ogg-json"),
    *("avro-confluent", "debezium-avro-confluent"),
)
_FORMAT_KEYS: Final = ("format", "value.format", "key.format")


def require_spelled_connector(options: Mapping[str, str], owner: str) -> None:
    """Reject a misspelt connector, format or option.

    Args:
        options: the options after WITH.
        owner: the table with the options, as the beginning of a sentence.

    Raises:
        TableException: a name is misspelt; the message has the nearest name.

    >>> require_spelled_connector({"connector": "kafka", "topic": "orders", "sink.parallelism": "2"}, "The table t")
    """
    connector = options.get("connector", "")
    known = connectors.known_names()
    if connector.lower() not in known and nearest_name(connector, known, is_typo=True):
        raise connectors.make_connector_error(connector, owner)
    for key, value in options.items():
        if key in _FORMAT_KEYS and connector in _OPTIONS:
            _require_format(key, value, owner)
        elif key != "connector":
            _require_option(connector, key, owner)


def _require_format(key: str, value: str, owner: str) -> None:
    near = "" if value in _FORMATS else did_you_mean(value, _FORMATS)
    if near:
        raise TableException(f"{owner} has the option {key!r} = {value!r}, which is no format.{near}", option_value=key)


def _require_option(connector: str, key: str, owner: str) -> None:
    """Reject an option that is nearly one of the connector, or of the format in its name."""
    format, _, name = key.removeprefix("value.").removeprefix("key.").partition(".")
    if name and format in _FORMATS:
        known, of = _names_of_format(format), f"format {format}"
    else:
        known, name, of = _OPTIONS.get(connector, ()), key, f"connector {connector!r}"
    near = "" if fold(name) in map(fold, known) or key.startswith("properties.") else did_you_mean(name, known)
    if near:
        raise TableException(f"{owner} has the option {key!r}, which the {of} does not have.{near}", option=key)


def _names_of_format(format: str) -> Sequence[str]:
    return (
        *_OPTIONS_OF_FORMATS.get(format, "").split(),
        *FLINK_FORMAT_OPTIONS.get(format, ()),
        *format_options.names_of(format),
    )


def nearest_format(given: str) -> str:
    """Return `` Did you mean 'csv'?`` for the format of Spark's tables nearest to a name, an empty string if none is.

    >>> nearest_format("cvs"), nearest_format("csv"), nearest_format("org.example.source")
    (" Did you mean 'csv'?", '', '')
    """
    known = (*file_options.FORMATS, *connectors.TABLE_FORMATS, "jdbc", "binaryFile", "hive", *python_sources.names())
    return "" if fold(given) in map(fold, known) else did_you_mean(given, known)
