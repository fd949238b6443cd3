"""What is said of a text that does not parse: where, what was found, what was expected, and the likely mistake."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ir.errors import SqlParserException, TableException, ValidationException

if TYPE_CHECKING:
    from grammar.parser import Parser, SyntaxProblem

_WIDEST = 100


class Misread(Exception):
    """Something that the grammar lets pass and that means nothing, at a position of the text.

    ``kind`` is the exception that a user gets.
    """

    def __init__(self, position: int, message: str, kind: type[TableException] = ValidationException) -> None:
        super().__init__(message)
        self.position = position
        self.message = message
        self.kind = kind


def place(text: str, position: int, length: int = 1) -> str:
    """Return the line and column of a position, and the line with a caret under it.

    >>> print(place("SELECT a FRM t", 9, 3))
    line 1, column 10:
      SELECT a FRM t
               ^^^
    """
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : len(text) if end < 0 else end].replace("\t", " ").rstrip("\r")
    column = position - start
    shown, offset = line, column
    if len(line) > _WIDEST:
        first = max(0, min(column - _WIDEST // 2, len(line) - _WIDEST))
        shown = ("…" if first else "") + line[first : first + _WIDEST] + ("…" if first + _WIDEST < len(line) else "")
        offset = column - first + (1 if first else 0)
    shown = "".join(c if c.isprintable() else "�" for c in shown)
    carets = "^" * max(1, min(length, len(shown) - offset))
    number = text.count("\n", 0, position) + 1
    return f"line {number}, column {column + 1}:\n  {shown}\n  {' ' * offset}{carets}"


def located(error: TableException, text: str, position: int, length: int = 1) -> TableException:
    """Return the error with the place in the text where its cause stands."""
    made = type(error)(f"{error}\n{place(text, position, length)}")
    made.condition, made.sql_state = error.condition, error.sql_state
    return made


# --- what was expected -----------------------------------------------------------------------------------------------

_EXPRESSION = {"NAME", "QUOTED", "NUMBER", "SPARK_STRING", "FLINK_STRING", "CASE", "NULL", "TRUE", "FALSE", "INTERVAL"}
_SAID = {
    "NAME": "a name",
    "QUOTED": "a name",
    "NUMBER": "a number",
    "SPARK_STRING": "text in quotes",
    "FLINK_STRING": "text in quotes",
    "$END": "the end",
}
_OPERATORS = {"PLUS", "STAR", "SLASH", "PERCENT", "EQUAL", "LESSTHAN", "MORETHAN", "BETWEEN", "IN", "IS"}
_JOINS = {"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "SEMI", "ANTI"}


def unreadable(text: str, problem: SyntaxProblem, parser: Parser, what: str = "SQL") -> SqlParserException:
    """Return the error about a text that does not parse."""
    found, position = problem.found, problem.position
    terminals = set(parser.expected(problem.states))
    unclosed = _unclosed(text, problem)
    if unclosed is not None:
        message, position, found = unclosed
    else:
        message = f"{_found(found)} is not expected here"
        said = _expected(terminals, parser)
        if said:
            message += f"; expected is {said}"
        message += "." + _fix(text, problem, terminals, parser)
    return SqlParserException(f"Cannot read the {what}: {message}\n{place(text, position, max(1, len(found)))}")


def _found(found: str) -> str:
    if not found:
        return "The end"
    shown = found if len(found) <= 30 else found[:30] + "…"
    return repr(shown)


def _unclosed(text: str, problem: SyntaxProblem) -> tuple[str, int, str] | None:
    if problem.kind == "COMMENT":
        return "the comment that begins here is never closed with */.", problem.position, "/*"
    if problem.kind == "" and problem.found in ("'", '"', "`"):
        kind = "name in back-quotes" if problem.found == "`" else "text in quotes"
        return f"the {kind} that begins here is never closed.", problem.position, problem.found
    return None


def _expected(terminals: set[str], parser: Parser) -> str:
    """Return what could follow in words: kinds of things rather than each word that could begin one."""
    names = parser.texts()
    said: list[str] = []
    if {"NAME", "NUMBER", "CASE"} <= terminals:
        said.append("an expression")
        terminals = terminals - _EXPRESSION - {"LPAR", "STAR", "COLON", "QUESTION", "__ANON_4", "PLUS", "NOT"}
        terminals = {t for t in terminals if names.get(t) not in ("-", "+", "~", "!", "*")}
        terminals -= {"KEY", "BOTH", "LEADING", "TRAILING", "TIMESTAMP"}
    if terminals >= {"PLUS", "STAR", "IN"}:
        said.append("an operator")
        terminals = {t for t in terminals if names.get(t, "?")[0].isalpha() or t in ("RPAR", "COMMA", "LPAR", "$END")}
        terminals -= _OPERATORS | {"AND", "OR", "DIV", "NOT", "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR", "OVERLAPS"}
        terminals -= {"COLLATE", "OVER", "FILTER", "WITHIN", "IGNORE", "RESPECT", "LPAR"}
    if terminals >= {"JOIN", "LEFT", "CROSS"}:
        said.append("a join")
        terminals -= _JOINS
    rest: list[str] = []
    for terminal in sorted(terminals):
        word = _SAID.get(terminal) or names.get(terminal)
        if word is not None and word not in rest:
            rest.append(word if word in _SAID.values() else word if word[0].isalpha() else f"{word!r}")
    said += rest
    if len(said) > 9:
        said = [*said[:8], "…"]
        return ", ".join(said)
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _fix(text: str, problem: SyntaxProblem, terminals: set[str], parser: Parser) -> str:
    """Return the likely mistake as a sentence, empty where none is likely."""
    names = parser.texts()
    words = [names[t] for t in terminals if t in names and names[t][0].isalpha()]
    before = text[: problem.position].rstrip()
    previous = before[len(before.rstrip("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")) :]
    if problem.found[:1].isalpha():
        upper = problem.found.upper()
        near = difflib.get_close_matches(upper, [w for w in words if w != upper], n=1, cutoff=0.7)
        if near:
            return f" Did you mean {near[0]}?"
        if upper in parser.keywords() and "QUOTED" in terminals:
            return f" {upper} is a keyword here; as a name it needs back-quotes: `{problem.found}`."
    if previous:
        # A word that was taken for a name, although a keyword was meant: SELECT a FORM t.
        near = difflib.get_close_matches(previous.upper(), parser.keywords(), n=1, cutoff=0.75)
        if near and near[0] != previous.upper():
            return f" Did you mean {near[0]} instead of {previous}?"
    opened, closed = text[: problem.position].count("("), text[: problem.position].count(")")
    if not problem.found and opened > closed:
        return f" {opened - closed} parenthes{'is is' if opened - closed == 1 else 'es are'} not closed."
    if problem.found == ")" and closed >= opened:
        return " No parenthesis is open here."
    if problem.found in ("FROM", ")", "") or problem.found.upper() in ("FROM", "WHERE", "GROUP", "ORDER"):
        if before.endswith(","):
            return " Remove the comma before it, or write what it should be followed by."
    if problem.found.upper() == "MATCH_RECOGNIZE":
        return " MATCH_RECOGNIZE finds patterns in streams of rows, which Spark has no operation for."
    if problem.found == "=" and before.endswith("="):
        return ""
    return ""


def as_validation(message: str) -> ValidationException:
    """Return a mistake in what was written as the error of a wrong query."""
    return ValidationException(message)
