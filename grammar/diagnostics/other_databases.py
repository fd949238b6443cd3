"""Advises on syntax of other databases that SQL here does not support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grammar.diagnostics.repairs import Repair
from grammar.lexemes import Lexeme
from ir.dialects.operators import STEPS

_BY_NAME = "A set operation goes by the places of columns: name those of both queries in the same order."
_SAMPLE = "Write t TABLESAMPLE (10 PERCENT) or t TABLESAMPLE (10 ROWS)."
_VERSION = "Write t TIMESTAMP AS OF '2024-01-01' or t VERSION AS OF 1."
_LOCKED = "Leave it out: queries lock no rows."
_OF_ROWS_BEFORE = "Write WITH RECURSIVE r AS (SELECT … UNION ALL SELECT … FROM t JOIN r ON …) SELECT … FROM r."
_MATERIALIZED = "Leave it out: each reader of a query of WITH may compute it anew. Table.cache() keeps rows."
_GROUPS = "The bounds of a frame are of ROWS or of RANGE."
_ARROW = "With -> a lambda is written. Write GET_JSON_OBJECT(a, '$.b') for JSON in a text, a:b for a VARIANT."

# Advice by the words after |> or |.
_STEPS: Final[dict[str, str]] = {
    "RENAME": "Write |> SELECT a AS b, …, which names columns anew.",
    "DISTINCT": "Write |> SELECT DISTINCT *.",
    **dict.fromkeys(("HAVING", "FILTER", "QUALIFY"), "Write |> WHERE."),
    "GROUP": "Write |> AGGREGATE SUM(a) GROUP BY b.",
    "WINDOW … (": "Write |> EXTEND SUM(a) OVER (…) AS b.",
    "CALL": "Write |> JOIN LATERAL f(…), which joins the rows of a function.",
    "ASSERT": "Write |> WHERE, or |> EXTEND ASSERT_TRUE(…) to fail where a condition does not hold.",
    **dict.fromkeys(("TAKE", "HEAD", "TOP"), "Write |> LIMIT."),
}
# Advice by a sequence of words; # is any number, and … any word. Earlier entries win.
_FORMS: Final[dict[str, str]] = {
    **{f"{sign} {form}": advice for form, advice in _STEPS.items() for sign in ("|>", "|")},
    "DROP COLUMN …": "DROP takes the names of columns: |> DROP a, b.",
    **dict.fromkeys(("UNION BY NAME", "ALL BY NAME", "DISTINCT BY NAME"), _BY_NAME),
    **dict.fromkeys(("UNION CORRESPONDING", "ALL CORRESPONDING", "EXCEPT CORRESPONDING"), _BY_NAME),
    "* EXCLUDE …": "Write * EXCEPT (a, b).",
    "* REPLACE (": "Write * EXCEPT (a), … AS a: the column is the last one then.",
    "* RENAME (": "Write * EXCEPT (a), a AS b: the column is the last one then.",
    **dict.fromkeys(("USING SAMPLE", "SAMPLE #", "SAMPLE ( #"), _SAMPLE),
    **dict.fromkeys(("AT ( … =>", "BEFORE ( … =>"), _VERSION),
    **dict.fromkeys(("FOR UPDATE", "FOR SHARE", "FOR NO KEY"), _LOCKED),
    **dict.fromkeys(("CONNECT BY", "START WITH"), _OF_ROWS_BEFORE),
    "WITH TOTALS": "Write GROUP BY ROLLUP (a): in the row of all groups, a is NULL.",
    "LIMIT # BY": "Write QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) <= 5.",
    **dict.fromkeys(("AS MATERIALIZED (", "AS NOT MATERIALIZED ("), _MATERIALIZED),
    **dict.fromkeys(("GROUPS BETWEEN", "GROUPS UNBOUNDED", "GROUPS CURRENT", "GROUPS #"), _GROUPS),
    "SEPARATOR …": "Write LISTAGG(a, ',').",
    "( MAX )": "Write STRING, which has no greatest length.",
    "LAMBDA … :": "A lambda is written x -> x + 1.",
    "->": _ARROW,
    "~": "Write a RLIKE 'b'.",
    "* * …": "Write POWER(a, b).",
    "/ /": "Write a DIV b.",
    "|": "A step begins with |>, or with | before a word such as WHERE.",
}
_PATTERNS: Final = tuple([(form.split(), advice) for form, advice in _FORMS.items()])
_SIGNS: Final[dict[str, str]] = {
    "@": "; a parameter is written :a",
    "$": "; a parameter is written :a, or ? by its place",
    "#": "; a comment begins with --",
    **dict.fromkeys("{}", "; a row is written NAMED_STRUCT('a', 1), and a map MAP('a', 1)"),
}
_CASTS: Final[dict[str, str]] = {
    "STRUCT": "CAST(STRUCT(1, 'b') AS STRUCT<a INT, b STRING>)",
    "ARRAY": "CAST(ARRAY() AS ARRAY<INT>)",
}
_SORTED = (
    "Sort what is gathered: ARRAY_SORT(ARRAY_AGG(a)), and by another column "
    "TRANSFORM(ARRAY_SORT(ARRAY_AGG(STRUCT(b, a))), e -> e.a)."
)
_EXTREME = "Write MIN_BY(a, b), or MAX_BY(a, b) for the last one."
# Advice for ORDER BY among the arguments of a function.
_ORDERS: Final[dict[str, str]] = {
    **dict.fromkeys(
        ("LISTAGG", "STRING_AGG", "GROUP_CONCAT"),
        "The order stands behind the arguments: LISTAGG(a, ',') WITHIN GROUP (ORDER BY b).",
    ),
    **dict.fromkeys(("ARRAY_AGG", "COLLECT_LIST", "LIST", "GROUP_ARRAY"), _SORTED),
    **dict.fromkeys(("FIRST", "LAST", "FIRST_VALUE", "LAST_VALUE", "ANY_VALUE"), _EXTREME),
}


def sign_of_other_databases(sign: str) -> str:
    """Return the advice for a foreign sign, after a semicolon, or "" if there is none."""
    return _SIGNS.get(sign, "")


def find_other_form(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Return the advice for the foreign syntax at which parsing failed, None if it is unknown."""
    words = [lexeme.upper for lexeme in lexemes]
    step = _step_of_name(lexemes, words, failed)
    if step is not None:
        return step
    for pattern, advice in _PATTERNS:
        for first in range(max(0, failed - len(pattern) + 1), failed + 1):
            if _fits(words[first : first + len(pattern)], pattern):
                return _make_repair(lexemes, first, first + len(pattern) - 1, advice)
    return _select_into(lexemes, words, failed) or _order(lexemes, words, failed) or _brackets(lexemes, words, failed)


