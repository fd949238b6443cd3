"""Words that were read as keywords, and are names where that is the only reading in which the text fits the grammar.

No word of Spark's SQL is reserved. The automaton looks at one word at a time, and takes it for a keyword where one may
stand: so `SELECT case FROM t` ends at FROM, which cannot follow the keyword CASE. Then the words before are tried as
names, the nearest first, each as far as the text can be read with it. MAP and REDUCE are the other way about: they are
taken for functions and names unless the program of USING comes after. A text that fits at once costs nothing by this.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grammar.errors import Misread, SyntaxProblem

if TYPE_CHECKING:
    from grammar.parser import Parser

# How many words before an error are tried, and among how many words and signs they are looked for.
_TRIED = 6
_BACK = 24
# A long text is read again less often, so that an error in it costs no more than a few readings.
_MOST_READINGS = 60
_MOST_CHARACTERS = 300_000


def read_with_names(parser: Parser, text: str, start: str, problem: SyntaxProblem) -> Any:
    """Return what a text is that did not fit the grammar, with some keywords taken for names.

    Raises:
        SyntaxProblem: it does not fit in this way either.
    """
    first = problem
    names: dict[int, str] = {}
    for mapped in _mappings(parser, text):
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
            # Two at once only where no word alone leads further.
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
    """Yield which words are tried as names: one after the other, and two at once."""
    for size in (1, 2):
        yield from itertools.combinations(positions, size)


def _mappings(parser: Parser, text: str) -> Iterator[dict[int, str]]:
    """Yield where MAP and REDUCE may begin a query for which a program computes rows, the likeliest places first."""
    if "using" not in text.lower():
        return
    found: list[list[int]] = []
    # In each of the parentheses that are open, the words that may be one.
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
# What may follow an alias, and is no beginning of what a clause takes.
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
"""What begins a clause behind the columns of a query."""

MAPPED = "MAPPED"
"""The terminal of MAP and REDUCE where they begin a query."""
_SET_OPERATORS = ("UNION", "EXCEPT", "MINUS", "INTERSECT", "ALL", "DISTINCT")


def _keywords_before(parser: Parser, text: str, position: int, names: Mapping[int, str]) -> dict[int, str]:
    """Return where the words that may be keywords stand, from a position backwards, and what they are as names."""
    lexemes = parser.lexemes(text, position, 1)
    found: dict[int, str] = {}
    for lexeme, following in reversed([*itertools.pairwise(lexemes), (lexemes[-1], None)][-_BACK - 1 :]):
        if len(lexeme.terminals) > 1 and lexeme.position <= position and lexeme.position not in names:
            of_clause = lexeme.upper in CLAUSES and following is not None and following.upper in _BEHIND_ALIASES
            found[lexeme.position] = _CLAUSE_WORD if of_clause else "NAME"
            if len(found) == _TRIED:
                break
    return found
