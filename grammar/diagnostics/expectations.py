"""Describes what the parser expects at a position: kinds of syntax rather than each possible word."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from grammar.parser import Parser

_MOST = 8
_UNITS = (
    "YEAR",
    "QUARTER",
    "MONTH",
    "WEEK",
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "MILLISECOND",
    "MICROSECOND",
    "NANOSECOND",
)
# Keywords that may be names almost everywhere.
_NAMES = {"NAME", "QUOTED", "KEY", "BOTH", "LEADING", "TRAILING", "TIMESTAMP", "INTERVAL", "VERSION", "CHANGES"}
STATEMENTS = {
    "ALTER", "ANALYZE", "BEGIN", "CACHE", "CREATE", "DELETE", "DESC", "DESCRIBE", "DROP", "END", "EXECUTE", "EXPLAIN",
    "INSERT", "MERGE", "REFRESH", "REPAIR", "REPLACE", "RESET", "SET", "SHOW", "TRUNCATE", "UNCACHE", "UPDATE", "USE",
    "COMPILE", "ADD", "LIST", "REMOVE", "STATEMENT", "UNLOAD", "LOAD", "CLEAR", "DECLARE", "MSCK", "COMMENT",
}  # fmt: skip
"""The words that begin statements other than queries."""
# Kinds of syntax: the description, the terminals that identify the kind, and all terminals that it covers.
_KINDS: tuple[tuple[str, set[str], set[str]], ...] = (
    ("a query", {"SELECT", "VALUES", "FROM"}, {"SELECT", "VALUES", "FROM", "WITH", "TABLE", "MAP … USING"}),
    ("another statement", {"CREATE", "DROP"}, STATEMENTS),
    ("a table", {"NAME", "VALUES", "LPAR"}, {*_NAMES, "VALUES", "TABLE", "LATERAL"}),
    ("a type", {"NAME", "ARRAY", "MAP"}, {*_NAMES, "ARRAY", "MAP", "ROW", "STRUCT", "MULTISET", "DOUBLE", "NULL"}),
    ("a unit such as DAY", {"DAY", "HOUR"}, {*_UNITS, *[f"{unit}S" for unit in _UNITS]}),
    (
        "a join",
        {"JOIN", "LEFT", "CROSS"},
        {"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "SEMI", "ANTI", "ASOF"},
    ),
    ("a name", {"NAME"}, _NAMES),
    ("text in quotes", {"SPARK_STRING"}, set()),
    ("text in quotes", {"FLINK_STRING"}, set()),
    ("a number", {"NUMBER"}, set()),
    ("a parameter", {":", "?"}, set()),
)
_CLAUSES = ("FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION")
_SEVERAL = 3
# Omitted if anything else may follow: rare clauses, and clauses of the JSON functions.
_RARE = {
    "QUALIFY", "WINDOW", "SORT", "DISTRIBUTE", "CLUSTER", "OFFSET", "FETCH", "EXCEPT", "MINUS", "INTERSECT", "PIVOT",
    "UNPIVOT", "TABLESAMPLE", "LATERAL", "FOR", "|>", "VERSION", "TIMESTAMP", "SYSTEM_VERSION", "SYSTEM_TIME", "ABSENT",
    "CHANGES",
    "DEFAULT", "EMPTY", "ERROR", "RETURNING", "WITHOUT", "WITH", "UNKNOWN", "PLACING", "TO", "VALUE", "->", "=>", "/*+",
    ";", "GROUPING", "COMMENT", "MAP", "MAP … USING", "WORD OF A CLAUSE", "EXACT", "APPROX", "WATERMARK", "STREAM",
    "IDENTIFIED", "ANY", "INSERT", "( … ROWS",
}  # fmt: skip
# _SCRIPT: words that begin a script, which only follow TRANSFORM (…). _BEHIND_ARGUMENTS: words that only follow an
# argument of a JSON function or of a function with keyword arguments.
_SCRIPT = {"ROW", "USING"}
_BEHIND_ARGUMENTS = {"NULL", "TRUE", "FALSE", "FROM"}
_TERMINALS = {"NAME", "QUOTED", "NUMBER", "SPARK_STRING", "FLINK_STRING", "LPAR"}
_FIRST = (",", ")", "]", ">")


@cache
def _expression_starts(parser: Parser) -> frozenset[str]:
    return frozenset(parser.expected(parser.begin("only_expression")))


@cache
def _operators(parser: Parser) -> frozenset[str]:
    states = parser.begin("only_expression")
    parser.step(states, parser.word("x"))
    return frozenset(parser.expected(states)) - {"$END"}


@cache
def _find_terminals_after_calls(parser: Parser) -> frozenset[str]:
    states = parser.begin("only_expression")
    for lexeme in (parser.word("x"), parser.sign("("), parser.sign(")")):
        parser.step(states, lexeme)
    return frozenset(parser.expected(states)) - {"$END"}


def describe_expected(terminals: Iterable[str], parser: Parser) -> str:
    """Describe the expected terminals as a list of about eight items at most."""
    left = set(terminals)
    said: list[str] = []
    if {"NAME", "NUMBER", "CASE", "LPAR"} <= left:
        said.append("an expression")
        left -= _expression_starts(parser) - {"SELECT"}
    elif {"PLUS", "STAR"} <= left:
        said.append("an operator")
        # After BETWEEN, AND completes the predicate, so that it is listed in addition to the operators.
        left -= (_operators(parser) | _find_terminals_after_calls(parser)) - (set() if "IN" in left else {"AND"})
        # After a value, a unit of time would begin an interval, which is not worth a mention.
        left -= {*_UNITS, *[f"{unit}S" for unit in _UNITS]}
    texts = parser.texts()
    words = {terminal if terminal in _TERMINALS else texts.get(terminal, terminal).upper() for terminal in left}
    for kind, needed, members in _KINDS:
        if needed <= words and kind not in said:
            said.append(kind)
            words -= members | needed
            if kind == "a table":
                said.append("a subquery in parentheses")
                words -= {"LPAR"}
    words -= _TERMINALS - {"LPAR"}
    if said:
        words -= {"LPAR"}
    if {"a join", "a table"} & set(said):
        words -= {"FROM"}
    if "RETURNING" in words and "COMMA" in left:
        words -= _BEHIND_ARGUMENTS
    if words >= _SCRIPT and "WHERE" in words:
        words -= _SCRIPT
    common = [word for word in _CLAUSES if word in words]
    last = ["the end"] if "$END" in words else []
    words -= {"$END"}
    if len(words - _RARE) + len(said) > 0:
        words -= _RARE
    if len(common) >= _SEVERAL:
        last.insert(0, f"a clause ({', '.join(map(_spell, common[:2]))} …)")
        words -= set(_CLAUSES)
    signs = sorted((w for w in words if not w[0].isalpha() or w == "LPAR"), key=lambda w: (w not in _FIRST, w))
    said += [repr("(" if sign == "LPAR" else sign) for sign in signs]
    named = sorted(map(_spell, words - set(signs)))
    room = max(2, _MOST - len(said) - len(last))
    said += named if len(named) <= room else [*named[: room - 1], "…"]
    said += last
    if said[-1:] == ["…"]:
        return ", ".join(said)
    return " or ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


def _spell(word: str) -> str:
    return f"{word} BY" if word in ("GROUP", "ORDER") else word
