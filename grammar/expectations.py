"""What could follow at a place of a text, in words: kinds of things rather than each word that could begin one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from grammar.parser import Parser

_MOST = 8
# Shown by what they are, where any of them could follow.
_KINDS = (
    ("a query", {"SELECT", "VALUES", "FROM"}, {"SELECT", "VALUES", "FROM", "WITH", "TABLE"}),
    ("a statement", {"CREATE", "DROP", "SHOW"}, {
        "ALTER", "BEGIN", "CREATE", "DESC", "DESCRIBE", "DROP", "EXECUTE", "EXPLAIN", "INSERT", "SHOW", "USE"}),
    ("a table", {"NAME", "VALUES", "TABLE", "LATERAL"}, {"NAME", "QUOTED", "VALUES", "TABLE", "LATERAL"}),
    ("a table", {"NAME", "VALUES", "TABLE", "LPAR"}, {"NAME", "QUOTED", "VALUES", "TABLE"}),
    ("a type", {"NAME", "ARRAY", "MAP"}, {"NAME", "ARRAY", "MAP", "ROW", "STRUCT", "MULTISET", "DOUBLE", "NULL"}),
    ("a unit such as DAY", {"DAY", "HOUR"}, {f"{u}{s}" for s in ("", "S") for u in (
        "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND",
        "NANOSECOND")}),
    ("a join", {"JOIN", "LEFT", "CROSS"}, {
        "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "SEMI", "ANTI"}),
    ("a name", {"NAME"}, {"NAME", "QUOTED", "KEY", "BOTH", "LEADING", "TRAILING"}),
    ("text in quotes", {"SPARK_STRING"}, {"SPARK_STRING", "FLINK_STRING"}),
    ("text in quotes", {"FLINK_STRING"}, {"SPARK_STRING", "FLINK_STRING"}),
    ("a number", {"NUMBER"}, {"NUMBER"}),
)  # fmt: skip
_CLAUSES = ("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION")
_CLAUSE_WORDS = {
    "FROM", "WHERE", "GROUP", "HAVING", "QUALIFY", "WINDOW", "ORDER", "SORT", "DISTRIBUTE", "CLUSTER", "LIMIT", "OFFSET",
    "FETCH", "UNION", "EXCEPT", "MINUS", "INTERSECT", "PIVOT", "UNPIVOT", "TABLESAMPLE", "LATERAL", "FOR", "|>",
    "VERSION", "TIMESTAMP", "SYSTEM_VERSION", "SYSTEM_TIME",
}  # fmt: skip
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
def _after_calls(parser: Parser) -> frozenset[str]:
    states = parser.begin("only_expression")
    for lexeme in (parser.word("x"), parser.sign("("), parser.sign(")")):
        parser.step(states, lexeme)
    return frozenset(parser.expected(states)) - {"$END"}


def in_words(terminals: Iterable[str], parser: Parser) -> str:
    """Return what could follow, as a list of at most some eight items."""
    texts = parser.texts()
    left = set(terminals)
    # By the words themselves, whatever the terminals of the grammar are called.
    said: list[str] = []
    starts, operators = _expression_starts(parser), _operators(parser)
    if {"NAME", "NUMBER", "CASE", "LPAR"} <= left:
        has_query = "SELECT" in left
        said.append("an expression")
        left -= starts
        if has_query and {"SELECT", "VALUES"} <= left:
            said.append("a query")
            left -= _KINDS[0][2]
    elif {"PLUS", "STAR", "IN"} <= left:
        said.append("an operator")
        left -= operators | _after_calls(parser)
    shown = {texts.get(terminal, terminal).upper(): terminal for terminal in left}
    for label, needed, members in _KINDS:
        if needed <= shown.keys() | left:
            if label not in said:
                said.append(label)
            shown = {
                text: terminal for text, terminal in shown.items() if text not in members and terminal not in members
            }
            left = set(shown.values())
    clauses = [word for word in _CLAUSES if word in shown]
    rest: list[str] = []
    if len(clauses) > 2:
        rest.append("a clause such as " + " or ".join(f"{w} BY" if w in ("GROUP", "ORDER") else w for w in clauses[:3]))
        shown = {text: terminal for text, terminal in shown.items() if text not in _CLAUSE_WORDS}
    end = shown.pop("$END", None)
    signs = sorted((text for text in shown if not text[0].isalpha()), key=lambda t: (t not in _FIRST, t))
    words = sorted(text for text in shown if text[0].isalpha())
    if "QUOTED" in words and "a name" in said:
        words.remove("QUOTED")
    said += [repr("(" if sign == "LPAR" else sign) for sign in signs if sign not in (";",)] + rest
    if end is not None:
        said.append("the end")
    room = _MOST - len(said)
    if len(words) > room:
        words = [*words[: max(2, room - 1)], "…"]
    said += words
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 and said[-1] != "…" else [", ".join(said)])
