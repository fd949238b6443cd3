"""Formats and options of file tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.file_formats import FLINK_FORMAT_OPTIONS
from ir.identifiers import fold
from ir.messages import Term, message
from ir.migration_page import Section, see
from tableapi.declarations import format_options
from tableapi.declarations.connectors import make_connector_error

Format = Literal["avro", "csv", "json", "orc", "parquet", "text", "xml"]
"""The supported file formats."""
FORMATS: Final[tuple[str, ...]] = get_args(Format)
_OPTIONS: Final = ("connector", "path", "format")
STREAMING: Final = "streaming"
"""The option that says whether a table is a stream: ``true`` or ``false``; by default, the mode decides."""
MONITOR_INTERVAL: Final = "source.monitor-interval"
"""Flink's option that makes a table of files a stream."""

_EXAMPLES: Final = {"csv": "header"}
# What Spark has in place of an option of Flink, by a name of its own.
_INSTEAD: Final = {
    "ignore-parse-errors": (
        "'{0}.mode' says what happens to a record that cannot be parsed: PERMISSIVE, the default, gives NULL, "
        "DROPMALFORMED leaves it out, and FAILFAST fails with the file."
    ),
    "timestamp-format.standard": "'{0}.timestampFormat' is the pattern of times, ISO 8601 by default.",
}

# Options that duplicate another part of the descriptor.
_OWN: Final = {"path": "the option 'path'", "partitionoverwritemode": "overwrite=True", "paths": "the option 'path'"}


def options_of_files(options: Mapping[str, str], name: str) -> tuple[str, dict[str, str]]:
    """Return the format of a file table, and the format's options by Spark's names.

    Args:
        options: the options of the descriptor.
        name: the name of the table in messages.

    Raises:
        ValidationException: the format is missing, or an option duplicates another part of the descriptor.
        TableException: the connector, the format or an option is not supported.
    """
    given = dict(options)
    connector = given.pop("connector", None)
    if connector != "filesystem":
        raise make_connector_error(connector, capitalize(name))
    owner, format = capitalize(name), given.pop("format", None)
    if format is None:
        call = Term("call format(…) with", "the option 'format' is")
        raise ValidationException(
            message(
                "{owner} has no format; {call} one of {formats}.", owner=owner, call=call, formats=listing(FORMATS)
            ),
            option_value="connector",
        )
    if format not in FORMATS:
        raise TableException(
            f"{capitalize(name)} has the format {format!r}; supported are {listing(FORMATS)}."
            + did_you_mean(format, FORMATS),
            option_value="format",
        )
    given.pop("path", None)
    found: dict[str, str] = {}
    for key, value in given.items():
        prefix, dot, rest = key.partition(".")
        if not dot or prefix != format:
            raise _make_option_error(key, f"{capitalize(name)} has the option {key!r}, which is not supported", format)
        found[_spark_option(format, rest, name)] = value
    if format == "xml" and "rowtag" not in map(fold, found):
        raise ValidationException(
            f"{capitalize(name)} has no option 'xml.rowTag', which names the element of a row, such as 'order'."
        )
    return format, found


def refuse_option(key: str) -> None:
    """Reject an option that no file table has in any format.

    Raises:
        TableException: the option does not exist.
    """
    prefix, dot, _ = key.partition(".")
    if key in (STREAMING, MONITOR_INTERVAL):
        return
    if key not in _OPTIONS if not dot else prefix not in FORMATS:
        raise _make_option_error(key, f"The option {key!r} is not supported", "csv")


def _make_option_error(key: str, problem: str, format: str) -> TableException:
    example = f"{format}.{'header' if format == 'csv' else 'compression'}"
    return TableException(
        f"{problem}: options are connector, path, format, streaming and those of the format, such as {example!r}."
        + (_reason(key) or did_you_mean(key, (*_OPTIONS, STREAMING))),
        option=key,
    )


def capitalize(name: str) -> str:
    """Return a name as the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def _reason(key: str) -> str:
    if key.startswith(("sink.", "source.", "auto-compaction", "compaction.", "scan.", "lookup.")):
        return (
            " It is one of Flink. Spark lists the files for each batch of a stream, and writes a batch at once; a "
            f"stream of files has options such as 'json.maxFilesPerTrigger'.{see(Section.STREAMS)}"
        )
    return ""


def _spark_option(format: str, key: str, name: str) -> str:
    if fold(key) in _OWN:
        raise ValidationException(
            f"{capitalize(name)} has the option '{format}.{key}'; that is said by {_OWN[fold(key)]}.",
            option=f"{format}.{key}",
        )
    known = FLINK_FORMAT_OPTIONS[format]
    if key in known:
        return known[key]
    if "-" in key:
        others = f"Of Flink's options there are [{listing(known)}]; further ones" if known else "Options of the format"
        advice = _INSTEAD.get(key) or f"{others} are Spark's, such as '{_EXAMPLES.get(format, 'compression')}'."
        raise TableException(
            f"{capitalize(name)} has the option '{format}.{key}', which is not supported. {advice.format(format)}"
            + did_you_mean(key, known),
            option=f"{format}.{key}",
        )
    format_options.require_known_option(format, key, capitalize(name))
    return key
