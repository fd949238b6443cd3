"""The options of JSON members that are defaults of their parameters; ``tableapi.members.symbols`` has all options."""

from __future__ import annotations

from enum import Enum


class JsonValueOnEmptyOrError(Enum):
    """The result of ``json_value`` if there is no value."""

    NULL = "NULL"
    ERROR = "ERROR"
    DEFAULT = "DEFAULT"


class JsonQueryWrapper(Enum):
    """The results of ``json_query`` that are wrapped in an array."""

    WITHOUT_ARRAY = "WITHOUT"
    CONDITIONAL_ARRAY = "CONDITIONAL"
    UNCONDITIONAL_ARRAY = "UNCONDITIONAL"


class JsonQueryOnEmptyOrError(Enum):
    """The result of ``json_query`` if there is no object or array."""

    NULL = "NULL"
    EMPTY_ARRAY = "EMPTY ARRAY"
    EMPTY_OBJECT = "EMPTY OBJECT"
    ERROR = "ERROR"
