"""Bitwise operators, whose syntax differs between dialects."""

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
    # Values of real Flink.
    ("BITMAP_TO_STRING(BITMAP_BUILD(ARRAY(CAST(NULL AS INT))))", "{}"),
    ("BITMAP_TO_STRING(BITMAP_BUILD(CAST(NULL AS ARRAY<INT>)))", None),
    ("BITMAP_TO_STRING(BITMAP_BUILD(ARRAY(2, 1, -1)))", "{1,2,4294967295}"),
    ("BITMAP_TO_STRING(BITMAP_AND(BITMAP_BUILD(ARRAY(1, 2)), BITMAP_BUILD(ARRAY(2, 3))))", "{2}"),
    ("BITMAP_TO_STRING(BITMAP_AND(BITMAP_BUILD(ARRAY(1)), BITMAP_BUILD(ARRAY(2))))", "{}"),
    ("BITMAP_TO_STRING(BITMAP_AND(BITMAP_BUILD(ARRAY(1, 2)), CAST(NULL AS ARRAY<INT>)))", None),
    ("BITMAP_TO_STRING(BITMAP_OR(BITMAP_BUILD(ARRAY(1, -2)), BITMAP_BUILD(ARRAY(2, 3))))", "{1,2,3,4294967294}"),
    ("BITMAP_TO_STRING(BITMAP_XOR(BITMAP_BUILD(ARRAY(1, 2)), BITMAP_BUILD(ARRAY(2, 3))))", "{1,3}"),
    ("BITMAP_TO_STRING(BITMAP_ANDNOT(BITMAP_BUILD(ARRAY(1, 2)), BITMAP_BUILD(ARRAY(2, 3))))", "{1}"),
    ("BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY(1, 2, 2, -1)))", 3),
    ("BITMAP_BUILD_CARDINALITY_AGG(x) FROM VALUES (NULL), (3), (-1), (3) AS t(x)", 2),
    ("BITMAP_BUILD_CARDINALITY_AGG(x) FROM VALUES (CAST(NULL AS INT)) AS t(x)", None),
    ("BITMAP_OR_CARDINALITY_AGG(x) FROM VALUES (NULL), (ARRAY(3, 1)), (ARRAY(-1, 3)) AS t(x)", 3),
    ("BITMAP_AND_CARDINALITY_AGG(x) FROM VALUES (NULL), (ARRAY(3, 1)), (ARRAY(-1, 3)), (ARRAY(3)) AS t(x)", 1),
    ("BITMAP_XOR_CARDINALITY_AGG(x) FROM VALUES (NULL), (ARRAY(3, 1)), (ARRAY(-1, 3)) AS t(x)", 2),
    ("BITMAP_XOR_CARDINALITY_AGG(x) FROM VALUES (NULL), (ARRAY(3, 1)), (ARRAY(-1, 3)), (ARRAY(3)) AS t(x)", 3),
    # Derived by hand.
    ("BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY(2, -1, -2147483648, 2147483647, 0)))", [0, 2, 2147483647, -2147483648, -1]),
    ("BITMAP_BUILD_AGG(x) FROM VALUES (NULL), (3), (-1), (3) AS t(x)", [3, -1]),
    ("BITMAP_BUILD_AGG(x) FILTER (WHERE x > 7) FROM VALUES (3) AS t(x)", None),
    ("BITMAP_XOR_AGG(x) FROM VALUES (ARRAY(3, 1)), (ARRAY(3, 3, NULL)) AS t(x)", [1]),
    ("BITMAP_OR(ARRAY(5, NULL, 5), ARRAY(4))", [4, 5]),
    ("BITMAP_XOR(ARRAY(1), ARRAY(1))", []),
    ("BITMAP_AND(CAST(ARRAY() AS ARRAY<INT>), ARRAY(1))", []),
    ("BITMAP_ANDNOT(ARRAY(1, 2, -1, NULL), ARRAY(-1))", [1, 2]),
    *[
        (f"BITMAP_{function}({arguments})", None)
        for function in ("AND", "ANDNOT", "OR", "XOR")
        for arguments in ("CAST(NULL AS ARRAY<INT>), ARRAY(1)", "ARRAY(1), CAST(NULL AS ARRAY<INT>)")
    ],
    ("BITMAP_CARDINALITY(CAST(NULL AS ARRAY<INT>))", None),
    ("BITMAP_CARDINALITY(CAST(ARRAY() AS ARRAY<INT>))", 0),
    ("BITMAP_TO_ARRAY(CAST(NULL AS ARRAY<INT>))", None),
    ("BITMAP_TO_ARRAY(CAST(ARRAY() AS ARRAY<INT>))", []),
    *[
        (f"BITMAP_{function}_AGG(x) FROM VALUES (CAST(NULL AS ARRAY<INT>)) AS t(x)", None)
        for function in ("XOR", "OR_CARDINALITY", "AND_CARDINALITY", "XOR_CARDINALITY")
    ],
    ("BITMAP_AND_CARDINALITY_AGG(x) FROM VALUES (ARRAY(1)), (CAST(ARRAY() AS ARRAY<INT>)) AS t(x)", 0),
]
FAILURES: list[tuple[str, str]] = [("1 DIV 0", "DIVIDE_BY_ZERO")]
