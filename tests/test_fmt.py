"""SQL formatting: examples of the layout, and checks that tokens, comments and meaning never change."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.formatting import format_text
from grammar.formatting.concrete import Comment, Leaf, concrete_parser, list_leaves, shape_of
from grammar.formatting.printer import comment_text
from grammar.formatting.statements import Scanner, chunks
from grammar.formatting.text import Formatted
from grammar.reading import parse_syntax
from grammar.syntax.base import Syntax, fields_of
from tableapi import Dialect, SqlParserException, ValidationException, format_sql
from tests import fmt_fuzzing
from tests.cases import every
from tests.counting import calls
from tests.depth import DEPTH

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE / "fmt").glob("*.sql"))
# The separator between the two texts of an example: "==== becomes", with any unusual settings.
BECOMES = re.compile(r"^==== becomes(?:, width (\d+))?(?:, (FLINK))?$", re.MULTILINE)
SNAPSHOTS = [
    (path, dialect)
    for dialect in Dialect
    for path in sorted((HERE.parent / "snapshots" / dialect.name.lower()).glob("*.sql"))
]


def example(path: Path) -> tuple[str, str, Dialect, int]:
    text = path.read_text()
    found = BECOMES.search(text)
    assert found is not None, path
    dialect = Dialect[found[2] or "SPARK"]
    return text[: found.start()], text[found.end() + 1 :], dialect, int(found[1] or 100)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path) -> None:
    given_text, expected, dialect, width = example(path)
    assert format_sql(given_text, dialect, width) == expected
    assert format_sql(expected, dialect, width) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("select 1 as identifier ( 'x' )", "SELECT 1 AS identifier('x')"),
        (
            "select * from identifier('a.b') as IDENTIFIER('t') (identifier('c'))",
            "SELECT *\nFROM identifier('a.b') AS IDENTIFIER('t')(identifier('c'))",
        ),
        (
            "select sum(a) over identifier('w') from t join u using (identifier('a')) window identifier( 'w' ) as ()",
            "SELECT sum(a) OVER identifier('w')\nFROM t\nJOIN u\nUSING (identifier('a'))\nWINDOW identifier('w') AS ()",
        ),
    ],
)
def test_names_that_identifier_gives_stay_as_they_are(written: str, expected: str) -> None:
    assert format_sql(written) == expected
    assert format_sql(expected) == expected


def test_a_comment_in_a_name_that_identifier_gives_is_not_lost() -> None:
    with pytest.raises(SqlParserException, match=r"'\(' is not expected after 'IDENTIFIER'"):
        format_sql("SELECT 1 AS IDENTIFIER(/* which */ 'x')")


# The fields of syntax nodes that contain positions in the text.
POSITIONS = ("position", "ordinality", "word")


def syntax(text: str, dialect: Dialect) -> list[Any]:
    """Return the syntax that the parser passes to the builder, without positions."""
    made: list[Any] = []
    stack = [parse_syntax(text, dialect)]
    while stack:
        part = stack.pop()
        if isinstance(part, (list, tuple)):
            stack.extend(part if not hasattr(part, "position") else [part.text])
            made.append(len(part))
        elif isinstance(part, Syntax):
            made.append(type(part))
            stack.extend(getattr(part, name) for name in fields_of(part) if name not in POSITIONS)
            made.extend(getattr(part, name, None) is not None for name in POSITIONS)
        else:
            made.append(part.upper() if isinstance(part, str) else part)
    return made


@cache
def snapshot_and_formatted(path: Path, dialect: Dialect) -> tuple[str, Formatted]:
    """Return the text of a snapshot, as it is and formatted, without the line break at its end."""
    text = path.read_text().rstrip("\n")
    return text, format_text(text, dialect, 100)


@pytest.mark.slow
@every("written", lambda: SNAPSHOTS, lambda written: f"{written[1].name}-{written[0].stem}", alike=True)
def test_text_of_a_program_keeps_its_syntax(written: tuple[Path, Dialect]) -> None:
    path, dialect = written
    text, formatted = snapshot_and_formatted(path, dialect)
    assert not formatted.notes
    if formatted.text != text:
        assert syntax(formatted.text, dialect) == syntax(text, dialect)
        assert format_text(formatted.text, dialect, 100).text == formatted.text
    one_line = " ".join(word.text for word in concrete_parser(dialect).words(text))
    assert format_text(one_line, dialect, 100).text == formatted.text


@pytest.mark.slow
def test_style_is_the_one_of_the_serializer() -> None:
    # The other texts have lists near the line width, which the serializer measures without indentation, or broken
    # conditions and calls, which the serializer never breaks.
    texts = [snapshot_and_formatted(*snapshot) for snapshot in SNAPSHOTS]
    same = [text for text, formatted in texts if formatted.text == text]
    assert len(same) > 0.6 * len(SNAPSHOTS)


def tokens(text: str, dialect: Dialect) -> list[tuple[str, str]]:
    return [(text[leaf.position : leaf.end], leaf.kind) for leaf in list_leaves(concrete_parser(dialect).tree(text))]


BLANKS = [" ", "\n", "  ", "\t", "\r\n", "\n\n\n", " \n "]
COMMENTS = [
    " -- line\n",
    "\n-- own line\n",
    "\n\n  -- after an empty line\n\n",
    " --\n",
    " -- ends in a backslash\\ \n",
    " -- two -- lines\\\n of one comment \n",
    " -- quote ' \" ` ; \n",
    " /* inline */ ",
    "/**/",
    " /* ends the line */\n",
    "\n/* own line */\n",
    "\n/* before */ ",
    " /* several\n   lines, */ ",
    " /* nested /* comment */ ; */ ",
    " /* one */ -- two\n -- three\n",
]
GAPS = st.one_of(st.sampled_from(BLANKS), st.sampled_from(BLANKS), st.sampled_from(COMMENTS))
CASES: list[Callable[[str], str]] = [str.upper, str.lower, str.swapcase]


def seeds() -> list[tuple[str, Dialect]]:
    """Return statements of the examples, which cover every rule, and of the programs."""
    texts = [(path.read_text(), dialect) for path, dialect in SNAPSHOTS[::10]]
    # ``tokens`` reads a text as it is written, and the formatter replaces computed names before it reads it.
    found = [(text, dialect) for text, dialect in texts if "IDENTIFIER(" not in text]
    for path in EXAMPLES:
        _, text, dialect, _ = example(path)
        scanner = Scanner(text, concrete_parser(dialect))
        for chunk in chunks(scanner.words()):
            if chunk.words:
                last = chunk.words[-1]
                statement = text[chunk.words[0].position : last.position + len(last.text)]
                if not format_text(statement, dialect, 100).notes:
                    found.append((statement, dialect))
    return found


SEEDS = seeds()


@st.composite
def disguised(draw: st.DrawFn) -> tuple[str, str, Dialect]:
    """Draw a text, its variant with other blanks, comments and keyword case, and its dialect."""
    text, dialect = draw(st.sampled_from(SEEDS))
    parts = tokens(text, dialect)
    few = draw(st.booleans())
    made = []
    for source, kind in parts:
        change = draw(st.sampled_from(CASES)) if kind == "word" and not few else str
        made.append(change(source))
        made.append(draw(GAPS) if not few or draw(st.integers(0, 9)) == 0 else " ")
    return text, "".join(made), dialect


@pytest.mark.slow
@given(disguised(), st.sampled_from([1, 20, 60, 100, 1000]))
def test_blanks_comments_and_case(texts: tuple[str, str, Dialect], width: int) -> None:
    plain, text, dialect = texts
    formatted = format_sql(text, dialect, width)
    assert format_sql(formatted, dialect, width) == formatted
    made = concrete_parser(dialect)
    assert shape_of(made.tree(formatted)) == shape_of(made.tree(text)) == shape_of(made.tree(plain))
    assert comments(formatted, dialect) == comments(text, dialect)
    if not comments(text, dialect):
        newline = format_text(text, dialect, width).newline
        bare = " ".join(source for source, _ in tokens(plain, dialect))
        assert formatted.rstrip().replace(newline, "\n") == format_sql(bare, dialect, width)
    for line in re.split(r"\r?\n", formatted):
        assert line == line.rstrip() or "--" in line or "/*" in line or "'" in line or "`" in line


def comments(text: str, dialect: Dialect) -> list[str]:
    scanner = Scanner(text, concrete_parser(dialect))
    found: list[Comment] = []
    end = 0
    for word in [*scanner.words(), None]:
        start = len(text) if word is None else word.position
        found += scanner.gap(end, start).comments
        end = start + (0 if word is None else len(word.text))
    return [comment_text(comment, "\n") for comment in found]


@given(st.lists(st.one_of(GAPS, st.sampled_from(["select 1", ";", "create table t (a int)", "use d"])), max_size=12))
def test_several_statements(parts: list[str]) -> None:
    text = " ".join(parts)
    try:
        formatted = format_sql(text)
    except SqlParserException:
        # Two statements without a semicolon between them.
        return
    assert format_sql(formatted) == formatted
    assert comments(formatted, Dialect.SPARK) == comments(text, Dialect.SPARK)


DEEP = {
    "subqueries": lambda n: "SELECT * FROM (" * n + "SELECT 1" + ")" * n,
    "parentheses": lambda n: "SELECT " + "(" * n + "1" + ")" * n,
    "cases": lambda n: "SELECT " + "CASE WHEN a THEN " * n + "1" + " END" * n,
    "calls": lambda n: "SELECT " + "f(a, " * n + "1" + ")" * n,
    "signs": lambda n: "SELECT " + "- " * n + "1",
    "joins": lambda n: "SELECT 1 FROM t " + "JOIN t ON a = b " * n,
    "unions": lambda n: " UNION ALL ".join(["SELECT 1"] * n),
    "pipes": lambda n: "FROM t " + "|> WHERE a " * n,
    "fields": lambda n: "SELECT a" + ".b" * n,
    "types": lambda n: "SELECT CAST(a AS " + "ARRAY<" * n + "INT" + ">" * n + ")",
    "statements": lambda n: "SELECT 1;" * n,
    "operators": lambda n: "SELECT " + " + ".join(["a * b"] * n),
    "conditions": lambda n: "SELECT 1 WHERE " + " AND ".join(["a = b"] * n),
    "items": lambda n: "SELECT " + ", ".join(["a"] * n),
    "comments": lambda n: "SELECT " + "a -- c\n ," * n + "b",
}


@pytest.mark.slow
@pytest.mark.usefixtures("short_stack")
@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP.keys())
def test_deep_and_long_texts_take_linear_time(make: Callable[[int], str]) -> None:
    def cost(size: int) -> int:
        text = make(size)
        made = []
        taken = calls(lambda: made.append(format_sql(text)))
        assert format_sql(made[0]) == made[0]
        return taken

    cost(100)
    assert cost(DEPTH) < 5 * cost(DEPTH // 4)


def test_spelling_is_kept_where_a_word_is_a_name() -> None:
    text = "select Key, Timestamp, Interval, Count(*) as Order_ from Both as Version"
    assert format_sql(text) == "SELECT Key, Timestamp, Interval, Count(*) AS Order_\nFROM Both AS Version"


def test_leaves_record_the_terminal_of_a_word() -> None:
    leaves = list_leaves(concrete_parser(Dialect.SPARK).tree("select `a`, 1, null, 'x' from first"))
    assert [(leaf.kind, leaf.text) for leaf in leaves if leaf.kind != "sign"] == [
        ("word", "SELECT"),
        ("QUOTED", "`a`"),
        ("NUMBER", "1"),
        ("value", "NULL"),
        ("SPARK_STRING", "'x'"),
        ("word", "FROM"),
        ("NAME", "first"),
    ]
    assert all(isinstance(leaf, Leaf) for leaf in leaves)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("\n\n", ""),
        (" -- only a comment", "-- only a comment"),
        ("-- only a comment\n", "-- only a comment\n"),
        ("select 1", "SELECT 1"),
        ("select 1\n\n", "SELECT 1\n"),
        ("select 1;", "SELECT 1;"),
        ("select a\r\nfrom t\r\n", "SELECT a\r\nFROM t\r\n"),
        ("select 'a\nb',\r\n 1\r\n", "SELECT 'a\nb', 1\r\n"),
        ("select 'a\r\nb'\nfrom t", "SELECT 'a\r\nb'\nFROM t"),
        ("call t (  \r\n a => 1)\r\n;", "call t (\r\n a => 1);"),
    ],
)
def test_line_breaks(text: str, expected: str) -> None:
    assert format_sql(text) == expected


def test_unknown_statements_are_noted() -> None:
    formatted = format_text("select 1;\nCALL t (a => 1);\nmerge into t using s on true", Dialect.SPARK, 100)
    assert [(note.line, note.message.partition(" …")[0]) for note in formatted.notes] == [
        (2, "CALL t ("),
        (3, "merge into t"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("select 1;\n\nselect a frm t where;", "line 3, column "),
        ("select 1; select 'x", "line 1, column 18"),
        ("select 1;\n/* open", "line 2, column 1"),
        ("select 1;\nselect (a", "line 2, column 10"),
    ],
)
def test_errors_have_their_place_in_the_whole(text: str, place: str) -> None:
    with pytest.raises(SqlParserException, match=place):
        format_sql(text)


@pytest.mark.parametrize("arguments", [(1,), ("select 1", "oracle"), ("select 1", Dialect.SPARK, 0)])
def test_wrong_arguments(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ValidationException, match=r"but was given|'oracle' is no dialect; accepted are SPARK, FLINK"):
        format_sql(*arguments)


# --- random texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "text",
    [
        "SELECT a = '' '' FROM t",
        "SELECT 'a' 'b' || 'c' 'd' 'e' FROM t",
        "SELECT 1 + - 'a' 'b' * 2",
        "SELECT * FROM t WHERE a LIKE 'x' 'y' OR b = 'c' -- one\n 'd'",
        "SELECT f('a' 'b', 'c' 'd'), CASE WHEN a = 'x' 'y' THEN 'p' 'q' END",
    ],
)
def test_adjacent_strings_are_one_operand(text: str, dialect: Dialect) -> None:
    assert fmt_fuzzing.problem(text, dialect) is None
    assert fmt_fuzzing.problem(text, dialect, 1) is None


def test_subscript_of_one_token_stays_on_its_line() -> None:
    long = f"select coalesce({'a' * 60}, b) + {'c' * 70}.tags[0] from t"
    assert f"+ {'c' * 70}.tags[0]\nFROM t" in format_sql(long, width=80)


@pytest.mark.slow
def test_changed_texts_are_formatted_or_refused() -> None:
    """This tries a few of the texts of ``make fuzz``, always the same ones."""
    # The formatter leaves names alone that IDENTIFIER computes from several strings.
    texts = [text for text in fmt_fuzzing.every_text() if "IDENTIFIER(" not in text]
    assert len(texts) > 3_000
    for text, dialect, width in fmt_fuzzing.changes(texts, 1, 300):
        found = fmt_fuzzing.problem(text, dialect, width)
        assert found is None, f"{text}\n--- {found}"
