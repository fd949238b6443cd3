"""Recognises well-known mistakes: syntax of other databases, lookalike characters, and unfinished texts."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from grammar.diagnostics.other_databases import find_other_form, sign_of_other_databases
from grammar.diagnostics.other_statements import find_other_statement
from grammar.diagnostics.repairs import Repair, shorten
from grammar.lexemes import Lexeme
from ir.migration_page import Section, see

# Typographic characters that editors and keyboards substitute for SQL's.
_LOOKALIKES = {
    "‘": "'", "’": "'", "‚": "'", "′": "'", "´": "'", "“": "'", "”": "'", "„": "'", "«": "'", "»": "'", "″": "'",
    "–": "-", "—": "-", "−": "-", "×": "*", "÷": "/", "≠": "<>", "≤": "<=", "≥": ">=", "…": "...",
}  # fmt: skip


def odd_sign(sign: str) -> str:
    """Describe a character that SQL does not use: its name, and the likely intended one."""
    code = f"U+{ord(sign):04X}"
    name = unicodedata.name(sign, "")
    called = f"{sign!r} ({name}, {code})" if sign.isprintable() and not sign.isascii() else (
        f"the unprintable character {code}" + (f" ({name})" if name else "")
    )  # fmt: skip
    meant = _LOOKALIKES.get(sign)
    if meant is None and not sign.isascii():
        plain = unicodedata.normalize("NFKC", sign)
        meant = plain if len(plain) == 1 and plain.isascii() and plain != sign else None
    if sign.isascii() and sign.isprintable():
        return f"the sign {sign!r} is no part of SQL{sign_of_other_databases(sign)}"
    advice = "" if meant is None else f"; write {meant} instead" if meant.strip() else "; write a blank instead"
    if meant is None and not sign.isprintable():
        advice = "; remove it"
    return f"{called} is no part of SQL{advice}"


CASE_IS_WRITTEN = "CASE is written CASE WHEN condition THEN result … END."

Rule = Callable[[Sequence[Lexeme], int, set[str]], "Repair | None"]


def find_known_mistake(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Return the known mistake near the error, None if no rule matches."""
    for rule in _RULES:
        found = rule(lexemes, failed, expected)
        if found is not None:
            return found
    return None


def _word(lexemes: Sequence[Lexeme], index: int) -> str:
    return lexemes[index].upper if 0 <= index < len(lexemes) else ""


def _make_repair(lexemes: Sequence[Lexeme], first: int, last: int, advice: str) -> Repair:
    begin, end = lexemes[first], lexemes[last]
    return Repair(begin.position, end.position + len(end.text) - begin.position, advice)


