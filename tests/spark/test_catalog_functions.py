"""Functions in Spark's catalog: what Spark stores and reports, and that no failure loses a function."""

from __future__ import annotations

import hashlib
import itertools
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.errors import (
    CatalogException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    ValidationException,
)
from ir.identifiers import fold, quote
from ir.types import INT, STRING, ArrayType, RowField, RowType
from tableapi.catalog.functions import CatalogFunction, FunctionParameter
from tableapi.spark.catalog import SparkCatalog
from tableapi.spark.functions.descriptions import ForeignFunction, is_legible, parse
from tableapi.spark.functions.storage import FunctionStorage
from tableapi.spark.views.metadata import REPLACES
from tests.catalog.contract import TABLE, python, said, sql, view_of
from tests.strategies import names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_numbers = itertools.count()
ZONE = "spark.sql.session.timeZone"
X = FunctionParameter("x", INT)


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    return spark.newSession()


@pytest.fixture
def catalog(session: SparkSession) -> SparkCatalog:
    return SparkCatalog(session)


@pytest.fixture
def database(spark: SparkSession) -> Iterator[str]:
    name = f"function_test_{next(_numbers)}"
    spark.sql(f"CREATE DATABASE {name}")
    yield name
    spark.sql(f"DROP DATABASE {name} CASCADE")


# --- Spark's answers -------------------------------------------------------------------------------------------------


def test_an_answer_of_spark() -> None:
    found = parse(
        [
            "Function:      spark_catalog.fx.f",
            "Type:          SCALAR",
            "Input:         x   INT    DEFAULT 1+1 'c'd'",
            "               y z STRING DEFAULT date '2020-01-01'",
            "               w   INT    ",
            "Returns:       INT",
            "Comment:       co\nm",
            "Deterministic: false",
            "Data Access:   CONTAINS SQL",
            "Configs:       spark.sql.ansi.enabled=true",
            "               spark.sql.session.timeZone=a=b",
            "Create Time:   Sat Nov 21 05:58:54 UTC 2026",
            "Body:          x+1",
        ]
    )
    parameters = (
        FunctionParameter("x", INT, "1+1", "c'd"),
        FunctionParameter("y z", STRING, "date '2020-01-01'"),
        FunctionParameter("w", INT),
    )
    assert isinstance(found, CatalogFunction)
    assert said(found) == said(sql("x+1", *parameters, comment="co\nm", is_deterministic=False))
    assert found.settings == {"spark.sql.ansi.enabled": "true", ZONE: "a=b"}
    assert parse(["Function: a.b.c", "Class: org.example.F", "Usage: N/A."]) == ForeignFunction("org.example.F")


@pytest.mark.parametrize(
    ("parameters", "legible"),
    [
        ((), True),
        ((FunctionParameter("x INT", INT),), True),
        ((FunctionParameter("😀", INT, "1"), FunctionParameter("long", ArrayType(STRING), None, "😀")), True),
        ((FunctionParameter("x", INT, "'a'", "b"), FunctionParameter("y", INT, "concat('a', 'b')")), True),
        ((FunctionParameter("x", INT, "TRUE", "it's 'so'"),), True),
        ((FunctionParameter("x", INT, "timestamp '2020-01-01 00:00:00'"),), True),
        ((FunctionParameter("x INT DEFAULT", INT, None, "5"),), False),
        ((FunctionParameter("x ", INT),), False),
    ],
)
def test_legible_parameters(parameters: tuple[FunctionParameter, ...], legible: bool) -> None:
    assert is_legible(sql("1", *parameters)) is legible


parameters = st.builds(
    FunctionParameter,
    names(),
    st.sampled_from([INT, STRING, ArrayType(RowType((RowField("a b", INT),)))]),
    st.sampled_from([None, "1", "'a b'", "-1.5e3", "array(1, 2)", "DATE '2020-01-01'", "NULL"]),
    st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)


@given(st.lists(parameters, max_size=4))
def test_whatever_is_legible_is_read_back(given_parameters: list[FunctionParameter]) -> None:
    """Nearly all parameters are legible: this library rejects none that a person would write."""
    # U+FFFF is no character; where descriptions are read, it stands for the second half of one.
    plain = all(not set(p.name) & set("\uffff \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0") for p in given_parameters)
    calm = all(p.comment is None or "'" not in p.comment for p in given_parameters)
    assert is_legible(sql("1", *given_parameters)) or not (plain and calm)


