"""Explains why a text does not parse: the position, what was found, what was expected, and the likely mistake."""

from __future__ import annotations

from grammar.diagnostics.expectations import STATEMENTS, describe_expected
from grammar.diagnostics.mistakes import (
    CASE_IS_WRITTEN,
    describe_token,
    find_known_mistake,
    find_unclosed,
    is_unopened,
    odd_sign,
)
from grammar.diagnostics.repairs import find_repair, near_keywords, replay, shorten
from grammar.errors import SyntaxProblem, place
from grammar.lexemes import Lexeme
from grammar.parser import Parser
from grammar.words import MAPPED
from ir.errors import SqlParserException
from ir.migration_page import Section, see

SYNTAX_ERROR = ("PARSE_SYNTAX_ERROR", "42601")
EMPTY = ("PARSE_EMPTY_STATEMENT", "42617")
_MORE = 40
_SHOWN_TABLE = "Table(\n  `"


def unreadable(text: str, problem: SyntaxProblem, parser: Parser, start: str, what: str = "SQL") -> SqlParserException:
    """Return the error for a text that does not parse."""
    condition = SYNTAX_ERROR
    broken = _describe_broken_text(text, problem)
    if broken is not None:
        message, condition = broken
        position, length = problem.position, 1
    else:
        message, position, length = _describe_unexpected(text, problem, parser, start)
        if parser.lexemes(text, 0, 1)[0].text == "":
            condition = EMPTY
    if _SHOWN_TABLE in text:
        message += (
            " The text holds a Table as Python shows it. Give the table a name, and write that: "
            "te.create_temporary_view('t', table)." + see(Section.TABLES_IN_TEXT)
        )
    return SqlParserException(
        f"Cannot read the {what}: {message}\n{place(text, position, length)}",
        condition=condition[0],
        sql_state=condition[1],
    )


def _describe_broken_text(text: str, problem: SyntaxProblem) -> tuple[str, tuple[str, str]] | None:
    """Return the message for an unknown character or an unclosed string, name or comment, else None."""
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


def _describe_unexpected(text: str, problem: SyntaxProblem, parser: Parser, start: str) -> tuple[str, int, int]:
    """Return the message for an unexpected token, and the position and length of the mistake."""
    lexemes = parser.lexemes(text, problem.position, _MORE)
    if problem.mapped:
        lexemes = [parser.reinterpret(MAPPED, one) if one.position in problem.mapped else one for one in lexemes]
    failed, states = replay(parser, lexemes, start, problem.position)
    found = lexemes[failed]
    position, length = found.position, len(found.text)
    before = lexemes[failed - 1] if failed else None
    if before is not None and not found.text:
        position = before.position + len(before.text)
    message = _build_message(before, found)
    terminals = parser.expected(states[failed])
    if terminals and (before is not None or found.upper not in STATEMENTS):
        message += f"; expected is {describe_expected(terminals, parser)}"
    message += "."
    repair = find_known_mistake(lexemes, failed, terminals) or find_repair(parser, lexemes, failed, states)
    if is_unopened(lexemes[: failed + 1]) and (repair is None or not repair.advice.startswith("Did you mean")):
        return f"{message} No parenthesis is open here.", position, length
    advice = "" if repair is None else f" {repair.advice}"
    opened = find_unclosed(lexemes[:failed], is_type=start == "only_type")
    if opened is not None and (not found.text if repair is None else "closing" in repair.advice):
        line, column = line_and_column(text, opened.position)
        advice += f" The {opened.text!r} in line {line}, column {column} is not closed."
    if repair is None:
        return message + advice, position, length
    return repair.advice if repair.tells_all else message + advice, repair.position, repair.length


def _build_message(before: Lexeme | None, found: Lexeme) -> str:
    if before is None:
        if found.upper in STATEMENTS:
            return f"{found.upper} begins a statement, which execute_sql runs"
        return f"{describe_token(found.text)} begins no statement" if found.text else "there is no text"
    behind = shorten(before.text)
    return (
        f"{describe_token(found.text)} is not expected after {behind}"
        if found.text
        else f"the text ends after {behind}"
    )


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Return the line and column of a position, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def suggest_keyword(text: str, position: int, parser: Parser, start: str) -> str:
    """Suggest a keyword for a word that was parsed as a column, with the next word as its alias."""
    lexemes = parser.lexemes(text, len(text), 1)
    index = next((i for i, lexeme in enumerate(lexemes) if lexeme.position == position), None)
    if index is None:
        # The position is in a hint, which the lexer skips as a comment.
        return ""
    following = lexemes[index + 1 : index + 2]
    if lexemes[index].upper == "CASE" and following and following[0].upper == "END":
        return f" {CASE_IS_WRITTEN}"
    if not following or not following[0].text[:1].isalpha() or len(following[0].terminals) > 1:
        return ""
    for keyword in near_keywords(lexemes[index].upper, parser.keywords()):
        changed = [*lexemes[:index], parser.word(keyword), *lexemes[index + 1 :]]
        states = parser.begin(start)
        if all(parser.step(states, part, as_keyword=i == index) for i, part in enumerate(changed)):
            return f" Did you mean the keyword {keyword}?"
    return ""


def explain_from(text: str, position: int, parser: Parser) -> str:
    """Explain that FROM after an unknown column was read as a name, as in ``SELECT a

    FROM t``.
    """
    depth, before = 0, ""
    for word in parser.words(text):
        if word.position > position:
            upper = word.text.upper()
            depth += (upper == "(") - (upper == ")")
            if depth < 0 or (depth == 0 and upper == "SELECT"):
                break
            if depth == 0 and upper == "FROM" and before != "DISTINCT":
                line, column = line_and_column(text, word.position)
                return f" FROM in line {line}, column {column} is read as a name: is something missing before it?"
            before = upper
    return ""
