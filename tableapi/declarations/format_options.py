"""The options of file formats, by Spark's names.

Source: https://spark.apache.org/docs/latest/sql-data-sources.html and the options of Spark's own classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ir.errors import TableException, did_you_mean
from ir.identifiers import fold

_FILES: Final = (
    "compression ignoreCorruptFiles ignoreMissingFiles pathGlobFilter recursiveFileLookup modifiedBefore modifiedAfter "
    "maxRecordsPerFile"
)
# How a stream finds and reads new files.
_FOLLOWED: Final = (
    "maxFilesPerTrigger maxBytesPerTrigger latestFirst maxFileAge maxCachedFiles discardCachedInputRatio fileNameOnly "
    "cleanSource sourceArchiveDir"
)
_TIMES: Final = "timeZone locale dateFormat timeFormat timestampFormat timestampNTZFormat enableDateTimeParsingFallback"
_RECORDS: Final = "mode columnNameOfCorruptRecord samplingRatio encoding charset lineSep multiLine singleVariantColumn"
_NAMES: Final[Mapping[str, str]] = {
    "csv": f"""{_FILES} {_TIMES} {_RECORDS} sep delimiter quote quoteAll escape escapeQuotes charToEscapeQuoteEscaping
        comment header inferSchema preferDate enforceSchema ignoreLeadingWhiteSpace ignoreTrailingWhiteSpace nullValue
        nanValue positiveInf negativeInf maxColumns maxCharsPerColumn emptyValue unescapedQuoteHandling codec
        inputBufferSize columnPruning extension""",
    "json": f"""{_FILES} {_TIMES} {_RECORDS} primitivesAsString prefersDecimal allowComments allowUnquotedFieldNames
        allowSingleQuotes allowNumericLeadingZeros allowNonNumericNumbers allowBackslashEscapingAnyCharacter
        allowUnquotedControlChars dropFieldIfAllNull ignoreNullFields inferTimestamp writeNonAsciiCharacterAsCodePoint
        pretty codec explodeEmbeddedArray sortKeys useUnsafeRow""",
    "text": f"{_FILES} wholetext lineSep encoding",
    "xml": f"""{_FILES} {_TIMES} {_RECORDS} rowTag rootTag excludeAttribute inferSchema attributePrefix valueTag
        ignoreSurroundingSpaces rowValidationXSDPath ignoreNamespace declaration arrayElementName nullValue
        wildcardColName validateName prefersDecimal indent preferDate useLegacyXMLParser""",
    "parquet": f"{_FILES} mergeSchema datetimeRebaseMode int96RebaseMode",
    "orc": f"{_FILES} mergeSchema",
    "avro": f"""{_FILES} mergeSchema mode avroSchema avroSchemaUrl recordName recordNamespace ignoreExtension
        datetimeRebaseMode positionalFieldMatching enableStableIdentifiersForUnionType
        stableIdentifierPrefixForUnionType recursiveFieldMaxDepth""",
}
# Other keys, such as parquet.block.size, are settings of the libraries behind a format.
_OF_SPARK: Final = re.compile(r"[A-Za-z0-9]+")


_PLACES: Final = ("path", "paths")


def require_spelled_option(format: str, key: str, owner: str) -> None:
    """Reject an option of a table of Spark's that is nearly one of its format, which Spark would pass over.

    Spark's formats also take options of the file systems and libraries behind them, so that other names are accepted.

    Args:
        format: the format, of which Spark may have further ones.
        key: the option, by Spark's name.
        owner: the table or view with the option, as the beginning of a sentence.

    Raises:
        TableException: the option is misspelt; the message has the nearest name.

    >>> require_spelled_option("csv", "fs.s3a.endpoint", "The table t")
    """
    if format not in _NAMES or _OF_SPARK.fullmatch(key) is None or fold(key) in _PLACES:
        return
    names = names_of(format)
    if fold(key) not in map(fold, names) and did_you_mean(key, names):
        require_known_option(format, key, owner)


def names_of(format: str) -> list[str]:
    """Return Spark's names of the options of a format, an empty list for an unknown format."""
    return [*_NAMES[format].split(), *_FOLLOWED.split()] if format in _NAMES else []


def require_known_option(format: str, key: str, owner: str) -> None:
    """Reject an option that a format does not have.

    Args:
        format: the format.
        key: the option, by Spark's name.
        owner: the table with the option, as the beginning of a sentence.

    Raises:
        TableException: the format has no such option; the message suggests the nearest name.

    >>> require_known_option("csv", "header", "The table t")
    """
    names = names_of(format)
    if _OF_SPARK.fullmatch(key) is not None and fold(key) not in map(fold, names):
        raise TableException(
            f"{owner} has the option '{format}.{key}', which the format {format} does not have."
            f"{did_you_mean(key, names)}",
            option=f"{format}.{key}",
        )
