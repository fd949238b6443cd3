"""Number formats of ``TO_NUMBER`` and ``TO_CHAR``.

Source: https://spark.apache.org/docs/latest/sql-ref-number-pattern.html
"""

from __future__ import annotations

import re

from ir.types import MAX_DECIMAL_PRECISION, DecimalType

_FORMAT = re.compile(r"(?P<sign>MI|S)?\$?(?P<whole>[09]+(?:[G,][09]+)*)?(?:[.D](?P<fraction>[09]*))?(?P<end>PR|MI|S)?")


def number_type(text: str) -> DecimalType | None:
    """Return the type of the numbers in a format, None for an invalid format.

    >>> number_type("S9G999D99")
    DECIMAL(6, 2)
    """
    match = _FORMAT.fullmatch(text.upper())
    if match is None or (match["sign"] and match["end"] in ("MI", "S")):
        return None
    whole, fraction = re.sub("[G,]", "", match["whole"] or ""), match["fraction"] or ""
    precision = len(whole) + len(fraction)
    return DecimalType(precision, len(fraction)) if 0 < precision <= MAX_DECIMAL_PRECISION else None
