"""What is said of a text that does not parse: where, what was found, what was expected, and the likely mistake."""

from __future__ import annotations

from grammar.errors import place
from grammar.expectations import in_words
from grammar.mistakes import is_unopened, known_mistake, named, odd_sign, unclosed
from grammar.parser import Parser, SyntaxProblem
from grammar.repairs import find_repair, replay
from ir.errors import SqlParserException

SYNTAX_ERROR = ("PARSE_SYNTAX_ERROR", "42601")
_MORE = 40


def unreadable(text: str, problem: SyntaxProblem, parser: Parser, start: str, what: str = "SQL") -> SqlParserException:
    """Return the error about a text that does not parse."""
    condition = SYNTAX_ERROR
    broken = _broken(text, problem)
    if broken is not None:
        message, condition = broken
        position, length = problem.position, 1
    else:
        message, position, length = _unexpected(text, problem, parser, start)
    return SqlParserException(
        f"Cannot read the {what}: {message}\n{place(text, position, length)}",
        condition=condition[0],
        sql_state=condition[1],
    )


def _broken(text: str, problem: SyntaxProblem) -> tuple[str, tuple[str, str]] | None:
    """Return what is said of a sign that begins nothing, or something that never ends."""
    if problem.kind == "COMMENT":
        return "the comment that begins here is never closed with */.", ("UNCLOSED_BRACKETED_COMMENT", "42601")
    if problem.kind:
        return None
    found = problem.found
    if found == "`":
        return "the name in back-quotes that begins here is never closed.", SYNTAX_ERROR
    if found == '"' and text.find('"', problem.position + 1) > 0:
        advice = "a name is written in back-quotes, text in single quotes"
        return f"double quotes mean nothing in FLINK: {advice}.", SYNTAX_ERROR
    if found in ("'", '"'):
        advice = "" if found == '"' else "; a quote inside of text is doubled: 'it''s'"
        return f"the text in quotes that begins here is never closed{advice}.", SYNTAX_ERROR
    return f"{odd_sign(found)}.", SYNTAX_ERROR


def _unexpected(text: str, problem: SyntaxProblem, parser: Parser, start: str) -> tuple[str, int, int]:
    """Return the message about a word or sign that does not fit, and the place of the mistake with its length."""
    lexemes = parser.lexemes(text, problem.position, _MORE)
    failed, states = replay(parser, lexemes, start)
    if failed >= len(lexemes):
        return f"{named(problem.found)} is not expected here.", problem.position, len(problem.found)
    found = lexemes[failed]
    position, length = found.position, len(found.text)
    message = f"{named(found.text)} is not expected {_behind(lexemes[failed - 1].text if failed else '')}"
    message = message[0].upper() + message[1:]
    expected = in_words(parser.expected(states[failed]), parser)
    if expected:
        message += f"; expected is {expected}"
    message += "."
    repair = known_mistake(lexemes, failed, parser.dialect)
    opened = None if repair is not None else unclosed(lexemes[:failed])
    if repair is None and not (opened is not None and not found.text and start != "only_type"):
        repair = find_repair(parser, lexemes, failed, states)
    if is_unopened(lexemes[: failed + 1]) and (repair is None or "too much" in repair.advice):
        return f"{message} No parenthesis is open here.", position, length
    if repair is not None:
        return f"{message} {repair.advice}", repair.position, repair.length
    if opened is not None and not found.text:
        line, column = line_and_column(text, opened.position)
        return f"{message} The {opened.text!r} in line {line}, column {column} is never closed.", position, length
    return message, position, length


def _behind(before: str) -> str:
    return f"after {named(before)}" if before else "here"


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and the column of a position, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
