"""Every keyword of Spark in every position of a name: read as in Spark, as a name or not."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from grammar import syntax as s
from grammar.errors import Misread, SyntaxProblem
from grammar.lexemes import Token
from grammar.parsers import parser
from ir.rendering import Dialect
from tests.cases import some_nightly
from tests.words.positions import POSITIONS
from tests.words.record import FILE, NAME

pytestmark = pytest.mark.long

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
WORDS = RECORDED.pop("")["keywords"]

# The number of positions in which a word is read differently, by reason.
OTHERWISE: dict[str, dict[str, int]] = {
    # Both readings fit. The word is read as a keyword here, while Spark looks further ahead: SELECT a EXCEPT FROM t.
    "keyword": {
        "all": 8,
        "collate": 1,
        "day": 2,
        "days": 2,
        "distinct": 1,
        "div": 1,
        "except": 12,
        "false": 1,
        "from": 19,
        "having": 3,
        "hour": 2,
        "hours": 2,
        "in": 10,
        "intersect": 12,
        "limit": 4,
        "microsecond": 2,
        "microseconds": 2,
        "millisecond": 2,
        "milliseconds": 2,
        "minus": 12,
        "minute": 2,
        "minutes": 2,
        "month": 2,
        "months": 2,
        "nanosecond": 2,
        "nanoseconds": 2,
        "not": 1,
        "null": 1,
        "offset": 4,
        "over": 1,
        "overlaps": 10,
        "qualify": 3,
        "quarter": 2,
        "second": 2,
        "seconds": 2,
        "select": 2,
        "tablesample": 2,
        "true": 1,
        "union": 12,
        "values": 8,
        "week": 2,
        "weeks": 2,
        "where": 3,
        "year": 2,
        "years": 2,
    },
    # Spark has a special tree for the word, as a call or as a value without parentheses; here it is an ordinary name or
    # call.
    "special": {
        "any_value": 1,
        "current_date": 4,
        "current_path": 87,
        "current_time": 4,
        "current_timestamp": 4,
        "current_user": 4,
        "first": 1,
        "from": 3,
        "having": 4,
        "identifier": 2,
        "join": 3,
        "last": 1,
        "limit": 4,
        "localtime": 4,
        "offset": 4,
        "qualify": 4,
        "session_user": 4,
        "stream": 2,
        "struct": 5,
        "unnest": 1,
        "user": 4,
        "where": 4,
    },
    # A word that begins a clause is an alias without AS only before a comma, FROM or a join. TRUE, FALSE and NULL are
    # no functions.
    "refused": {
        "as": 4,
        "cluster": 21,
        "distribute": 21,
        "false": 10,
        "fetch": 21,
        "from": 23,
        "group": 21,
        "having": 19,
        "join": 2,
        "limit": 19,
        "null": 10,
        "offset": 19,
        "order": 21,
        "qualify": 19,
        "select": 41,
        "sort": 21,
        "true": 10,
        "where": 19,
        "window": 21,
    },
    # Spark rejects the word, and it has no other meaning here.
    "accepted": {
        "all": 1,
        "having": 1,
        "identifier": 8,
        "lateral": 1,
        "limit": 1,
        "natural": 2,
        "not": 1,
        "offset": 1,
        "qualify": 1,
        "tablesample": 1,
        "where": 1,
        "x": 1,
    },
}


def differences() -> dict[str, dict[str, int]]:
    """Return the number of positions in which each word is read differently from Spark, by kind."""
    reader = parser(Dialect.SPARK)
    found: dict[str, Counter[str]] = {kind: Counter() for kind in OTHERWISE}
    for position in POSITIONS:
        refused, other = (set(RECORDED[position][kind]) for kind in ("refused", "other"))
        named = _shape(reader.parse(position.replace("{}", NAME), "sql"))
        for word in WORDS:
            wanted = "refused" if word in refused else "other" if word in other else "name"
            try:
                made = _shape(reader.parse(position.replace("{}", word), "sql"))
                read = "name" if made == _with(named, word) else "other"
            except (SyntaxProblem, Misread):
                read = "refused"
            if read != wanted:
                found[_kind(wanted, read)][word] += 1
    return {kind: dict(sorted(words.items())) for kind, words in found.items()}


@pytest.mark.slow
def test_words_are_names_where_they_are_in_spark() -> None:
    assert len(POSITIONS) * len(WORDS) > 90_000
    assert differences() == OTHERWISE


_OTHER_NAME = "another_name"
# Two aliases without AS in one query.
_PAIRS = (
    "SELECT 1 FROM t {}, u []",
    "SELECT 1 FROM t {} JOIN u []",
    "SELECT 1 FROM t {} JOIN u [] ON c",
    "SELECT 1 FROM (SELECT 1) {} LEFT JOIN u [] USING (c)",
    "SELECT x {}, y [] FROM t",
    "SELECT x {} FROM t []",
    "SELECT x {} FROM t [] WHERE y",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", some_nightly(_PAIRS, each=len(_PAIRS)))
def test_two_words_are_names_where_each_of_them_is(text: str) -> None:
    reader = parser(Dialect.SPARK)
    words = [word.lower() for word in reader.keywords() if " " not in word]

    def read(first: str, second: str) -> Any:
        try:
            return _shape(reader.parse(text.replace("{}", first).replace("[]", second), "sql"))
        except (SyntaxProblem, Misread):
            return None

    def quoted(first: str, second: str) -> Any:
        return read(f"`{first}`", f"`{second}`")

    # Words that may begin another construct behind a relation or an expression; all others are names at once.
    behind = {
        word for begun in ("SELECT 1 FROM t JOIN u", "SELECT 1 FROM t x JOIN u", "SELECT x") for word in _behind(begun)
    }
    firsts = [word for word in words if read(word, NAME) == quoted(word, NAME)]
    seconds = [word for word in words if read(NAME, word) == quoted(NAME, word)]
    assert len(firsts) > 200
    assert {"watermark", "approx", "exact"} <= {*firsts} & {*seconds} & behind
    pairs = [(a, b) for a in firsts for b in seconds if a in behind or b in behind]
    # Quoted words are names, whichever they are: the tree of one pair gives the trees of all.
    of_names = quoted(NAME, _OTHER_NAME)
    assert of_names == read(NAME, _OTHER_NAME)
    assert [(a, b) for a, b in pairs if read(a, b) != _renamed(of_names, {NAME: a, _OTHER_NAME: b})] == []


def _behind(begun: str) -> list[str]:
    """Return the keywords that may follow the beginning of a query."""
    reader = parser(Dialect.SPARK)
    states = reader.begin("sql")
    for lexeme in reader.lexemes(begun, len(begun), 1)[:-1]:
        assert reader.step(states, lexeme)
    texts = reader.texts()
    return [texts[terminal].lower() for terminal in reader.expected(states) if terminal in texts]


def _kind(wanted: str, found: str) -> str:
    if found == "refused":
        return "refused"
    if wanted == "refused":
        return "accepted"
    return "keyword" if found == "other" else "special"


def _shape(part: Any) -> Any:
    """Return a node as tuples without positions, in which quotes around names make no difference."""
    if isinstance(part, s.Name):
        return "name", part.text
    if isinstance(part, Token):
        return "token", part.text
    if isinstance(part, s.Syntax):
        # Integers are positions; numbers in the SQL text are strings.
        values = [value for name in s.fields_of(part) if type(value := getattr(part, name)) is not int]
        return type(part).__name__, *map(_shape, values)
    if isinstance(part, (list, tuple)):
        return tuple(map(_shape, part))
    return part if isinstance(part, str) else repr(part)


def _renamed(shape: Any, names: dict[str, str]) -> Any:
    """Return the shape with other names."""
    if isinstance(shape, tuple):
        return tuple([_renamed(part, names) for part in shape])
    return names.get(shape, shape)


def _with(shape: Any, word: str) -> Any:
    """Return the shape with a word in place of the name."""
    if isinstance(shape, tuple):
        return tuple([_with(part, word) for part in shape])
    assert isinstance(shape, str)
    return shape.replace(NAME, word)
