"""Finds the likely mistake in a text that does not parse: a small edit with which the parser gets further.

An edit counts if the parser, restarted a few lexemes before the error, accepts it and the lexemes after it. So every
suggested word fits where it is suggested.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from grammar.lexemes import Lexeme
from grammar.parser import Parser, States
from ir import light_attrs as attrs

_BACK = 4
_AHEAD = 30
_LONGEST_WORD = 40
# Words that begin a part of a query. A part missing before such a word is reported there, even if the parser reads the
# word as a name.
_CLAUSES = (
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "ON",
    "WINDOW",
    "JOIN",
)
_ENDS = (*_CLAUSES, "THEN", "ELSE", "END", "AS", "AND", "OR")
_MISSING_WORDS = ("BY", "ON", "THEN", "END", "WHEN", "JOIN")
# The second keyword of a statement that changes rows, by the first.
_SECOND_WORDS = {"DELETE": "FROM", "INSERT": "INTO", "UPDATE": "SET"}
_MISSING_SIGNS = {",": "a comma", ")": "a closing parenthesis"}


@attrs.frozen
class Repair:
    """A suggested edit: ``position`` and ``length`` are the wrong part of the text, ``advice`` says what to do.

    If ``tells_all``, the message need not say where the parser stopped.
    """

    position: int
    length: int
    advice: str
    tells_all: bool = False


@attrs.frozen
class _Edit:
    """A replacement for ``count`` lexemes at an index; ``rank`` orders edits that reach equally far."""

    index: int
    count: int
    given: tuple[Lexeme, ...]
    advice: str
    rank: float
    keyword: bool = False
    # Whether the next lexeme must be read as a keyword after the edit.
    then_keyword: bool = False


def replay(parser: Parser, lexemes: Sequence[Lexeme], start: str, position: int) -> tuple[int, dict[int, States]]:
    """Return the index of the lexeme that does not fit, and the parser states before each of the last few lexemes."""
    failed = next((i for i in range(len(lexemes) - 1, -1, -1) if lexemes[i].position <= position), 0)
    first = max(0, failed - _BACK)
    states = parser.begin(start)
    for lexeme in lexemes[:first]:
        parser.step(states, lexeme)
    states = states.settle()
    found = {first: states.fork()}
    for index in range(first, failed):
        if not parser.step(states, lexemes[index]):
            return index, found
        found[index + 1] = states.fork()
    return failed, found


def find_repair(parser: Parser, lexemes: Sequence[Lexeme], failed: int, states: dict[int, States]) -> Repair | None:
    """Return the edit with which the parser gets furthest, None if none helps."""
    best: tuple[float, float] | None = None
    chosen: _Edit | None = None
    for edit in _edits(parser, lexemes, failed, states):
        reached = _measure_reach(parser, lexemes, edit, states)
        # Near the end of the text, reaching the end suffices.
        if reached <= failed + 1 and reached < len(lexemes):
            continue
        quality = (reached, -edit.rank)
        if best is None or quality > best:
            best, chosen = quality, edit
    if chosen is None:
        return None
    at = lexemes[chosen.index]
    length = len(at.text) if chosen.count else 1
    return Repair(at.position, max(1, length), chosen.advice, chosen.then_keyword)


def _measure_reach(parser: Parser, lexemes: Sequence[Lexeme], edit: _Edit, states: dict[int, States]) -> int:
    """Return the index of the lexeme at which the parser fails after an edit, or the number of lexemes read."""
    current = states[edit.index].fork()
    for lexeme in edit.given:
        if not parser.step(current, lexeme, as_keyword=edit.keyword):
            return -1
    following = edit.index + edit.count
    as_keyword = edit.then_keyword
    for index in range(following, min(len(lexemes), following + _AHEAD)):
        if not parser.step(current, lexemes[index], as_keyword=as_keyword):
            return index
        as_keyword = False
    return min(len(lexemes), following + _AHEAD)


def _edits(parser: Parser, lexemes: Sequence[Lexeme], failed: int, states: dict[int, States]) -> Iterator[_Edit]:
    at_end = not lexemes[failed].text
    for index in sorted(states, reverse=True):
        away = (failed - index) / 10
        lexeme = lexemes[index]
        # A keyword that begins the statement, and was read as one, is meant.
        if lexeme.text[:1].isalpha() and not (index == 0 < failed and lexeme.upper in _SECOND_WORDS):
            yield from _respell(parser, lexeme, index, away)
            yield from _split_or_join_words(parser, lexemes, index, away)
        if at_end:
            continue
        if len(lexeme.terminals) == 2:
            advice = f"{lexeme.upper} is a keyword here; as a name it needs back-quotes: `{lexeme.text}`."
            yield _Edit(index, 1, (parser.quoted(lexeme.text),), advice, 2.5 + away)
        if index > 0 and index >= failed - 2:
            yield from _insertions(parser, lexemes, index, away, is_sign=index == failed)
        yield from _deletions(lexemes, index, away)
        if lexeme.upper in _ENDS and index - 1 in states:
            yield _missing_part(parser, lexemes, index, away)


def _missing_part(parser: Parser, lexemes: Sequence[Lexeme], index: int, away: float) -> _Edit:
    """Return an edit for a missing part before a keyword, which the parser read as the name of that part."""
    before, word = lexemes[index - 1], lexemes[index].upper
    if before.text == ",":
        advice = f"the comma before {word} is one too many, or something is missing behind it."
        return _Edit(index - 1, 1, (), advice, 0.6 + away, then_keyword=True)
    what = "a table or a subquery" if before.upper in ("FROM", "JOIN") else "an expression"
    advice = f"{what} is missing between {before.text} and {lexemes[index].text}."
    return _Edit(index, 0, (parser.quoted("x"),), advice, 0.7 + away, then_keyword=True)


def _respell(parser: Parser, lexeme: Lexeme, index: int, away: float) -> Iterator[_Edit]:
    """Yield edits that replace a word with a similar keyword."""
    upper = lexeme.upper
    for keyword in near_keywords(upper, parser.keywords()):
        likeness = difflib.SequenceMatcher(None, upper, keyword).ratio()
        advice = f"Did you mean {keyword} instead of {lexeme.text}?"
        yield _Edit(index, 1, (parser.word(keyword),), advice, 1 - likeness + away, keyword=True)


def near_keywords(upper: str, keywords: Sequence[str]) -> list[str]:
    """Return the keywords that a misspelt word in upper case may stand for: one letter more, less, wrong or moved."""
    if not 2 <= len(upper) <= _LONGEST_WORD:
        return []
    near = difflib.get_close_matches(upper, keywords, n=6, cutoff=0.66)
    # A short word resembles too many others.
    return [k for k in near if k != upper and (len(k) > 3 or sorted(k) == sorted(upper) or k in upper or upper in k)]


def _split_or_join_words(parser: Parser, lexemes: Sequence[Lexeme], index: int, away: float) -> Iterator[_Edit]:
    """Yield edits that split a word into two keywords, as GROUPBY, or join two words, as BET WEEN."""
    lexeme = lexemes[index]
    for first in ("GROUP", "ORDER", "PARTITION", "LEFT", "IS", "NOT", "UNION", "CROSS", "INNER"):
        rest = lexeme.upper[len(first) :]
        if lexeme.upper.startswith(first) and rest in parser.keywords():
            advice = f"Did you mean {first} {rest} instead of {lexeme.text}?"
            yield _Edit(index, 1, (parser.word(first), parser.word(rest)), advice, 0.1 + away, keyword=True)
    if index + 1 < len(lexemes) and lexemes[index + 1].text[:1].isalpha():
        joined = lexeme.upper + lexemes[index + 1].upper
        if joined in parser.keywords():
            advice = f"Did you mean {joined} instead of {lexeme.text} {lexemes[index + 1].text}?"
            yield _Edit(index, 2, (parser.word(joined),), advice, 0.1 + away, keyword=True)


def _insertions(
    parser: Parser, lexemes: Sequence[Lexeme], index: int, away: float, *, is_sign: bool
) -> Iterator[_Edit]:
    """Yield edits that insert a lexeme."""
    neighbours = (lexemes[index].upper, lexemes[index - 1].upper)
    where = f"before {shorten(lexemes[index].text)}"
    second = _SECOND_WORDS.get(lexemes[0].upper)
    words = [*_MISSING_WORDS, *(["FROM"] if _lacks_from(lexemes, index) else [])]
    if second is not None and all(lexeme.upper != second for lexeme in lexemes):
        words.append(second)
    for rank, word in enumerate(words):
        if word not in neighbours:
            advice = f"Is {word} missing {where}?"
            yield _Edit(index, 0, (parser.word(word),), advice, 0.8 + rank / 100 + away, keyword=True)
    for rank, (sign, named) in enumerate(_MISSING_SIGNS.items() if is_sign else ()):
        # Before a keyword, a comma would turn the keyword into a name.
        if sign not in neighbours and (sign != "," or len(lexemes[index].terminals) == 1):
            yield _Edit(index, 0, (parser.sign(sign),), f"Is {named} missing {where}?", 1 + rank / 100 + away)


def _lacks_from(lexemes: Sequence[Lexeme], index: int) -> bool:
    """Whether SELECT items precede a lexeme, and no FROM follows."""
    before = next((lexeme.upper for lexeme in reversed(lexemes[:index]) if lexeme.upper in ("SELECT", "FROM")), "")
    return before == "SELECT" and all(lexeme.upper != "FROM" for lexeme in lexemes[index:])


def _deletions(lexemes: Sequence[Lexeme], index: int, away: float) -> Iterator[_Edit]:
    """Yield edits that delete a lexeme."""
    lexeme = lexemes[index]
    is_fixed = not lexeme.text[:1].isalnum() or len(lexeme.terminals) == 2
    if index and is_fixed and lexemes[index - 1].upper == lexeme.upper:
        yield _Edit(index, 1, (), f"{shorten(lexeme.text)} is there twice.", 0.2 + away)
    elif lexeme.text == ",":
        yield _Edit(index, 1, (), "Remove this comma, or write what follows it.", 0.5 + away)
    elif lexeme.text in (")", "(", "=", ".", ";"):
        yield _Edit(index, 1, (), f"Is this {shorten(lexeme.text)} too much?", 1.3 + away)


def shorten(text: str) -> str:
    """Quote the beginning of a text, with the total length if it is longer."""
    return repr(text) if len(text) <= 30 else f"{text[:30] + '…'!r} ({len(text):,} characters)"