def _recognise_two_statements(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if _word(lexemes, failed - 1) == ";":
        advice = "With ';' a statement ends, and this is a second one. Pass one statement at a time."
        return _make_repair(lexemes, failed - 1, failed - 1, advice)
    return None


def _top(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    before = _word(lexemes, failed - 2)
    if _word(lexemes, failed - 1) == "TOP" and before in ("SELECT", "DISTINCT") and _word(lexemes, failed).isdigit():
        number = lexemes[failed].text
        return _make_repair(
            lexemes, failed - 1, failed, f"There is no TOP; write LIMIT {number} at the end of the query."
        )
    return None


def _limit_with_comma(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if _word(lexemes, failed) == "," and _word(lexemes, failed - 2) == "LIMIT":
        skipped, count = _word(lexemes, failed - 1), _word(lexemes, failed + 1)
        return _make_repair(lexemes, failed, failed, f"LIMIT takes one number; write LIMIT {count} OFFSET {skipped}.")
    return None


def _null_tests(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    word = _word(lexemes, failed)
    if word in ("ISNULL", "NOTNULL") and "IS" in expected:
        meant = "IS NULL" if word == "ISNULL" else "IS NOT NULL"
        return _make_repair(lexemes, failed, failed, f"Write {meant} instead of {lexemes[failed].text}.")
    if word == "NULL" and _word(lexemes, failed - 1) == "NOT":
        return _make_repair(lexemes, failed - 1, failed, "Write IS NOT NULL.")
    if word in ("=", "<>", "!=", "==") and _word(lexemes, failed - 1) == "IS":
        return _make_repair(
            lexemes, failed - 1, failed, f"Write IS NULL, or {word} and a value, not both IS and {word}."
        )
    if _word(lexemes, failed - 1) == "IS" and word not in ("", "NOT"):
        return _make_repair(
            lexemes, failed, failed, "After IS stands NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM; for values use =."
        )
    return None


_OPERATORS = {
    ("&", "&"): "AND", ("=", "!"): "!=", ("=", "<"): "<=", ("=", ">"): ">=", ("+", "="): None, ("-", "="): None,
    ("*", "="): None, ("/", "="): None, (":", "="): "=", ("<", ">="): "<>", ("!", "=="): "!=", ("==", "="): "=",
    ("!", ">"): "<=", ("!", "<"): ">=", ("~", "*"): "RLIKE", ("!", "~"): "NOT … RLIKE",
}  # fmt: skip


def _foreign_operators(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    for first in (failed - 1, failed):
        pair = (_word(lexemes, first), _word(lexemes, first + 1))
        if pair not in _OPERATORS or first + 1 >= len(lexemes) or first < 0:
            continue
        if lexemes[first].position + len(lexemes[first].text) != lexemes[first + 1].position:
            continue
        meant = _OPERATORS[pair]
        if meant is None:
            return _make_repair(
                lexemes, first, first + 1, f"There is no operator {''.join(pair)}: SQL assigns nothing."
            )
        return _make_repair(lexemes, first, first + 1, f"There is no operator {''.join(pair)}; write {meant} instead.")
    if _word(lexemes, failed) == "=>":
        return _make_repair(lexemes, failed, failed, "=> gives an argument by its name; for greater or equal write >=.")
    return None


def _quotes_of_names(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    found = lexemes[failed].text
    if found[:1] == '"' and len(found) > 2:
        name = found[1:-1]
        return _make_repair(
            lexemes, failed, failed, f"Double quotes are for text; a name is written in back-quotes: `{name}`."
        )
    if found[:1] == "'" and len(found) > 2 and _word(lexemes, failed - 1) in ("AS", "FROM", "JOIN", "."):
        name = found[1:-1]
        return _make_repair(
            lexemes, failed, failed, f"Quotes are for text; a name is written in back-quotes: `{name}`."
        )
    if found == "[" and _word(lexemes, failed + 2) == "]":
        name = lexemes[failed + 1].text
        return _make_repair(
            lexemes, failed, failed + 2, f"Names are quoted with back-quotes, not with brackets: `{name}`."
        )
    return None


def _recognise_undoubled_quote(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise an undoubled quote inside a string, as in ``'it's'``, from the word right after the string."""
    if not failed:
        return None
    before, word = lexemes[failed - 1], lexemes[failed]
    is_adjacent = before.position + len(before.text) == word.position
    if before.text[:1] not in ("'", '"') or not word.text[:1].isalnum() or not is_adjacent:
        return None
    quote = before.text[0]
    advice = f"The {quote} before {shorten(word.text)} ends the string; inside a string it is doubled: {quote * 2}."
    return Repair(word.position - 1, len(word.text) + 1, advice)


# The clauses of a query in written order.
_ORDER_OF_CLAUSES = ("WHERE", "GROUP", "HAVING", "QUALIFY", "WINDOW", "ORDER", "LIMIT", "OFFSET")


def _recognise_late_clause(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise a clause that follows one that must come after it, as in ``LIMIT 1 WHERE a = 1``."""
    word = _word(lexemes, failed)
    if word not in _ORDER_OF_CLAUSES:
        return None
    depth = 0
    for index in range(failed - 1, -1, -1):
        text = lexemes[index].upper
        depth += (text == ")") - (text == "(")
        if depth < 0 or text in ("SELECT", "FROM"):
            return None
        is_later = text in _ORDER_OF_CLAUSES and _ORDER_OF_CLAUSES.index(text) > _ORDER_OF_CLAUSES.index(word)
        if depth == 0 and is_later:
            both = [f"{name} BY" if name in ("GROUP", "ORDER") else name for name in (word, text)]
            return _make_repair(lexemes, failed, failed, f"{both[0]} is written before {both[1]}, not after it.")
    return None


def _extract(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    for index in range(failed - 1, max(-1, failed - 6), -1):
        if _word(lexemes, index) == "EXTRACT" and _word(lexemes, index + 1) == "(":
            return _make_repair(lexemes, index, failed, "EXTRACT is written EXTRACT(YEAR FROM value).")
    return None


def _recognise_two_word_name(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise an unquoted name with a blank, as in ``AS amount due``."""
    if failed < 2 or _word(lexemes, failed - 2) != "AS" or "LPAR" in expected:
        return None
    name, rest = lexemes[failed - 1], lexemes[failed]
    following = lexemes[failed + 1].upper if failed + 1 < len(lexemes) else ""
    if len(rest.terminals) == 2 or not rest.text[:1].isalpha() or following not in (",", "FROM", "", ")"):
        return None
    written = f"`{name.text} {rest.text}`"
    return _make_repair(
        lexemes, failed - 1, failed, f"A name that holds a blank is quoted with back-quotes: {written}."
    )


def _second_alias(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if _word(lexemes, failed) == "AS" and _word(lexemes, failed - 2) == "AS":
        return _make_repair(lexemes, failed, failed, f"The alias {lexemes[failed - 1].text} stands here already.")
    return None


def _backslash(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    before = lexemes[failed - 1] if failed else lexemes[failed]
    if before.text[:1] == "'" and before.text[-2:] == "\\'":
        advice = "A backslash escapes nothing in FLINK; a quote inside of text is doubled: 'it''s'."
        return Repair(before.position + len(before.text) - 2, 2, advice)
    return None


def _match_recognize(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    for index in range(max(0, failed - 6), min(len(lexemes), failed + 1)):
        if _word(lexemes, index) == "MATCH_RECOGNIZE" and _word(lexemes, index + 1) == "(":
            advice = "MATCH_RECOGNIZE finds patterns in the order of rows, for which Spark has no operation." + see(
                Section.STREAMS
            )
            return _make_repair(lexemes, index, index, advice)
    return None


def _recognise_in_without_parentheses(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if (_word(lexemes, failed) == "," and _word(lexemes, failed - 2) == "IN") or (
        _word(lexemes, failed - 1) == "IN" and _word(lexemes, failed) == "["
    ):
        return _make_repair(lexemes, failed - 1, failed - 1, "The values after IN stand in parentheses: IN (1, 2).")
    return None


def _cast(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    for index in range(failed, max(-1, failed - 12), -1):
        if _word(lexemes, index) in ("CAST", "TRY_CAST") and _word(lexemes, index + 1) == "(":
            name = _word(lexemes, index)
            inside = [lexeme.text for lexeme in lexemes[index + 2 : failed + 1]]
            if inside and inside.count("(") == inside.count(")") and inside[-1] != ")":
                return _make_repair(lexemes, failed, failed, f"{name} is written {name}(value AS type).")
            return None
    return None


def _recognise_between(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if "AND" not in expected or "OR" in expected:
        return None
    for index in range(failed - 1, max(-1, failed - 10), -1):
        if _word(lexemes, index) == "BETWEEN":
            return _make_repair(
                lexemes, failed, failed, "BETWEEN takes two values with AND between them: BETWEEN 1 AND 2."
            )
    return None


def _case(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if "WHEN" not in expected or "END" in expected:
        return None
    index = next((i for i in range(failed, -1, -1) if lexemes[i].upper == "CASE"), None)
    if index is None:
        # WHEN of a MERGE.
        return None
    advice = CASE_IS_WRITTEN
    if failed == index + 1 or lexemes[failed].upper not in ("THEN", "ELSE", "END"):
        advice += f" As a name, {lexemes[index].text} needs back-quotes: `{lexemes[index].text}`."
    return _make_repair(lexemes, index, index, advice)


def _recognise_missing_parentheses(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if expected == {"LPAR"} and lexemes[failed].text:
        before = lexemes[failed - 1].text
        return _make_repair(lexemes, failed, failed, f"What follows {before} stands in parentheses: {before} (…).")
    for index in range(failed, max(0, failed - 3), -1):
        if _word(lexemes, index) in ("PARTITION", "ORDER") and _word(lexemes, index - 1) == "OVER":
            word = _word(lexemes, index)
            return _make_repair(lexemes, index, index, f"The window stands in parentheses: OVER ({word} BY …).")
    return None


def _frame(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    if "PRECEDING" in expected and _word(lexemes, failed) in (")", "AND"):
        return _make_repair(lexemes, failed, failed, "The bounds of a frame are so many rows PRECEDING or FOLLOWING.")
    return None


def _recognise_other_words(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    found = _word(lexemes, failed)
    meant = _OTHER_WORDS.get(found)
    if meant is None and failed:
        found, meant = _word(lexemes, failed - 1), _OTHER_WORDS.get(_word(lexemes, failed - 1))
        failed -= 1
    return None if meant is None else _make_repair(lexemes, failed, failed, f"There is no {found}; {meant}.")


_OTHER_WORDS = {
    "GLOB": "use RLIKE, which takes a regular expression",
    "SIMILAR": "use SIMILAR TO",
    "MOD": "use %, or the function MOD(a, b)",
    "XOR": "use (a OR b) AND NOT (a AND b)",
    "ELSEIF": "write another WHEN … THEN …",
    "ELSIF": "write another WHEN … THEN …",
    "STRAIGHT_JOIN": "use JOIN",
    "RECORDWRITER": "Spark refuses it, too: ROW FORMAT says how rows are written for a program",
    "RECORDREADER": "Spark refuses it, too: ROW FORMAT says how what a program gives is read",
    "APPLY": "use JOIN LATERAL for CROSS APPLY, LEFT JOIN LATERAL for OUTER APPLY",
}


def _script(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise a misplaced MAP or REDUCE … USING, which are other words for TRANSFORM."""
    texts = range(len(lexemes) - 1)
    using = next((i for i in texts if _word(lexemes, i) == "USING" and lexemes[i + 1].text[-1:] in ("'", '"')), None)
    if using is None or failed > using + 1:
        return None
    for index in range(min(failed, using - 1), max(failed - 2, -1), -1):
        word = _word(lexemes, index)
        if word in ("MAP", "REDUCE"):
            advice = (
                f"{word} … USING begins a query, which has FROM before it or after it, and may stand in parentheses."
            )
            return Repair(lexemes[index].position, len(word), advice, tells_all=True)
    return None


def _nearest(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise JOIN … NEAREST 1 BY … without the required EXACT or APPROX."""
    for index in (failed, failed - 1):
        is_said = _word(lexemes, index - 1) in ("EXACT", "APPROX")
        begins = "BY" in (_word(lexemes, index + 1), _word(lexemes, index + 2))
        if _word(lexemes, index) == "NEAREST" and begins and not is_said:
            advice = "Write EXACT NEAREST or, where rows that are nearly as near will do, APPROX NEAREST."
            return Repair(lexemes[index].position, len(lexemes[index].text), advice)
    return None


def _bin_by(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise BIN BY, which Spark parses but rejects unless an internal setting is on."""
    for index in (failed, failed - 1):
        if _word(lexemes, index) == "BIN" and _word(lexemes, index + 1) == "BY" and _word(lexemes, index + 2) == "(":
            advice = (
                "BIN BY is not supported; Spark itself refuses it unless spark.sql.binByRelationOperator.enabled is "
                "true, and execute_sql has Spark run it then. Join a row for each bin, LATERAL "
                "explode(sequence(…)) for instance, and divide what is to be distributed."
            )
            first, last = lexemes[index], lexemes[index + 1]
            return Repair(first.position, last.position + len(last.text) - first.position, advice, tells_all=True)
    return None


def _as_of_join(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise an as-of join whose words are in another order, or without its match condition."""
    for index in range(failed, max(failed - 6, -1), -1):
        word, after = _word(lexemes, index), _word(lexemes, index + 1)
        if word == "ASOF" and after in ("INNER", "LEFT", "RIGHT", "FULL", "OUTER"):
            advice = "The type of an as-of join stands before it: LEFT ASOF JOIN"
        elif word == "ASOF" and after == "JOIN" and _word(lexemes, index + 2) == "LATERAL":
            advice = "ASOF JOIN has no LATERAL: its right side does not refer to the left one"
        elif word == "MATCH_CONDITION" and after == "(":
            advice = "MATCH_CONDITION belongs to ASOF JOIN and stands before ON and USING: "
            advice += "t LEFT ASOF JOIN u MATCH_CONDITION (t.at >= u.since) ON t.k = u.k"
        elif "MATCH_CONDITION" in expected and word in ("ON", "USING"):
            advice = "ASOF JOIN has MATCH_CONDITION (…) before {}: ASOF JOIN u MATCH_CONDITION (t.at >= u.since)"
            advice = advice.format(word)
        else:
            continue
        return Repair(lexemes[index].position, len(word), f"{advice}.", tells_all=True)
    return None


def _version_behind_alias(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise the version of a table behind its alias, where other systems have it."""
    first = failed + 1 if _word(lexemes, failed) == "FOR" else failed
    moment, after = _word(lexemes, first), (_word(lexemes, first + 1), _word(lexemes, first + 2))
    if moment not in _MOMENTS or after != ("AS", "OF") or _word(lexemes, failed - 1) == ")":
        return None
    words = " ".join([_word(lexemes, index) for index in range(failed, first + 3)])
    return _make_repair(lexemes, failed, first + 2, f"{words} stands before the alias of the table: t {words} … AS a")


_MOMENTS = frozenset({"SYSTEM_TIME", "SYSTEM_VERSION", "TIMESTAMP", "VERSION"})


def _json_table(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Recognise clauses of JSON_TABLE that only other systems have."""
    is_json_table = any(_word(lexemes, i) == "JSON_TABLE" and _word(lexemes, i + 1) == "(" for i in range(failed))
    for index in (failed, failed - 1):
        clause, following = _CLAUSES_OF_JSON_TABLE.get(_word(lexemes, index), ("", ""))
        if is_json_table and clause and following in ("", _word(lexemes, index + 1)):
            return _make_repair(lexemes, index, index, f"JSON_TABLE of Spark has no {clause}")
    return None


_ON_EMPTY = (
    "ON EMPTY, nor ON ERROR for one column: what is not found is NULL, of which COALESCE makes another value. After "
    "all columns stands NULL ON ERROR or ERROR ON ERROR, for a text that is no JSON."
)
# The advice by the first word of a clause, with the second word if it is needed to recognise the clause.
_CLAUSES_OF_JSON_TABLE = {
    "NESTED": (
        "NESTED PATH. Have the array as a column of type STRING, and join LATERAL JSON_TABLE(that column, '$[*]' …).",
        "",
    ),
    "FORMAT": ("FORMAT JSON: a column of type STRING holds the JSON of an array or an object.", "JSON"),
    "WITH": ("WRAPPER: a path leads to one value, and a column of type STRING holds the JSON of an array.", ""),
    "PASSING": ("PASSING: its paths have no variables. Filter by them, or put them into the JSON.", ""),
    "DEFAULT": (_ON_EMPTY, ""),
    **dict.fromkeys(("NULL", "ERROR", "EMPTY"), (_ON_EMPTY, "ON")),
}


_RULES: tuple[Rule, ...] = (
    _script,
    _nearest,
    _bin_by,
    _as_of_join,
    _version_behind_alias,
    _json_table,
    _recognise_two_statements,
    _second_alias,
    _backslash,
    _recognise_undoubled_quote,
    _recognise_late_clause,
    _match_recognize,
    find_other_statement,
    find_other_form,
    _top,
    _limit_with_comma,
    _null_tests,
    _foreign_operators,
    _quotes_of_names,
    _recognise_in_without_parentheses,
    _cast,
    _extract,
    _recognise_between,
    _case,
    _frame,
    _recognise_missing_parentheses,
    _recognise_two_word_name,
    _recognise_other_words,
)


def find_unclosed(lexemes: Sequence[Lexeme], *, is_type: bool = False) -> Lexeme | None:
    """Return the innermost parenthesis or bracket that is unclosed at the end."""
    opening, closing = ("(", "[", "<") if is_type else ("(", "["), (")", "]", ">", ">>", ">>>")
    open_ones: list[Lexeme] = []
    for lexeme in lexemes:
        if lexeme.text in opening:
            open_ones.append(lexeme)
        elif lexeme.text in closing and open_ones and (is_type or lexeme.text in (")", "]")):
            del open_ones[-len(lexeme.text) :]
    return open_ones[-1] if open_ones else None


def is_unopened(lexemes: Sequence[Lexeme]) -> bool:
    """Whether the last lexeme is a closing parenthesis without an opening one."""
    return bool(lexemes) and lexemes[-1].text == ")" and find_unclosed(lexemes[:-1]) is None


def describe_token(found: str) -> str:
    """Return the name of a found token for messages."""
    return shorten(found) if found else "the end"
