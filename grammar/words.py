"""Rereads keywords as names where the text only matches the grammar in that way.

No word of Spark's SQL is reserved. The parser sees one word at a time and reads it as a keyword wherever one may
stand, so that `SELECT case FROM t` fails at FROM, which cannot follow the keyword CASE. After an error, the words
before it are retried as names, the nearest first, and the reading that gets furthest wins. MAP and REDUCE are the
opposite: they are names unless a script follows after USING. A text that parses at once costs nothing extra.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from grammar.errors import Misread, SyntaxProblem
from grammar.lexemes import Lexeme, Token

# The number of words before an error that are retried, and the number of lexemes among which they are searched.
_TRIED = 6
_BACK = 24
# A long text is reread less often, so that an error costs no more than a few readings.
_MOST_READINGS = 60
_MOST_CHARACTERS = 300_000


class Reader(Protocol):
    """The interface of a parser for retrying words as names."""

    def read(self, text: str, start: str, chosen: Mapping[int, str] | None = None) -> Any:
        """Parse a text, with the words at some positions read as given terminals."""

    def words(self, text: str) -> Iterable[Token]:
        """Return the words and signs of a text."""

    def lexemes(self, text: str, end: int, further: int) -> Sequence[Lexeme]:
        """Return the words and signs up to a position, and some further ones."""


def read_with_names(parser: Reader, text: str, start: str, problem: SyntaxProblem) -> Any:
    """Parse a text that failed, with some keywords read as names.

    Raises:
        SyntaxProblem: the text does not match the grammar in this way either.
    """
    first = problem
    names: dict[int, str] = {}
    rows = find_rows_after_condition(parser, text)
    for mapped in itertools.chain([rows] if rows else [], _find_mappings(parser, text)):
        try:
            return parser.read(text, start, mapped)
        except SyntaxProblem as other:
            if other.position > problem.position:
                first, problem, names = other, other, mapped
                first.mapped = mapped
    left = max(1, min(_MOST_READINGS, _MOST_CHARACTERS // max(1, len(text))))
    while left > 0 and problem.kind and problem.kind != "COMMENT":
        best: tuple[dict[int, str], SyntaxProblem] | None = None
        words = _keywords_before(parser, text, problem.position, names)
        for positions in _choices(list(words)):
            # Two words at once are only tried if no single word leads further.
            if left == 0 or (best is not None and len(positions) > 1):
                break
            left -= 1
            tried = {**names, **{position: words[position] for position in positions}}
            try:
                return parser.read(text, start, tried)
            except SyntaxProblem as other:
                furthest = problem if best is None else best[1]
                if other.position > furthest.position:
                    best = tried, other
            except Misread:
                continue
        if best is None:
            break
        names, problem = best
    raise first


def _choices(positions: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the words to retry as names: first one at a time, then two."""
    for size in (1, 2):
        yield from itertools.combinations(positions, size)


def find_rows_after_condition(parser: Reader, text: str) -> dict[int, str]:
    """Return the parenthesis before the query of INSERT … REPLACE, which could be that of a call, as a terminal.

    It follows the condition, and a query begins in it.
    """
    if "replace" not in text.lower():
        return {}
    tokens = list(parser.words(text))
    depth, is_in_condition = 0, False
    for place, token in enumerate(tokens[:-1]):
        word, following = token.text.upper(), tokens[place + 1].text.upper()
        if depth == 0 and word == "REPLACE" and following in ("ON", "WHERE"):
            is_in_condition = True
        elif depth == 0 and is_in_condition and word == "(" and following in _BEGIN_QUERIES:
            before = tokens[place - 1].text.upper()
            if before not in _BEFORE_SUBQUERIES:
                return {token.position: "ROWS_LPAR"}
        depth += (word == "(") - (word == ")")
    return {}


_BEGIN_QUERIES = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "MAP", "REDUCE")
# Words and signs before a subquery in a condition.
_BEFORE_SUBQUERIES = frozenset(
    [
        *["IN", "EXISTS", "ON", "AND", "OR", "NOT", "ANY", "ALL", "SOME", "LIKE", "BETWEEN", ","],
        *["=", "==", "<", ">", "<=", ">=", "<>", "!=", "<=>", "+", "-", "*", "/", "%", "||"],
    ]
)


def _find_mappings(parser: Reader, text: str) -> Iterator[dict[int, str]]:
    """Yield the positions where MAP and REDUCE may begin a SELECT TRANSFORM query, the likeliest first."""
    if "using" not in text.lower():
        return
    found: list[list[int]] = []
    # For each open parenthesis, the positions of MAP and REDUCE that may begin a query.
    begun: list[list[int]] = [[]]
    before = "("
    for token, following in itertools.pairwise(parser.words(text)):
        word = token.text.upper()
        if word == "(":
            begun.append([])
        elif word == ")" and len(begun) > 1:
            begun.pop()
        elif word == "SELECT" or word in _SET_OPERATORS:
            begun[-1].clear()
        elif word in ("MAP", "REDUCE") and before not in (",", "."):
            begun[-1].append(token.position)
        elif word == "USING" and following.text[-1] in ("'", '"') and begun[-1]:
            found.append(begun[-1])
            begun[-1] = []
        before = word
    if found:
        for chosen in itertools.islice(itertools.product(*found), _TRIED):
            yield dict.fromkeys(chosen, MAPPED)


_CLAUSE_WORD = "CLAUSE_WORD"
# Words that may follow an alias, and cannot begin the argument of a clause.
_BEHIND_ALIASES = frozenset(
    [
        ",",
        "FROM",
        "JOIN",
        "INNER",
        "CROSS",
        "LEFT",
        "RIGHT",
        "FULL",
        "SEMI",
        "ANTI",
        "NATURAL",
        "ON",
        "USING",
        "LATERAL",
    ]
)
CLAUSES = frozenset(
    [
        "WHERE",
        "GROUP",
        "HAVING",
        "QUALIFY",
        "WINDOW",
        "ORDER",
        "SORT",
        "CLUSTER",
        "DISTRIBUTE",
        "LIMIT",
        "OFFSET",
        "FETCH",
    ]
)
"""The words that begin a clause after the SELECT list."""

MAPPED = "MAPPED"
"""The terminal of MAP and REDUCE at the beginning of a query."""
_SET_OPERATORS = ("UNION", "EXCEPT", "MINUS", "INTERSECT", "ALL", "DISTINCT")


def _keywords_before(parser: Reader, text: str, position: int, names: Mapping[int, str]) -> dict[int, str]:
    """Return the possible keywords before a position, nearest first, with their terminals as names."""
    lexemes = parser.lexemes(text, position, 1)
    found: dict[int, str] = {}
    for lexeme, following in reversed([*itertools.pairwise(lexemes), (lexemes[-1], None)][-_BACK - 1 :]):
        if len(lexeme.terminals) > 1 and lexeme.position <= position and lexeme.position not in names:
            of_clause = lexeme.upper in CLAUSES and following is not None and following.upper in _BEHIND_ALIASES
            found[lexeme.position] = _CLAUSE_WORD if of_clause else "NAME"
            if len(found) == _TRIED:
                break
    return found
