"""Constants that are computed here because a type depends on them, or a function takes nothing else."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

CASES: list[tuple[str, Any]] = [
    ("ROUND(1.2345, 1 + 1)", Decimal("1.23")),
    ("ROUND(1.2345, 7 DIV 2)", Decimal("1.235")),
    ("ROUND(1.2345, -7 DIV 2 + 4)", Decimal("1.2")),
    ("ROUND(1.2345, 7 % 4)", Decimal("1.235")),
    ("ROUND(1.2345, -7 % 4 + 4)", Decimal("1.2")),
    ("ROUND(1.2345, -(-2))", Decimal("1.23")),
    ("ROUND(1.2345, CAST(2 AS TINYINT))", Decimal("1.23")),
    ("ROUND(155, -1 - 1)", 200),
    ("CEIL(1.2345, 1 + 1)", Decimal("1.24")),
    ("TO_NUMBER('12', '9' || '9')", Decimal(12)),
    ("DATE_PART('ye' || 'ar', DATE '2024-02-29')", 2024),
    ("NTILE(1 + 1) OVER (ORDER BY x) FROM VALUES (1) AS t(x)", 1),
    ("PERCENTILE(x, 0.25 + 0.25) FROM VALUES (1), (3) AS t(x)", 2.0),
    ("PERCENTILE(x, 0.5 * 0.5) FROM VALUES (1), (5) AS t(x)", 2.0),
    ("FROM_JSON('{\"a\":1}', 'a ' || 'INT').a", 1),
    ("FROM_JSON('{\"a\":1}', SCHEMA_OF_JSON('{\"a\":0}')).a", 1),
    ("FROM_JSON('[1,2.5]', SCHEMA_OF_JSON('[1,0.5]'))", [1.0, 2.5]),
    ('FROM_JSON(\'{"b":[{"c":null}],"a":"x"}\', SCHEMA_OF_JSON(\'{"b":[{"c":1},{}],"a":""}\'))', ("x", [(None,)])),
    ("FROM_CSV('1,x,true,.5', SCHEMA_OF_CSV('0,abc,FALSE,1.5'))", (1, "x", True, 0.5)),
]
FAILURES: list[tuple[str, str]] = []
