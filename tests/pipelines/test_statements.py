"""The head of each statement: what is read from it, and that any text is read or refused by an error."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.statement_words import statements_of, words
from ir.errors import SqlParserException
from tableapi.project.pipelines.statements import DatasetKind, Definition, Setting, UseSchema, read_statement
from tests.pipelines.broken import BROKEN

TEXTS = [text for broken in BROKEN for name, text in broken.files.items() if name.endswith(".sql")]
STATEMENTS = list(dict.fromkeys(statement for text in TEXTS for statement in statements_of(text)))
WORDS = sorted({token.text for statement in STATEMENTS for token in words(statement)})


def read(text: str) -> Definition:
    found = read_statement(text)
    assert isinstance(found, Definition)
    return found


def test_all_of_a_materialized_view() -> None:
    found = read(
        "CREATE MATERIALIZED VIEW IF NOT EXISTS a.`b c` (x DECIMAL(10, 2) NOT NULL COMMENT 'it''s', y MAP<INT, INT>)\n"
        "USING parquet PARTITIONED BY (x, `y`) COMMENT \"c\" TBLPROPERTIES ('k' = 'v', a.b = 'w') AS SELECT 1"
    )
    assert (found.kind, found.name.path) == (DatasetKind.MATERIALIZED_VIEW, ("a", "b c"))
    assert [(c.name.text, c.type_text, c.comment) for c in found.columns] == [
        ("x", "DECIMAL(10, 2) NOT NULL", "it's"),
        ("y", "MAP<INT, INT>", None),
    ]
    assert [name.text for name in found.partitioned_by] == ["x", "y"]
    assert (found.comment, found.properties, found.format) == ("c", (("k", "v"), ("a.b", "w")), "parquet")
    assert found.query is not None
    assert found.query.strip() == "SELECT 1"


@pytest.mark.parametrize(
    ("query", "plain", "streams"),
    [
        ("SELECT * FROM STREAM a", "SELECT * FROM        a", ["a"]),
        ("SELECT * FROM STREAM(b.a) x", "SELECT * FROM        b.a  x", ["b.a"]),
        ("SELECT * FROM a JOIN stream `c d` USING (id)", "SELECT * FROM a JOIN        `c d` USING (id)", ["c d"]),
        (
            "SELECT * FROM (SELECT * FROM STREAM a, STREAM b)",
            "SELECT * FROM (SELECT * FROM        a,        b)",
            ["a", "b"],
        ),
        # Columns and tables of this name.
        ("SELECT stream FROM stream", "SELECT stream FROM stream", []),
        ("SELECT stream(a) FROM b WHERE stream > 1", "SELECT stream(a) FROM b WHERE stream > 1", []),
        ("SELECT 'FROM STREAM a' FROM b", "SELECT 'FROM STREAM a' FROM b", []),
        ("SELECT * FROM stream AS s", "SELECT * FROM stream AS s", []),
    ],
)
def test_streams(query: str, plain: str, streams: list[str]) -> None:
    head = "CREATE TEMPORARY VIEW v AS "
    found = read(head + query)
    assert found.query == " " * len(head) + plain
    assert [name.text for name in found.streams] == streams


def test_flows() -> None:
    found = read("CREATE FLOW f COMMENT 'c' AS INSERT INTO a.s BY NAME SELECT 1 AS x FROM STREAM t")
    assert found.target is not None
    assert (found.target.text, found.comment) == ("a.s", "c")
    found = read(
        "CREATE FLOW f AS AUTO CDC INTO s FROM STREAM(b.a) KEYS (id, `k k`) APPLY AS DELETE WHEN op = 'D' "
        "SEQUENCE BY struct(ts, id) COLUMNS * EXCEPT (op) STORED AS SCD TYPE 2"
    )
    changes = found.changes
    assert changes is not None
    assert (changes.source.text, changes.sequence) == ("b.a", "struct(ts, id)")
    assert [name.text for name in changes.keys] == ["id", "k k"]
    assert [name.text for name in changes.excluded] == ["op"]
    assert changes.scd_type == 2
    found = read("CREATE STREAMING TABLE s FLOW AUTO CDC FROM STREAM a KEYS (id) SEQUENCE BY ts COLUMNS (id, `b b`)")
    assert found.changes is not None
    assert ([name.text for name in found.changes.included], found.changes.scd_type) == (["id", "b b"], 1)


def test_statements_that_define_nothing() -> None:
    assert read_statement("SET spark.sql.ansi.enabled = true") == Setting()
    found = read_statement("USE SCHEMA a.b")
    assert isinstance(found, UseSchema)
    assert found.name.path == ("a", "b")


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_that_is_cut_off_is_read_or_an_error(statement: str) -> None:
    for end in range(1, len(statement)):
        with contextlib.suppress(SqlParserException):
            for part in statements_of(statement[:end]):
                read_statement(part)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25))
def test_any_words_are_read_or_an_error(text: list[str]) -> None:
    with contextlib.suppress(SqlParserException):
        for part in statements_of(" ".join(["CREATE", *text])):
            read_statement(part)


@pytest.mark.parametrize(
    ("query", "streams", "typed"),
    [
        ("SELECT a, stream FROM STREAM t", ["t"], "SELECT a, stream FROM        t"),
        ("SELECT f(stream, 1), stream IS NULL FROM t", [], "SELECT f(stream, 1), stream IS NULL FROM t"),
        ("SELECT (stream IS NULL) FROM STREAM(a.`b c`) AS x", ["a.b c"], None),
        ("SELECT * FROM STREAM t JOIN STREAM ( u ) ON t.a = u.a", ["t", "u"], None),
        ("SELECT * FROM t WHERE a IN (SELECT b FROM STREAM u)", ["u"], None),
        ("WITH w AS (SELECT * FROM STREAM t) SELECT * FROM w", ["t"], None),
    ],
)
def test_the_grammar_says_what_is_a_stream(query: str, streams: list[str], typed: str | None) -> None:
    found = read_statement(f"CREATE STREAMING TABLE made AS {query}")
    assert isinstance(found, Definition)
    assert [one.text for one in found.streams] == streams
    assert found.query is not None
    assert len(found.query) == len(found.text)
    if typed is not None:
        assert found.query.strip() == typed
    if "stream" not in query:
        assert "STREAM" not in found.query
