"""Scripts are split into their statements, each with its line and its comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.errors import SqlParserException
from tableapi.migration.view_statements import read_view, statements_in, view_word, written_path

_WORDS = st.sampled_from(
    ["SELECT", "a", "1", "'it''s; -- /* '", "'two\nlines;'", '"x;y"', "`tick``;`", "(", ")", "+", "/* in; */", "BEGINS"]
)
_STATEMENTS = st.lists(_WORDS, min_size=1, max_size=6).map(lambda given: " ".join(["VALUES", *given, "z"]))
_COMMENTS = st.lists(
    st.sampled_from(["-- one; 'open\n", "/* two; \n lines */", "/* 'x */ ", "--\n", "\n", "  ", "\t", "-- SET a=b;\n"]),
    max_size=4,
).map("".join)
_ENDS = st.sampled_from([";", ";;", " ;\n", "\n;", "; ; ", ";\r\n"])


@given(st.lists(st.tuples(_COMMENTS, _STATEMENTS, _ENDS), max_size=5), _COMMENTS)
def test_a_script_splits_into_what_it_was_made_from(parts: list[tuple[str, str, str]], tail: str) -> None:
    script = "".join(f"{comments}{statement}{end}" for comments, statement, end in parts) + tail
    found = list(statements_in(script))
    assert [one.text for one in found] == [statement for _, statement, _ in parts]
    position = 0
    for one in found:
        position = script.index(one.text, position)
        assert one.line == script.count("\n", 0, position) + 1
        position += len(one.text)


@given(st.lists(st.tuples(_COMMENTS, _STATEMENTS, _ENDS), min_size=1, max_size=5))
def test_no_comment_is_lost_or_gets_a_word(parts: list[tuple[str, str, str]]) -> None:
    script = "".join(f"{comments}{statement}{end}" for comments, statement, end in parts)
    found = list(statements_in(script))
    before = "".join(comments for comments, _, _ in parts)
    assert "".join("".join(one.comments.split()) for one in found) == "".join(before.split())
    for one in found:
        # The comments are comments: nothing of them is a statement.
        assert list(statements_in(one.comments + "\n")) == []


def test_a_comment_behind_the_semicolon_is_of_the_statement_before() -> None:
    script = "-- A.\nSELECT 1; -- Still a.\n/* B. */ SELECT 2; SELECT 3 -- within\n; SELECT 4"
    found = [(one.text, one.line, one.comments) for one in statements_in(script)]
    assert found == [
        ("SELECT 1", 2, "-- A.\n-- Still a."),
        ("SELECT 2", 3, "/* B. */"),
        ("SELECT 3 -- within", 3, ""),
        ("SELECT 4", 4, ""),
    ]


_HEADS = st.tuples(
    st.sampled_from(
        ["CREATE VIEW", "create or replace view", "CREATE OR REFRESH MATERIALIZED VIEW", "CREATE TEMP VIEW"]
    ),
    st.sampled_from(["", "IF NOT EXISTS"]),
    st.sampled_from(["v", "db.`odd ``name`", "cat.db.v", "`view`"]),
    st.sampled_from(["", "(a, `as` COMMENT ' AS ')", "(a /* AS SELECT */, b)"]),
    st.sampled_from(["", "COMMENT 'it is AS (it) was'", 'COMMENT "x"']),
    st.sampled_from(["", "TBLPROPERTIES ('as' = ' AS ', 'k' = 'v')"]),
)
_PATHS = {"v": ("v",), "db.`odd ``name`": ("db", "odd `name"), "cat.db.v": ("cat", "db", "v"), "`view`": ("view",)}
_QUERIES = st.sampled_from(
    ["SELECT a AS b FROM t", "WITH x AS (SELECT 1 AS a)\nSELECT * FROM x -- end", "anything AS )("]
)
_SPACES = st.sampled_from([" ", "\n", " -- AS\n", "/* AS */"])


@given(_HEADS, _QUERIES, _SPACES)
def test_the_parts_of_a_view_are_found(head: tuple[str, ...], query: str, space: str) -> None:
    create, exists, name, columns, comment, properties = head
    if exists and "replace" in create:
        exists = ""
    text = space.join(filter(None, [create, exists, name, columns, comment, properties, "AS", query]))
    (statement,) = statements_in(text)
    index = view_word(statement.words)
    assert index is not None
    assert written_path(statement, index + 1) == _PATHS[name]
    view = read_view(statement, index)
    assert view.path == _PATHS[name]
    assert view.definition.text.endswith(query)
    # The query is at its place in the statement, and all before it is blank.
    assert view.query.count("\n") == text.count("\n")
    assert view.query.endswith(query)
    assert len(view.query) == len(text)
    assert view.query[: len(text) - len(query)].strip() in ("", "-- AS", "/* AS */")
    assert [name for name, _ in view.definition.columns] == {"": [], "(a,": ["a", "as"], "(a": ["a", "b"]}[
        columns.partition(" ")[0]
    ]
    assert view.definition.comment == {"": None, "C": comment[9:-1]}[comment[:1]]
    assert dict(view.definition.properties) == ({"as": " AS ", "k": "v"} if properties else {})
    # Spark wants the types in the list of columns of a materialized view.
    becomes_view = "MATERIALIZED" in create and view.storage is None
    assert not becomes_view or columns or exists
    assert len(view.notes) == becomes_view + ("TEMP" in create)


@pytest.mark.parametrize("text", ["CREATE TABLE v AS SELECT 1", "DROP VIEW v", "SELECT VIEW", "CREATE FUNCTION view"])
def test_what_creates_no_view(text: str) -> None:
    assert view_word(text.upper().split()) is None


def test_a_view_without_a_query_is_refused() -> None:
    (statement,) = statements_in("CREATE VIEW v (a COMMENT 'AS') COMMENT ' AS '")
    with pytest.raises(SqlParserException, match="there is no AS"):
        read_view(statement, 1)