# --- stored functions ------------------------------------------------------------------------------------------------


def test_spark_calls_stored_functions(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    catalog.create_function(database, "plus", sql("`x` + 1", X, comment="one more"))
    catalog.create_function(database, "pairs", TABLE)
    assert session.sql(f"SELECT {database}.plus(41)").collect() == [(42,)]
    assert session.sql(f"SELECT a FROM {database}.pairs(3)").collect() == [(3,)]


def test_functions_of_other_tools(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    """SQL functions of other tools are read as they are; functions in Java are listed and left to Spark."""
    session.conf.set(ZONE, "Asia/Tokyo")
    session.sql(
        f"CREATE FUNCTION {database}.f(x INT, y STRUCT<a: INT NOT NULL COMMENT 'q', `b c`: ARRAY<STRING>>) RETURN x"
    )
    session.sql(f"CREATE FUNCTION {database}.g() RETURNS TABLE RETURN SELECT 1 AS a, 'x' AS `b c`")
    session.sql(f"CREATE FUNCTION {database}.java AS 'org.example.F'")
    session.sql("CREATE TEMPORARY FUNCTION passing AS 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFAbs'")
    assert catalog.list_functions(database) == ["f", "g", "java"]
    found = catalog.get_function(database, "f")
    assert found is not None
    row = RowType((RowField("a", INT.not_null(), "q"), RowField("b c", ArrayType(STRING))))
    assert said(found) == said(sql("x", X, FunctionParameter("y", row)))
    assert found.settings[ZONE] == "Asia/Tokyo"
    table = catalog.get_function(database, "g")
    assert table is not None
    assert table.returns is RowType((RowField("a", INT), RowField("b c", STRING)), nullable=False)
    assert catalog.get_function(database, "java") is None
    with pytest.raises(FunctionAlreadyExistException):
        catalog.create_function(database, "java", sql("1"))
    with pytest.raises(CatalogException, match=r"one of the class org\.example\.F; Spark cannot put one of SQL"):
        catalog.create_function(database, "java", sql("1"), or_replace=True)
    catalog.drop_function(database, "java")
    assert catalog.list_functions(database) == ["f", "g"]


@pytest.mark.parametrize("name", ["my f", "a-b", "a`b", "a.b", "spark_catalog.x.f"])
def test_temporary_functions_of_odd_names_are_not_in_the_catalog(
    catalog: SparkCatalog, session: SparkSession, database: str, name: str
) -> None:
    catalog.create_function(database, "stored", sql("1"))
    session.sql(f"CREATE TEMPORARY FUNCTION {quote(name)}() RETURNS INT RETURN 1")
    listed = {row[0] for row in session.sql(f"SHOW USER FUNCTIONS IN {database}").collect()}
    assert {name, f"spark_catalog.{database}.stored"} <= listed
    assert catalog.list_functions(database) == ["stored"]


def test_texts_of_long_views_are_not_functions(catalog: SparkCatalog, database: str) -> None:
    catalog.create_view(database, "v", view_of(f"SELECT length('{'x' * 40_000}') AS a"))
    assert catalog.list_functions(database) == []


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("a-b", sql("1"), "only the letters A to Z, digits and _"),
        ("ü", python("a.b"), "only the letters A to Z, digits and _"),
        ("", sql("1"), "only the letters A to Z, digits and _"),
        ("f" * 129, sql("1"), "at most 128 are possible"),
        ("f", python("a.b").__class__(python("a.b").language, "a.b", comment="c"), "nothing but the import path"),
        ("f", sql("1", FunctionParameter("x INT DEFAULT", INT, None, "5")), "cannot tell the parameters"),
        ("f", sql("nope(1)"), "nope"),
        ("f", sql("y"), "y"),
        ("f", sql("1", X, X), "x"),
        ("f", sql("passing(1)"), "permanent function cannot depend on the temporary function `passing`"),
        ("f", sql("(SELECT max(a) FROM fleeting)"), "temporary view `fleeting`, .* or make this function temporary"),
    ],
)
def test_rejected_statements_change_no_function(
    catalog: SparkCatalog, session: SparkSession, database: str, name: str, function: CatalogFunction, message: str
) -> None:
    session.sql("CREATE TEMPORARY FUNCTION passing(x INT) RETURNS INT RETURN x")
    session.range(1).selectExpr("id AS a").createOrReplaceTempView("fleeting")
    with pytest.raises(ValidationException, match=message):
        catalog.create_function(database, name, function)
    catalog.create_function(database, "f", sql("7"))
    with pytest.raises(ValidationException, match=message):
        catalog.create_function(database, name, function, or_replace=True)
    assert said(catalog.get_function(database, "f")) == said(sql("7"))
    assert catalog.list_functions(database) == ["f"]


