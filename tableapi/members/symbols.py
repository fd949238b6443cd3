"""Keyword arguments of functions as enumerations: units of time, and options of JSON functions."""

from __future__ import annotations

from enum import Enum

from tableapi.members.json_symbols import JsonQueryOnEmptyOrError, JsonQueryWrapper, JsonValueOnEmptyOrError

__all__ = [
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "TimeIntervalUnit",
    "TimePointUnit",
]


class TimeIntervalUnit(Enum):
    """Units of ``extract``, ``floor`` and ``ceil``; units with two fields are units of intervals."""

    MILLENNIUM = "MILLENNIUM"
    CENTURY = "CENTURY"
    DECADE = "DECADE"
    YEAR = "YEAR"
    YEAR_TO_MONTH = "YEAR TO MONTH"
    QUARTER = "QUARTER"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"
    DAY_TO_HOUR = "DAY TO HOUR"
    DAY_TO_MINUTE = "DAY TO MINUTE"
    DAY_TO_SECOND = "DAY TO SECOND"
    HOUR = "HOUR"
    SECOND = "SECOND"
    HOUR_TO_MINUTE = "HOUR TO MINUTE"
    HOUR_TO_SECOND = "HOUR TO SECOND"
    MINUTE = "MINUTE"
    MINUTE_TO_SECOND = "MINUTE TO SECOND"
    MILLISECOND = "MILLISECOND"
    DOW = "DOW"
    DOW_ISO = "DOW_ISO"
    DOY = "DOY"
    YEAROFWEEK = "YEAROFWEEK"
    EPOCH = "EPOCH"


class TimePointUnit(Enum):
    """Units of points in time."""

    YEAR = "YEAR"
    MONTH = "MONTH"
    DAY = "DAY"
    HOUR = "HOUR"
    MINUTE = "MINUTE"
    SECOND = "SECOND"
    QUARTER = "QUARTER"
    WEEK = "WEEK"
    MILLISECOND = "MILLISECOND"
    MICROSECOND = "MICROSECOND"


class JsonOnNull(Enum):
    """The treatment of NULL values in JSON constructors: keep them as null, or leave them out."""

    NULL = "NULL"
    ABSENT = "ABSENT"


class JsonType(Enum):
    """The kinds of JSON for ``is_json``."""

    VALUE = "VALUE"
    SCALAR = "SCALAR"
    ARRAY = "ARRAY"
    OBJECT = "OBJECT"


class JsonExistsOnError(Enum):
    """The result of ``json_exists`` if a strict path finds nothing, or the string is not JSON."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"
    ERROR = "ERROR"
