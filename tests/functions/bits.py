"""Operators of bits, whose forms differ between dialects."""

from __future__ import annotations

from typing import Any

CASES: list[tuple[str, Any]] = [
    ("5 & 3", 1),
    ("5 | 3", 7),
    ("5 ^ 3", 6),
    ("~5", -6),
    ("1 << 33", 2),
    ("-1 >>> 28", 15),
    ("CAST(NULL AS INT) & 1", None),
]
FAILURES: list[tuple[str, str]] = [("1 DIV 0", "DIVIDE_BY_ZERO")]