def _step_of_name(lexemes: Sequence[Lexeme], words: Sequence[str], failed: int) -> Repair | None:
    """Recognise a bitwise | before an unquoted name that is also the word of a pipe step."""
    for index in range(max(0, failed - 3), min(failed + 1, len(words) - 1)):
        if words[index] == "|" and words[index + 1] in STEPS:
            behind = words[index + 2 : index + 3]
            is_call = behind == ["("] and words[index + 1] in ("LEFT", "RIGHT")
            if index == failed or is_call or behind in (["FROM"], [","], [")"]):
                named = lexemes[index + 1].text
                advice = f"Before {named}, | begins a step. In an operation of bits, "
                advice += f"write ({named}(…))." if behind == ["("] else f"the name needs back-quotes: `{named}`."
                return _make_repair(lexemes, index, index + 1, advice)
    return None


def _fits(words: Sequence[str], pattern: Sequence[str]) -> bool:
    return len(words) == len(pattern) and all(
        wanted in (word, "…") or (wanted == "#" and word[:1].isdigit())
        for word, wanted in zip(words, pattern, strict=True)
    )


def _make_repair(lexemes: Sequence[Lexeme], first: int, last: int, advice: str) -> Repair:
    begin, end = lexemes[first], lexemes[last]
    return Repair(begin.position, end.position + len(end.text) - begin.position, advice)


def _select_into(lexemes: Sequence[Lexeme], words: Sequence[str], failed: int) -> Repair | None:
    for index in (failed, failed - 1):
        if words[index : index + 1] == ["INTO"] and words[0] in ("SELECT", "WITH"):
            advice = "Write INSERT INTO t SELECT …, or CREATE TABLE t AS SELECT … for a new table."
            return _make_repair(lexemes, index, index, advice)
    return None


def _order(lexemes: Sequence[Lexeme], words: Sequence[str], failed: int) -> Repair | None:
    """Recognise ORDER BY among the arguments of an aggregate."""
    if words[failed : failed + 2] != ["ORDER", "BY"]:
        return None
    depth = 0
    for index in range(failed - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(words[index], 0)
        if depth < 0:
            advice = _ORDERS.get(words[index - 1])
            return None if advice is None else _make_repair(lexemes, failed, failed + 1, advice)
    return None


def _brackets(lexemes: Sequence[Lexeme], words: Sequence[str], failed: int) -> Repair | None:
    """Recognise arrays in brackets, and typed constructors of rows and arrays."""
    if words[failed : failed + 1] == ["["] and words[failed + 1 : failed + 2] and not words[failed + 1].isidentifier():
        return _make_repair(lexemes, failed, failed, "An array is written ARRAY(1, 2), in FLINK ARRAY[1, 2].")
    if words[failed : failed + 1] == [">"]:
        for index in range(max(0, failed - 8), failed):
            if words[index + 1] == "<" and words[index] in _CASTS:
                return _make_repair(
                    lexemes, index, failed, f"Values are given a type by a cast: {_CASTS[words[index]]}."
                )
    return None
