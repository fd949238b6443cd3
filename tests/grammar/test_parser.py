"""The parser: it accepts the same language as lark's, at any depth and length, and recovers from damaged tables."""

from __future__ import annotations

import marshal
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from lark import Lark
from lark import Token as LarkToken
from lark.exceptions import LarkError, UnexpectedToken

from grammar import tables as grammar_tables
from grammar.errors import Misread, SyntaxProblem
from grammar.parser import States
from grammar.parsers import parser
from grammar.reading import parse_query, parse_syntax
from grammar.tables import GRAMMAR, Tables, build_tables, decode_reduction, store, tables
from ir.errors import SqlParserException, ValidationException
from ir.functions.temporal import extract_unit
from ir.rendering import Dialect
from tests.depth import DEPTH

TEXTS = [
    path
    for path in sorted((Path(__file__).parents[2] / "snapshots" / "spark").glob("*.sql"))
    # IDENTIFIER ('…') is replaced by the name in it before a text is parsed.
    if "IDENTIFIER(" not in path.read_text(encoding="utf-8")
]


# --- the language ----------------------------------------------------------------------------------------------------


@cache
def lark_parser() -> Lark:
    return Lark(Path(GRAMMAR).read_text(encoding="utf-8"), parser="lalr", lexer="contextual", start="sql")


def ours_accepts(text: str) -> bool:
    try:
        # As lark does, accept every keyword as a name that may be one.
        parser(Dialect.SPARK).read(text, "sql")
    except SyntaxProblem:
        return False
    except Misread:
        # The text fits the grammar, and an action reports that it is meaningless.
        return True
    return True


def is_meaningless(text: str) -> bool:
    """Whether an action reports an error, such as a second name of a window: lark takes its word for a keyword."""
    try:
        parser(Dialect.SPARK).read(text, "sql")
    except SyntaxProblem:
        return False
    except Misread:
        return True
    return False


def lark_accepts(text: str) -> bool:
    try:
        lark_parser().parse(text)
    except LarkError:
        return False
    return True


def lark_takes_a_name_for_a_keyword(text: str) -> bool:
    """Whether lark refuses a unit of time after a string as a name, and accepts it in quotes: ``struct('1' HOUR)``.

    There, lark's states are those of INTERVAL '1' HOUR, too, in which HOUR is no name.
    """
    try:
        lark_parser().parse(text)
    except UnexpectedToken as error:
        word = error.token
        quoted = f"{text[: word.start_pos]}`{word}`{text[word.end_pos :]}"
        is_unit = text[: word.start_pos].rstrip().endswith("'") and extract_unit(word) is not None
        return is_unit and lark_accepts(quoted)
    return False


def lark_splits_a_word(text: str) -> bool:
    if not lark_accepts(text):
        return False
    tokens = sorted(
        lark_parser().parse(text).scan_values(lambda v: isinstance(v, LarkToken)), key=lambda t: t.start_pos
    )
    pairs = ((one, other) for one, other in pairwise(tokens) if one.end_pos == other.start_pos)
    return any(one[-1].isalnum() and other[0].isalnum() for one, other in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("path", TEXTS[::12], ids=lambda path: path.stem)
def test_lark_itself_accepts_the_same_texts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ours_accepts(text)
    assert lark_accepts(text)
    # Both parsers must also agree on the same damaged texts.
    words = text.split(" ")
    chosen = random.Random(path.stem)
    for _ in range(6):
        place = chosen.randrange(len(words))
        changed = " ".join([*words[:place], *words[place + 1 :]])
        # Where no name may stand, lark's own lexer splits INT into IN and a name.
        is_same = ours_accepts(changed) == lark_accepts(changed) or is_meaningless(changed)
        assert is_same or lark_splits_a_word(changed) or lark_takes_a_name_for_a_keyword(changed), changed


def test_a_keyword_without_meaning_is_a_name() -> None:
    query = parse_query("SELECT year, first, window, date FROM (SELECT 1 year, 2 first, 3 AS window, 5 date)")
    assert query.schema.names == ("year", "first", "window", "date")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 -- a comment\n AS a",
        "SELECT /* one /* in another */ */ 1 AS a",
        "SELECT 1 /**/ AS a;;",
        "-- first\nSELECT 1 AS a -- last",
        "SELECT 1 /* not /*+ a hint */ */ AS a",
    ],
)
def test_comments_are_blanks(text: str) -> None:
    assert parse_query(text) is parse_query("SELECT 1 AS a")


@pytest.mark.parametrize("dialect", Dialect)
def test_closing_brackets_of_types_are_not_operators(dialect: Dialect) -> None:
    assert parse_syntax("SELECT CAST(a AS ARRAY<ARRAY<ARRAY<INT>>>) FROM t", dialect)


