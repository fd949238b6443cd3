"""Numeric functions that Spark lacks, and edge cases of others. Marked values are those of Flink 2.3."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any

CASES: list[tuple[str, Any]] = [
    # Flink's own values.
    ("TRUNCATE(-2.99)", Decimal("-2")),
    ("TRUNCATE(123.456, -1)", Decimal("120")),
    ("TRUNCATE(2.345, 1)", Decimal("2.3")),
    ("TRUNCATE(CAST(2.345 AS DECIMAL(10, 3)), 5)", Decimal("2.345")),
    ("TRUNCATE(CAST(-2.5 AS DOUBLE))", -2.0),
    ("TRUNCATE(CAST(-5 AS INT), -1)", 0),
    ("TRUNCATE(CAST(2.5 AS FLOAT), 0)", 2.0),
    # Derived by hand: toward zero, by the displayed digits.
    ("TRUNCATE(CAST(42.345 AS DOUBLE), 2)", 42.34),
    ("TRUNCATE(CAST(-42.345 AS DOUBLE), 2)", -42.34),
    ("TRUNCATE(CAST(2.3 AS FLOAT), 1) = CAST(2.3 AS FLOAT)", True),
    ("TRUNCATE(CAST(0.29 AS DOUBLE), 2)", 0.29),
    ("TRUNCATE(CAST(1E300 AS DOUBLE))", 1e300),
    ("TRUNCATE(CAST(1987 AS BIGINT), -2)", 1900),
    ("TRUNCATE(CAST(-128 AS TINYINT), -1)", -120),
    ("TRUNCATE(CAST(1987 AS SMALLINT), 2)", 1987),
    ("TRUNCATE(CAST(NULL AS DECIMAL(10, 3)), 1)", None),
    ("TRUNCATE(CAST(NULL AS DOUBLE), 1)", None),
    ("TRUNCATE(CAST(NULL AS INT), -1)", None),
    ("RAND_INTEGER(1)", 0),
    ("RAND_INTEGER(CAST(NULL AS INT))", None),
    ("RAND_INTEGER(3, 5) = RAND_INTEGER(3, 5)", True),
    ("RAND_INTEGER(5, 10) BETWEEN 0 AND 9", True),
    # The functions of the SHA-2 family are Flink's, by the number of bits.
    ("SHA224('a')", "abd37534c7d9a2efb9465de931cd7055ffdb8879563ae98078d6d6d5"),
    ("SHA256('a')", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
    (
        "SHA384('a')",
        "54a59b9f22b0b80880d8427e548b7c23abd873486e1f035dce9cd697e85175033caa88e6d57bc35efae0b5afd3145f31",
    ),
    ("SHA256(CAST(NULL AS STRING))", None),
    # Functions that become the tree of another function.
    ("IF(NULL, 1, 2)", 2),
    ("NVL2(CAST(NULL AS INT), 'a', 'b')", "b"),
    ("NVL(NULL, 3)", 3),
    ("NULLIFZERO(0)", None),
    ("NULLIFZERO(7)", 7),
    ("ZEROIFNULL(CAST(NULL AS INT))", 0),
    ("EQUAL_NULL(NULL, NULL)", True),
    ("POSITIVE('1.5')", 1.5),
    ("NEGATIVE(2)", -2),
    ("WHEN(FALSE, 1)", None),
    ("NULLIF('a', 'a')", None),
    # Logarithms of non-positive numbers are NULL, unlike in Flink.
    ("LN(0)", None),
    ("LOG10(-1)", None),
    ("LOG(2, 8)", 3.0),
    ("LOG(2, 0)", None),
    ("ROUND(-2.5)", Decimal("-3")),
    ("BROUND(-2.5)", Decimal("-2")),
    ("ROUND(15, -1)", 20),
    ("BROUND(25, -1)", 20),
    ("CEIL(-0.5)", Decimal("0")),
    ("FLOOR(-0.5)", Decimal("-1")),
    ("GREATEST(NULL, 1)", 1),
    ("LEAST(CAST(NULL AS INT), CAST(NULL AS INT))", None),
    # The digests are Python's own.
    *[
        (f"SHA{bits}({written})", hashlib.new(f"sha{bits}", value).hexdigest())
        for bits in (224, 256, 384, 512)
        for written, value in (("''", b""), ("'é😀'", "é😀".encode()), ("X'00FF'", bytes([0, 255])))
    ],
    *[(f"SHA{bits}(CAST(NULL AS STRING))", None) for bits in (224, 384, 512)],
    # Beyond the existing digits, and at the bounds of types.
    ("TRUNCATE(99, -5)", 0),
    ("TRUNCATE(9223372036854775807L, -1)", 9223372036854775800),
    ("TRUNCATE(CAST(-9223372036854775808 AS BIGINT), -18)", -9000000000000000000),
    ("TRUNCATE(CAST(99999999999999999999999999999999999999 AS DECIMAL(38, 0)), -37)", Decimal(9 * 10**37)),
    ("TRUNCATE(CAST(-0.5 AS DOUBLE))", 0.0),
    ("TRUNCATE(CAST('NaN' AS DOUBLE))", "NaN"),
    ("TRUNCATE(x, 100) FROM VALUES (1.25D) AS t(x)", 1.25),
    ("RAND_INTEGER(1, CAST(NULL AS INT))", None),
]
FAILURES: list[tuple[str, str]] = [
    ("TRUNCATE(CAST('NaN' AS DOUBLE), 1)", "CAST_INVALID_INPUT"),
    ("ABS(CAST(-128 AS TINYINT))", "ARITHMETIC_OVERFLOW"),
    ("TRUNCATE(CAST(1E30 AS DOUBLE), 1)", "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"),
    ("RAISE_ERROR('no')", "USER_RAISED_EXCEPTION"),
]
