"""The catalog of a Spark session: what it stores, and what plain Spark reads."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    TableNotExistException,
    ValidationException,
)
from ir.identifiers import fold, quote
from ir.schema import Column, ResolvedSchema
from ir.types import INT, STRING, TIMESTAMP_LTZ, RowField, RowType, VarCharType
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.spark.catalog import SparkCatalog
from tests.catalog.contract import CatalogContract, comments, view_of
from tests.strategies import names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_numbers = itertools.count()
ZONE = "spark.sql.session.timeZone"


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    return spark.newSession()


@pytest.fixture
def catalog(session: SparkSession) -> SparkCatalog:
    return SparkCatalog(session)


@pytest.fixture
def database(spark: SparkSession) -> Iterator[str]:
    name = f"catalog_test_{next(_numbers)}"
    spark.sql(f"CREATE DATABASE {name}")
    yield name
    spark.sql(f"DROP DATABASE {name} CASCADE")


@pytest.fixture
def make_table(session: SparkSession, database: str) -> Callable[[str], object]:
    return lambda name: session.sql(f"CREATE TABLE {database}.{name} (a INT COMMENT 'base') USING parquet")


def functions(spark: SparkSession, database: str) -> list[str]:
    return [row[0] for row in spark.sql(f"SHOW USER FUNCTIONS IN {database}").collect()]


def stored(catalog: SparkCatalog, database: str, name: str = "v") -> CatalogView:
    found = catalog.get_table(database, name)
    assert isinstance(found, CatalogView)
    return found


def text_of_length(length: int) -> str:
    empty = "SELECT length('') AS a"
    return empty.replace("''", "'" + "x" * (length - len(empty)) + "'")


class TestContract(CatalogContract):
    pass


class TestOnConnect:
    """Differences between the two kinds of session: how a private session is created, and how errors arrive."""

    @pytest.fixture
    def catalog(self, connect_spark: Any) -> SparkCatalog:
        return SparkCatalog(connect_spark)

    def test_a_view_is_stored_replaced_and_dropped(
        self, catalog: SparkCatalog, spark: SparkSession, database: str
    ) -> None:
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", ("a", "c"), comment="x", properties={"k": "v"}))
        catalog.create_view(database, "v", view_of(text_of_length(40_000)), or_replace=True)
        found = stored(catalog, database)
        assert (found.text, found.comment, comments(found)) == (text_of_length(40_000), "x", {"a": "c"})
        assert found.settings[ZONE] == "UTC"
        assert spark.table(f"{database}.v").collect() == [(39_978,)]
        catalog.drop_view(database, "v")
        assert catalog.list_tables(database) == functions(spark, database) == []

    def test_rejections_name_the_problem(self, catalog: SparkCatalog, connect_spark: Any, database: str) -> None:
        connect_spark.range(1).createOrReplaceTempView("passing")
        with pytest.raises(ValidationException, match="temporary view `passing`"):
            catalog.create_view(database, "v", view_of("SELECT 1 AS a FROM passing"))
        with pytest.raises(ValidationException, match="nope"):
            catalog.create_view(database, "v", view_of("SELECT nope AS a"))
        assert catalog.list_tables(database) == []


# Reading by other programs.


def test_plain_spark_reads_a_view(catalog: SparkCatalog, spark: SparkSession, database: str) -> None:
    catalog.create_view(database, "v", view_of("SELECT 41 + 1 AS a"))
    for reader in (spark, spark.newSession()):
        assert reader.sql(f"SELECT a FROM {database}.v").collect() == [(42,)]


def test_a_table_is_read_with_its_comments_and_nullable_columns(
    catalog: SparkCatalog, session: SparkSession, database: str
) -> None:
    session.sql(
        f"CREATE TABLE {database}.t (a INT NOT NULL COMMENT 'first', b VARCHAR(3)) USING parquet "
        "COMMENT 'all' TBLPROPERTIES ('k' = 'v')"
    )
    found = catalog.get_table(database, "t")
    assert isinstance(found, CatalogTable)
    assert found.schema is ResolvedSchema((Column("a", INT, "first"), Column("b", VarCharType(3))))
    assert (found.comment, dict(found.options)) == ("all", {"k": "v"})


def test_a_view_of_plain_spark_is_read(catalog: SparkCatalog, session: SparkSession, database: str) -> None:
    session.sql(f"CREATE VIEW {database}.v (a COMMENT 'c') COMMENT 'x' TBLPROPERTIES ('k' = 'v') AS SELECT 1 AS a")
    found = stored(catalog, database)
    assert (found.text, found.comment, comments(found)) == ("SELECT 1 AS a", "x", {"a": "c"})
    assert dict(found.properties) == {"k": "v"}
    assert found.settings[ZONE] == "UTC"


def test_corrupt_views_are_reported_and_replaceable(
    catalog: SparkCatalog, session: SparkSession, database: str
) -> None:
    session.sql(f"CREATE TABLE {database}.t (a INT) USING parquet")
    catalog.create_view(database, "v", view_of(f"SELECT a FROM {database}.t"))
    catalog.drop_table(database, "t")
    with pytest.raises(ValidationException, match=rf"{database}`?\.`?t"):
        catalog.get_table(database, "v")
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"), or_replace=True)
    assert stored(catalog, database).text == "SELECT 1 AS a"


def test_tables_that_changed_elsewhere_are_seen_as_they_are(
    catalog: SparkCatalog, spark: SparkSession, session: SparkSession, database: str
) -> None:
    session.sql(f"CREATE TABLE {database}.t (a INT) USING parquet")
    catalog.create_view(database, "v", view_of(f"SELECT a FROM {database}.t"))
    spark.sql(f"ALTER TABLE {database}.t ADD COLUMNS (b INT)")
    catalog.create_view(database, "v", view_of(f"SELECT b AS a FROM {database}.t"), or_replace=True)
    # A session that has read the table keeps its old columns; plain Spark would fail there too.
    assert stored(SparkCatalog(spark.newSession()), database).text.startswith("SELECT b")


def test_comments_that_the_base_table_brings_are_kept_without_more_ado(
    catalog: SparkCatalog, database: str, make_table: Callable[[str], object]
) -> None:
    make_table("t")
    for _ in range(2):
        catalog.create_view(database, "v", view_of(f"SELECT a FROM {database}.t"), or_replace=True)
        assert comments(stored(catalog, database)) == {"a": "base"}


# Settings.


def test_a_view_means_the_same_whoever_stores_and_reads_it(spark: SparkSession, database: str) -> None:
    text = "SELECT hour(TIMESTAMP_LTZ '2024-01-01 00:00:00Z') AS a"
    chosen = view_of(text, settings={ZONE: "Asia/Tokyo"})
    answers = []
    for name, zone in (("v1", "America/New_York"), ("v2", "Europe/Berlin")):
        session = spark.newSession()
        session.conf.set(ZONE, zone)
        SparkCatalog(session).create_view(database, name, chosen)
        answers.append(spark.table(f"{database}.{name}").first())
        assert session.conf.get(ZONE) == zone
    assert answers == [(9,), (9,)]
    shown = spark.sql(f"SHOW CREATE TABLE {database}.v1").collect()[0][0]
    assert "'tableapi.settings.spark.sql.session.timeZone' = 'Asia/Tokyo'" in shown
    assert stored(SparkCatalog(spark), database, "v1").settings[ZONE] == "Asia/Tokyo"


def test_the_zone_of_the_session_is_the_default(session: SparkSession, database: str) -> None:
    session.conf.set(ZONE, "Asia/Kolkata")
    catalog = SparkCatalog(session)
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    assert stored(catalog, database).settings[ZONE] == "Asia/Kolkata"


def test_session_settings_do_not_enter_views(session: SparkSession, database: str) -> None:
    foreign = {
        "spark.sql.ansi.enabled": "false",
        "spark.sql.caseSensitive": "true",
        "spark.sql.decimalOperations.allowPrecisionLoss": "false",
        "spark.sql.groupByOrdinal": "false",
        "spark.sql.legacy.sizeOfNull": "true",
        "spark.sql.parser.escapedStringLiterals": "true",
        "spark.sql.timestampType": "TIMESTAMP_NTZ",
    }
    for name, value in foreign.items():
        session.conf.set(name, value)
    catalog = SparkCatalog(session)
    catalog.create_view(
        database,
        "v",
        CatalogView(
            ResolvedSchema.of(["t", "s"], [TIMESTAMP_LTZ, STRING]),
            "SELECT TIMESTAMP '2024-01-01 00:00:00' AS t, 'a\\tb' AS S",
        ),
    )
    found = stored(catalog, database)
    assert found.schema.types[0] is TIMESTAMP_LTZ.not_null()
    assert session.table(f"{database}.v").first()["S"] == "a\tb"  # type: ignore[index]  # there is a row
    assert all(found.settings.get(name) != value for name, value in foreign.items())


# Long SQL texts.


def test_long_texts_are_stored_behind_a_function(catalog: SparkCatalog, spark: SparkSession, database: str) -> None:
    for length in (40_000, 100, 400_000, 41_000, 32_700):
        view = view_of(text_of_length(length), ("a", "c" if length == 400_000 else None))  # type: ignore[arg-type]
        catalog.create_view(database, "v", view, or_replace=True)
        assert stored(catalog, database).text == view.text
        assert spark.newSession().table(f"{database}.v").collect() == [(length - 22,)]
        assert len(functions(spark, database)) == (length > 32_700)
    assert comments(stored(catalog, database)) == {"a": "c"}
    catalog.create_view(database, "v", view_of(text_of_length(40_000)), or_replace=True)
    assert text_of_length(40_000) in catalog.view_definition(database, "v")[0].text
    catalog.drop_view(database, "v")
    assert functions(spark, database) == catalog.list_tables(database) == []


def test_long_texts_keep_names_settings_and_line_breaks(spark: SparkSession, database: str) -> None:
    session = spark.newSession()
    session.conf.set(ZONE, "Asia/Tokyo")
    text = f"SELECT hour(TIMESTAMP_LTZ '2024-01-01 00:00:00Z') AS `${{x}}`,\n\n  '{'😀' * 20_000}' AS `b``.\n`"
    schema = ResolvedSchema.of(["${x}", "b`.\n"], [INT.not_null(), STRING.not_null()])
    catalog = SparkCatalog(session)
    catalog.create_view(database, "v", CatalogView(schema, text))
    found = stored(catalog, database)
    assert found.text == text
    assert found.schema is schema
    assert spark.table(f"{database}.v").first()[0] == 9  # type: ignore[index]  # there is a row
    reader = spark.newSession()
    reader.conf.set("spark.sql.variable.substitute", "true")
    assert reader.table(f"{database}.v").columns == ["${x}", "b`.\n"]


def test_too_large_views_are_rejected_with_size_and_limit(
    catalog: SparkCatalog, spark: SparkSession, database: str
) -> None:
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    for length in (3_995_000, 2_100_000):
        # The second is short enough, but Spark stores each quote and backslash with another backslash.
        text = text_of_length(length) if length > 3_000_000 else text_of_length(length).replace("x", '"')
        with pytest.raises(CatalogException, match=rf"{length:,} characters.*3,990,000"):
            catalog.create_view(database, "v", view_of(text), or_replace=True)
        assert stored(catalog, database).text == "SELECT 1 AS a"
        assert functions(spark, database) == []


# Names.


@given(st.lists(names(), min_size=12, max_size=12, unique_by=fold), names())
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_columns_and_fields_may_be_anything(
    catalog: SparkCatalog, spark: SparkSession, database: str, columns: list[str], field: str
) -> None:
    row = RowType((RowField(field, INT.not_null()),), nullable=False)
    selected = ", ".join(f"1 AS {quote(name)}" for name in columns[1:])
    # Longer than each of these names, and so equal to none of them.
    inner = quote("".join(columns) + "_")
    text = f"SELECT NAMED_STRUCT('x', 1) AS {inner}, {selected}"
    row_column = f"CAST({inner} AS STRUCT<{quote(field)}: INT>) AS {quote(columns[0])}"
    text = f"SELECT {', '.join([row_column, *map(quote, columns[1:])])} FROM ({text})"
    schema = ResolvedSchema((Column(columns[0], row, field), *[Column(n, INT.not_null(), n) for n in columns[1:]]))
    catalog.create_view(database, "v", CatalogView(schema, text, field, {"p" + field: columns[0]}), or_replace=True)
    found = stored(catalog, database)
    assert found.schema.names == tuple(columns)
    assert [c.comment for c in found.schema.columns] == [c.comment for c in schema.columns]
    assert found.comment == field
    assert found.properties["p" + field] == columns[0]
    reader = spark.newSession()
    assert reader.sql(f"SELECT {', '.join(map(quote, columns))} FROM {database}.v").columns == columns
    assert reader.sql(f"SELECT {quote(columns[0])}.{quote(field)} FROM {database}.v").collect() == [(1,)]


@pytest.mark.parametrize("name", ["", "a b", "a.b", "é", "a-b", "a`b", "x" * 257, "a\u0661", "v\n"])
def test_names_that_spark_cannot_hold_are_refused(catalog: SparkCatalog, database: str, name: str) -> None:
    with pytest.raises(ValidationException, match="cannot hold"):
        catalog.create_view(database, name, view_of("SELECT 1 AS a"))
    assert catalog.list_tables(database) == []


def test_the_longest_name_holds_every_kind_of_view(catalog: SparkCatalog, spark: SparkSession, database: str) -> None:
    name = "x" * 256
    for text in ("SELECT 1 AS a", text_of_length(40_000), "SELECT 2 AS a"):
        catalog.create_view(database, name, view_of(text, ("a", text[:10])), or_replace=True)
        assert stored(catalog, database, name).text == text
    assert catalog.list_tables(database) == [name]
    assert functions(spark, database) == []


@pytest.mark.parametrize(
    "view",
    [
        view_of("SELECT '\ud800' AS a"),
        view_of("SELECT 1 AS a", "\udfff"),
        view_of("SELECT 1 AS a", ("a", "\ud800")),
        view_of("SELECT 1 AS a", comment="\ud800"),
        view_of("SELECT 1 AS a", properties={"\ud800": ""}),
        view_of("SELECT 1 AS a", properties={"k": "\ud800"}),
    ],
)
def test_half_a_character_is_refused(catalog: SparkCatalog, database: str, view: CatalogView) -> None:
    with pytest.raises(ValidationException, match="lone surrogate"):
        catalog.create_view(database, "v", view)


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"tableapi.x": "1"}, "reserved"),
        ({"view.x": "1"}, "reserved"),
        ({"comment": "1"}, "reserved"),
        ({"EXTERNAL": "1"}, "reserved"),
        ({"k" * 257: "1"}, "257 characters"),
        ({"k": "v" * 32_673}, "32,673 characters"),
    ],
)
def test_properties_that_cannot_be_stored_are_refused(
    catalog: SparkCatalog, database: str, properties: dict[str, str], message: str
) -> None:
    with pytest.raises(ValidationException, match=message):
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", properties=properties))


def test_variables_are_never_substituted(session: SparkSession, database: str) -> None:
    catalog = SparkCatalog(session)
    catalog.create_view(
        database, "off", view_of("SELECT 1 AS `${spark.sql.ansi.enabled}`", "${spark.sql.ansi.enabled}")
    )
    session.conf.set("spark.sql.variable.substitute", "true")
    assert stored(catalog, database, "off").schema.names == ("${spark.sql.ansi.enabled}",)
    with pytest.raises(ValidationException, match=r"\$\{.*spark\.sql\.variable\.substitute"):
        catalog.create_view(database, "on", view_of("SELECT 1 AS `${spark.sql.ansi.enabled}`", "${x}"))
    catalog.create_view(database, "on", view_of("SELECT 1 AS a", comment="${spark.sql.ansi.enabled}"))
    assert stored(catalog, database, "on").comment == "${spark.sql.ansi.enabled}"


# Dependencies of a view.


@pytest.mark.parametrize(
    ("make", "text", "kind"),
    [
        ("CREATE TEMPORARY VIEW `tem p` AS SELECT 1 AS a", "SELECT a FROM `tem p`", "view `tem p`"),
        ("CREATE GLOBAL TEMPORARY VIEW g AS SELECT 1 AS a", "SELECT a FROM global_temp.g", "view `global_temp`.`g`"),
        ("CREATE TEMPORARY FUNCTION f() RETURNS INT RETURN 1", "SELECT f() AS a", "function `f`"),
        ("DECLARE OR REPLACE VARIABLE x INT DEFAULT 1", "SELECT x AS a", "variable"),
    ],
)
def test_temporary_dependencies_are_named(
    spark: SparkSession, session: SparkSession, database: str, make: str, text: str, kind: str
) -> None:
    session.sql("DROP VIEW IF EXISTS global_temp.g")
    session.sql(make)
    catalog = SparkCatalog(session)
    for view in (text, text + f" WHERE '{'x' * 40_000}' <> ''"):
        with pytest.raises(ValidationException, match=f"temporary {kind}.*create_temporary_view"):
            catalog.create_view(database, "v", view_of(view))
    assert catalog.list_tables(database) == functions(spark, database) == []


def test_a_temporary_view_is_not_mistaken_for_a_table_of_its_name(
    catalog: SparkCatalog, session: SparkSession, database: str, make_table: Callable[[str], object]
) -> None:
    make_table("t")
    session.sql(f"USE {database}")
    session.sql("CREATE TEMPORARY VIEW t AS SELECT 1 AS a")
    with pytest.raises(ValidationException, match="temporary view `t`"):
        catalog.create_view(database, "v", view_of("SELECT a FROM t"))


def test_a_view_cannot_read_itself(catalog: SparkCatalog, database: str) -> None:
    catalog.create_view(database, "v", view_of("SELECT 1 AS a", comment="old"))
    catalog.create_view(database, "w", view_of(f"SELECT a FROM {database}.v"))
    for through in ("v", "w"):
        for comment in (None, "c"):
            view = view_of(f"SELECT a FROM {database}.{through}", ("a", comment), comment="new")  # type: ignore[arg-type]
            with pytest.raises(ValidationException, match="would read itself"):
                catalog.create_view(database, "v", view, or_replace=True)
    found = stored(catalog, database)
    assert (found.text, found.comment, comments(found)) == ("SELECT 1 AS a", "old", {"a": None})
    assert catalog.list_views(database) == ["v", "w"]


def test_a_wrong_text_is_refused_before_anything_is_stored(
    catalog: SparkCatalog, spark: SparkSession, database: str
) -> None:
    for text in ("SELECT nope AS a", "SELECT 1 AS a FROM", "DROP TABLE x", "SELECT 1 + 1"):
        for end in ("", f" /* {'x' * 40_000} */ WHERE true"):
            with pytest.raises(ValidationException):
                catalog.create_view(database, "v", view_of(text + end))
    assert catalog.list_tables(database) == functions(spark, database) == []


def test_catalogs_without_view_support_are_reported(session: SparkSession) -> None:
    session.conf.set("spark.sql.catalog.jd", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    session.conf.set("spark.sql.catalog.jd.url", "jdbc:derby:memory:catalog_test;create=true")
    session.conf.set("spark.sql.catalog.jd.driver", "org.apache.derby.jdbc.EmbeddedDriver")
    catalog = SparkCatalog(session, "jd", "APP")
    session.sql("CREATE TABLE jd.APP.t (a INT)")
    assert isinstance(catalog.get_table("APP", "t"), CatalogTable)
    assert catalog.list_tables("APP") == ["t"]
    assert catalog.list_views("APP") == []
    with pytest.raises(CatalogException, match="cannot hold views"):
        catalog.create_view("APP", "v", view_of("SELECT 1 AS a"))
    with pytest.raises(TableNotExistException, match="is a table"):
        catalog.drop_view("APP", "t")
    catalog.drop_table("APP", "t")
    assert catalog.list_tables("APP") == []


def test_unknown_catalogs_are_reported(session: SparkSession) -> None:
    with pytest.raises(CatalogNotExistException, match="nowhere"):
        SparkCatalog(session, "nowhere").list_databases()
