"""Binary operators: their precedence in each dialect, and the functions that they call.

Spark: https://spark.apache.org/docs/latest/sql-ref-operators.html#operator-precedence Flink: the operators of Calcite,
https://calcite.apache.org/docs/reference.html#operator-precedence
"""

from __future__ import annotations

from ir.rendering import Dialect

_COMPARISONS = ("=", "==", "<=>", "<>", "!=", "<", "<=", "!>", ">", ">=", "!<")

BINDING: dict[Dialect, dict[str, int]] = {
    Dialect.SPARK: {
        **dict.fromkeys(_COMPARISONS, 1),
        "|": 2,
        "^": 3,
        "&": 4,
        **dict.fromkeys(("<<", ">>", ">>>"), 5),
        **dict.fromkeys(("+", "-", "||"), 6),
        **dict.fromkeys(("*", "/", "%", "DIV"), 7),
    },
    Dialect.FLINK: {
        **dict.fromkeys(("=", "<>", "!=", "<", "<=", ">", ">="), 1),
        **dict.fromkeys(("+", "-"), 6),
        **dict.fromkeys(("*", "/", "%", "||"), 7),
    },
}
"""The precedence of each operator; all of them are left-associative."""

STEPS: frozenset[str] = frozenset(
    [
        *("SELECT", "EXTEND", "SET", "DROP", "AS", "WHERE", "AGGREGATE", "WINDOW", "PIVOT", "UNPIVOT", "TABLESAMPLE"),
        *("JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL", "SEMI", "ANTI", "ASOF", "LATERAL"),
        *("UNION", "EXCEPT", "MINUS", "INTERSECT"),
        *("ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "BIN"),
    ]
)
"""The words before which an unquoted | in the dialect SPARK starts a pipe step, like |>, and is not an operator."""

FUNCTIONS: dict[str, str] = {
    "!": "NOT",
    "==": "=",
    "!=": "<>",
    "!>": "<=",
    "!<": ">=",
    "<=>": "IS NOT DISTINCT FROM",
    "||": "CONCAT",
    "<<": "SHIFTLEFT",
    ">>": "SHIFTRIGHT",
    ">>>": "SHIFTRIGHTUNSIGNED",
}
"""The SQL names of the functions of operators whose symbols differ from these names."""
