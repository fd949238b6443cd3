"""Check the range and the options of a change feed."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import ValueLiteral
from ir.identifiers import fold
from ir.operations.source import ChangeRange, Moment, ReadOptions

_DEDUPLICATION: Final = ("none", "dropCarryovers", "netChanges")
_BOOLEANS: Final = ("true", "false")
_VALUES: Final = {"deduplicationmode": _DEDUPLICATION, "computeupdates": _BOOLEANS}


def check_range(changes: ChangeRange, options: ReadOptions) -> None:
    """Reject a range that contains nothing, and invalid values of the options of Spark's clause CHANGES.

    Raises:
        ValidationException: the range ends before it begins, mixes a version with a time, or an option has an invalid
            value.
    """
    start, end = changes.start, changes.end
    if end is not None and isinstance(start, str) is not isinstance(end, str):
        raise ValidationException("A change feed is read between two versions or two times, not one of each.")
    first, last = _comparable(start), _comparable(end)
    if first is not None and last is not None and type(first) is type(last) and first > last:
        raise ValidationException(f"The change feed ends before it begins: {changes.describe()}.")
    for key, value in options:
        accepted = _VALUES.get(fold(key))
        if accepted is not None and fold(value) not in map(fold, accepted):
            raise ValidationException(
                f"The option {key!r} of a change feed takes one of [{listing(accepted)}], but was given {value!r}."
                + did_you_mean(value, accepted)
            )


def _comparable(moment: Moment | None) -> Any:
    if isinstance(moment, str):
        return int(moment) if moment.isdecimal() else None
    value = moment.value if isinstance(moment, ValueLiteral) else None
    return value if isinstance(value, int | dt.datetime) else None
