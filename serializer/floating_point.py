"""Writes floating-point numbers as the shortest decimal string that reads back as the same number."""

from __future__ import annotations

import math
import struct
from decimal import Decimal

_LARGEST_SINGLE = (2 - 2**-23) * 2.0**127


def float_text(
    value: float, *, single: bool = False, exponent: bool = False, through_double: bool = False
) -> str | None:
    """Return the string of a number, such as ``1.5`` or ``1.0E100``; None for NaN and infinities.

    Args:
        value: the number.
        single: whether the number has 32 bits, so that fewer digits identify it.
        exponent: whether to always write an exponent.
        through_double: whether the reader parses a 32-bit number as 64 bits first and rounds then.
    """
    if not math.isfinite(value):
        return None
    shortest = _shortest_single(value, through_double) if single else repr(value)
    if exponent and "e" not in shortest:
        digits = Decimal(shortest).normalize()
        shortest = f"{digits:e}" if value else f"{shortest}e0"
    if "e" not in shortest:
        return shortest if "." in shortest else shortest + ".0"
    mantissa, _, power = shortest.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(power)}"


def _shortest_single(value: float, through_double: bool) -> str:
    if value == 0.0:
        return repr(value)
    reads_back = _rounds_through_double if through_double else _rounds_at_once
    for digits in range(1, 10):
        text = f"{value:.{digits - 1}e}"
        if reads_back(text, value):
            return repr(float(text))  # the same digits, with an exponent only where Python, too, writes one
    return repr(value)  # rounded twice, even nine digits may miss the number; as one of 64 bits it is exact


def _rounds_through_double(text: str, value: float) -> bool:
    try:
        return bool(struct.unpack("<f", struct.pack("<f", float(text)))[0] == value)
    except OverflowError:
        return False


def _rounds_at_once(text: str, value: float) -> bool:
    """Whether the number is the 32-bit number nearest to the string.

    Spark rejects a string above the largest number, even if it would round to that number.
    """
    magnitude = abs(value)
    (bits,) = struct.unpack("<I", struct.pack("<f", magnitude))
    below = (_single(bits - 1) + magnitude) / 2
    above = (_single(bits + 1) + magnitude) / 2 if magnitude < _LARGEST_SINGLE else magnitude
    return Decimal(below) < abs(Decimal(text)) < Decimal(above)


def _single(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])
