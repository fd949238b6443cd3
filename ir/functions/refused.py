"""Functions of Spark and Flink that no query can call: by name in SQL, with the reason and what to do instead."""

from __future__ import annotations

from typing import Final

_STREAM = "it is for streams, and queries here run over bounded input"
_NANOSECONDS = "it is for timestamps of nanoseconds, which Spark has only under spark.sql.timestampNanosTypes.enabled"
_CALENDAR = "its result is an interval of months, days and microseconds at once, which no column and no view can hold"
_PARTS = "MAKE_YM_INTERVAL makes one of years and months, MAKE_DT_INTERVAL one of days to seconds."

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "current_row_timestamp": (_STREAM, "CURRENT_TIMESTAMP is the instant at which the query began."),
    "current_watermark": (_STREAM, "A window over a time knows its end."),
    "make_interval": (_CALENDAR, _PARTS),
    "proctime": (_STREAM, "Use a column that holds a time."),
    "source_watermark": (_STREAM, "A watermark of a table has no effect in batch."),
    "timestamp_nanos": (_NANOSECONDS, "Use TIMESTAMP_MICROS."),
    "try_make_interval": (_CALENDAR, _PARTS),
    "unix_nanos": (_NANOSECONDS, "Use UNIX_MICROS."),
}
