"""Words that were read as keywords, and are names where that is the only reading in which the text fits the grammar.

No word of Spark's SQL is reserved. The automaton looks at one word at a time, and takes it for a keyword where one may
stand: so `SELECT case FROM t` ends at FROM, which cannot follow the keyword CASE. Then the words before are tried as
names, the nearest first, each as far as the text can be read with it. MAP and REDUCE are the other way about: they are
taken for functions and names unless the program of USING comes after. A text that fits at once costs nothing by this.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
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
        for position in _keywords_before(parser, text, problem.position, names):
            if left == 0:
                break
            left -= 1
            tried = {**names, position: "NAME"}
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


MAPPED = "MAPPED"
"""The terminal of MAP and REDUCE where they begin a query."""
_SET_OPERATORS = ("UNION", "EXCEPT", "MINUS", "INTERSECT", "ALL", "DISTINCT")


def _keywords_before(parser: Parser, text: str, position: int, names: Mapping[int, str]) -> list[int]:
    """Return where the words that may be keywords stand, from a position backwards."""
    lexemes = parser.lexemes(text, position, 1)
    before = [lexeme for lexeme in lexemes if lexeme.position <= position][-_BACK:]
    found = [lexeme.position for lexeme in reversed(before) if len(lexeme.terminals) > 1]
    return [where for where in found if where not in names][:_TRIED]