def test_expected_terminals_lead_to_valid_queries() -> None:
    reader = parser(Dialect.SPARK)
    with pytest.raises(SyntaxProblem) as caught:
        reader.parse("SELECT a FROM", "sql")
    expected = reader.expected(States(caught.value.states))
    assert {"NAME", "QUOTED", "LPAR", "VALUES", "LATERAL"} <= set(expected)
    # The parser state's row would allow these terminals, but none of them leads to a valid query.
    assert not {"WHERE", "PLUS", "$END"} & set(expected)


# --- depth and length ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_stack")
@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * DEPTH + "1" + ")" * DEPTH + " AS a",
        "SELECT " + " + ".join(["1"] * DEPTH) + " AS a",
        "SELECT 1 AS a WHERE " + " OR ".join([f"1 = {i}" for i in range(DEPTH)]),
        "SELECT a FROM (" * DEPTH + "SELECT 1 AS a" + ")" * DEPTH,
        " UNION ALL ".join(["SELECT 1 AS a"] * DEPTH),
        "SELECT " + "UPPER(" * DEPTH + "'a'" + ")" * DEPTH + " AS a",
        "SELECT " + "CASE WHEN TRUE THEN " * DEPTH + "1" + " END" * DEPTH + " AS a",
        "SELECT " + "NOT " * DEPTH + "TRUE AS a",
        "SELECT " + "- " * DEPTH + "1 AS a",
        "SELECT " + "(SELECT " * DEPTH + "1" + " AS a)" * DEPTH + " AS a",
        "WITH t0 AS (SELECT 1 AS a)"
        + "".join(f", t{i} AS (SELECT a FROM t{i - 1})" for i in range(1, DEPTH))
        + f" SELECT a FROM t{DEPTH - 1}",
        "FROM (SELECT 1 AS a) " + "|> WHERE a > 0 " * DEPTH,
        "SELECT a FROM (SELECT 1 AS a) ORDER BY " + " + ".join(["a"] * DEPTH),
    ],
    ids=[
        "parentheses",
        "sum",
        "or",
        "selects",
        "union",
        "calls",
        "case",
        "not",
        "minus",
        "scalar",
        "with",
        "pipe",
        "key",
    ],
)
def test_depth_costs_no_recursion(text: str) -> None:
    assert parse_query(text).schema.names == ("a",)


def test_long_lists() -> None:
    count = 20_000
    listed = parse_query(f"SELECT 1 IN ({', '.join(map(str, range(count)))}) AS a")
    (projection,) = listed.expressions
    assert len(projection.children) == count + 1


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 60_000,
        "SELECT '" + "x" * 200_000,
        "SELECT '" + "\\" * 200_000,
        "\0" * 200_000,
        "/*" * 100_000,
    ],
    ids=["parentheses", "text", "backslashes", "control", "comments"],
)
def test_hostile_texts_fail_cleanly(text: str) -> None:
    with pytest.raises(SqlParserException) as caught:
        parse_query(text)
    assert len(str(caught.value)) < 1_000


def test_types_nested_very_deep_are_refused() -> None:
    with pytest.raises(ValidationException, match="nested more than 100 levels"):
        parse_query("SELECT CAST(NULL AS " + "ARRAY<" * DEPTH + "INT" + ">" * DEPTH + ") AS a")


# --- the tables ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built() -> Tables:
    """Tables freshly built by lark, which takes seconds."""
    return build_tables()


@pytest.mark.slow
def test_kept_tables_are_the_ones_that_lark_makes(built: Tables) -> None:
    assert tables() == built


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"{}", b"no tables", marshal.dumps({"key": "another"}), marshal.dumps([])])
def test_a_damaged_file_of_tables_is_made_again(
    damage: bytes, tmp_path: Path, built: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "deeper" / "sql.tables"
    monkeypatch.setattr(grammar_tables, "_places", lambda: [place])
    monkeypatch.setattr(grammar_tables, "build_tables", lambda: built)
    place.parent.mkdir()
    place.write_bytes(damage)
    made: Tables = tables.__wrapped__()
    # Check that the tables are the object just built, and not one that was read from the damaged file.
    assert made is built
    assert marshal.loads(place.read_bytes())["tables"]["terminals"] == made.terminals


def test_tables_that_cannot_be_kept_work_all_the_same(
    tmp_path: Path, built: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(grammar_tables, "_places", lambda: [tmp_path / "file" / "sql.tables"])
    monkeypatch.setattr(grammar_tables, "build_tables", lambda: built)
    assert not store(tmp_path / "file" / "sql.tables", built)
    assert tables.__wrapped__() is built


def test_every_rule_has_an_action() -> None:
    # A rule looks up its action.
    reductions = [decode_reduction(encoded) for encoded in tables().reductions]
    assert [len([parser(dialect).make_rule(one) for one in reductions]) for dialect in Dialect] == [len(reductions)] * 2