def test_one_language_does_not_take_the_place_of_another(catalog: SparkCatalog, database: str) -> None:
    catalog.create_function(database, "f", sql("1"))
    catalog.create_function(database, "g", python("a.b"))
    with pytest.raises(CatalogException, match=r"f is one of SQL; Spark cannot put one of PYTHON in its place"):
        catalog.create_function(database, "f", python("a.b"), or_replace=True)
    with pytest.raises(CatalogException, match=r"g is one of PYTHON; Spark cannot put one of SQL in its place"):
        catalog.create_function(database, "g", sql("1"), or_replace=True)
    assert said(catalog.get_function(database, "f")) == said(sql("1"))
    assert said(catalog.get_function(database, "g")) == said(python("a.b"))


def test_catalogs_without_function_support_are_reported(session: SparkSession) -> None:
    session.conf.set("spark.sql.catalog.jf", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    session.conf.set("spark.sql.catalog.jf.url", "jdbc:derby:memory:function_test;create=true")
    session.conf.set("spark.sql.catalog.jf.driver", "org.apache.derby.jdbc.EmbeddedDriver")
    catalog = SparkCatalog(session, "jf", "APP")
    assert catalog.list_functions("APP") == []
    assert catalog.get_function("APP", "f") is None
    for function in (sql("1"), python("a.b")):
        with pytest.raises(CatalogException, match="the catalog jf cannot hold functions"):
            catalog.create_function("APP", "f", function)


def test_databases(catalog: SparkCatalog, database: str) -> None:
    for name in ("a-b", "x" * 129):
        with pytest.raises(ValidationException, match="Spark's catalog cannot hold"):
            catalog.create_database(name)
    with pytest.raises(CatalogException, match="default database"):
        catalog.drop_database("default", cascade=True)
    with pytest.raises(DatabaseNotExistException, match=f"Did you mean '{database}'"):
        catalog.drop_database(database + "x")


# --- failures --------------------------------------------------------------------------------------------------------


class Ended(BaseException):
    """The process ends here."""


class _Interruption:
    """Make a change fail before it runs, given its number; the process ends there (``end``) or goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, *, end: bool) -> None:
        self.left, self.end, self.met = number, end, False
        run = FunctionStorage._run

        def counted(storage: FunctionStorage, sql: str, session: Any = None) -> list[Any]:
            if not sql.startswith(("DESCRIBE", "SHOW")):
                if self.left == 0 or (self.met and self.end):
                    self.met = True
                    self.left = -1
                    raise Ended if self.end else CatalogException("the metastore is away")
                self.left -= 1
            return run(storage, sql, session)

        monkeypatch.setattr(FunctionStorage, "_run", counted)


OLD = sql("`x` + 1", X, comment="old", settings={ZONE: "Asia/Tokyo"})
NEW = sql("`y`", FunctionParameter("y", STRING, "'a'"), returns=STRING)


@pytest.mark.parametrize("end", [True, False])
def test_no_failure_loses_a_function(
    catalog: SparkCatalog, session: SparkSession, database: str, end: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    for number in range(10):
        catalog.create_function(database, "f", OLD, or_replace=True)
        with pytest.MonkeyPatch.context() as patch:
            interruption = _Interruption(patch, number, end=end)
            try:
                catalog.create_function(database, "F", NEW, or_replace=True)
                failed = False
            except (Ended, CatalogException):
                failed = True
        assert catalog.list_functions(database) == ["f"]
        found = catalog.get_function(database, "f")
        assert said(found) in ((said(OLD), said(NEW)) if end or not failed else (said(OLD),))
        assert found is not None
        assert (found.settings[ZONE] == "Asia/Tokyo") is (said(found) == said(OLD))
        assert session.sql(f"SELECT {database}.f('1')").collect() == ([(2,)] if said(found) == said(OLD) else [("1",)])
        if not interruption.met:
            break
    assert number >= 3


def test_recently_dropped_functions_are_recovered(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    """The old function is dropped first: here the process ends before it creates the new one."""
    catalog.create_function(database, "f", NEW)
    storage = FunctionStorage(session, "spark_catalog", database)
    beside = f"f__replacement_{hashlib.sha256(fold('f').encode()).hexdigest()[:8]}"
    storage.create(beside, OLD, "UTC")
    storage._run(f"DROP FUNCTION {database}.f")
    assert catalog.list_functions(database) == ["f"]
    found = catalog.get_function(database, "F")
    assert found is not None
    assert (said(found), found.settings[ZONE]) == (said(OLD), "Asia/Tokyo")
    assert [row[0] for row in session.sql(f"SHOW USER FUNCTIONS IN {database}").collect()] == [
        f"spark_catalog.{database}.f"
    ]


def cut_off(session: SparkSession, database: str, name: str) -> None:
    """Leave a function as a killed process does: the old one is dropped, and the new one does not exist yet."""
    storage = FunctionStorage(session, "spark_catalog", database)
    found = storage.read(name)
    assert isinstance(found, CatalogFunction)
    storage.create(f"{name}__replacement_{hashlib.sha256(fold(name).encode()).hexdigest()[:8]}", found, "UTC")
    storage._run(f"DROP FUNCTION {database}.{name}")


@pytest.mark.parametrize("kind", ["values", "tables"])
def test_a_view_is_read_whose_function_was_cut_off(
    catalog: SparkCatalog, session: SparkSession, database: str, kind: str
) -> None:
    """Spark itself, not this library, looks up the names in a view."""
    session.sql(f"CREATE FUNCTION {database}.inner_one(x INT) RETURNS INT RETURN x + 1")
    session.sql(f"CREATE FUNCTION {database}.f(x INT) RETURNS INT RETURN {database}.inner_one(x) * 2")
    session.sql(f"CREATE FUNCTION {database}.g(n INT) RETURNS TABLE(a INT) RETURN SELECT {database}.f(n)")
    session.sql(f"CREATE VIEW {database}.v AS SELECT {database}.f(2) AS a")
    session.sql(f"CREATE VIEW {database}.w AS SELECT a FROM {database}.g(2)")
    view = {"values": "v", "tables": "w"}[kind]
    for name in ("g", "f", "inner_one"):
        cut_off(session, database, name)
    assert catalog.get_table(database, view).schema.names == ("a",)
    assert session.sql(f"SELECT * FROM {database}.{view}").collect() == [(6,)]
    # Objects that the view does not need are repaired by the next reader of them.
    assert catalog.list_functions(database) == ["f", "g", "inner_one"]
    assert catalog.get_function(database, "g") is not None
    left = [row[0] for row in session.sql(f"SHOW USER FUNCTIONS IN {database}").collect()]
    assert left == [f"spark_catalog.{database}.{name}" for name in ("f", "g", "inner_one")]


def test_a_view_is_read_whose_view_was_cut_off(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    session.sql(f"CREATE VIEW {database}.below AS SELECT 1 AS a")
    session.sql(f"CREATE VIEW {database}.v AS SELECT a FROM {database}.below")
    beside = f"{database}.below__replacement_{hashlib.sha256(b'below').hexdigest()[:8]}"
    session.sql(f"CREATE VIEW {beside} TBLPROPERTIES ('{REPLACES}' = 'below') AS SELECT 2 AS a")
    session.sql(f"DROP VIEW {database}.below")
    assert catalog.get_table(database, "v").schema.names == ("a",)
    assert session.sql(f"SELECT * FROM {database}.v").collect() == [(2,)]


def test_dropped_functions_stay_dropped(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    session.sql(f"CREATE FUNCTION {database}.f(x INT) RETURNS INT RETURN x + 1")
    session.sql(f"CREATE VIEW {database}.v AS SELECT {database}.f(2) AS a")
    session.sql(f"DROP FUNCTION {database}.f")
    with pytest.raises(ValidationException, match=rf"Reading spark_catalog\.{database}\.v failed.*`f`"):
        catalog.get_table(database, "v")


def test_on_connect(connect_spark: Any, database: str) -> None:
    catalog = SparkCatalog(connect_spark)
    catalog.create_function(database, "f", OLD)
    catalog.create_function(database, "f", NEW, or_replace=True)
    assert said(catalog.get_function(database, "f")) == said(NEW)
    catalog.create_function(database, "p", python("a.b"))
    assert catalog.list_functions(database) == ["f", "p"]
    with pytest.raises(ValidationException, match="nope"):
        catalog.create_function(database, "f", sql("nope"), or_replace=True)
    catalog.drop_function(database, "f")
    assert catalog.list_functions(database) == ["p"]
