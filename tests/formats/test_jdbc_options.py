"""Tables behind JDBC are declared without Spark: their options are checked, and their passwords are never shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tableapi import DirectoryCatalog, EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from tableapi.declarations.secrets import mask, mask_errors, mask_options
from tableapi.exceptions import TableException

_URL = "jdbc:postgresql://db:5432/sales"
_OPTIONS = f"'connector' = 'jdbc', 'url' = '{_URL}', 'table-name' = 't'"
_SETTINGS = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()


def _environment() -> TableEnvironment:
    return TableEnvironment.create(_SETTINGS)


def _declare(te: TableEnvironment, **options: str) -> None:
    changed = {key.replace("__", ".").replace("_", "-"): value for key, value in options.items()}
    given = {"url": _URL, "table-name": "orders", **changed}
    text = ", ".join(f"'{key}' = '{value}'" for key, value in given.items() if value)
    te.execute_sql(f"CREATE TABLE orders (id INT, city STRING) WITH ('connector' = 'jdbc', {text})")


def test_queries_are_typed_without_spark() -> None:
    te = _environment()
    _declare(te, username="ann", password="s3cret")
    table = te.sql_query("SELECT city, count(*) AS n FROM orders WHERE id > 1 GROUP BY city")
    assert table.get_schema().get_field_names() == ["city", "n"]
    with pytest.raises(TableException, match="Did you mean 'city'"):
        te.sql_query("SELECT cty FROM orders")
    assert te._parts.runtime.started is None


def test_the_statement_and_the_descriptor_are_the_same_table() -> None:
    te = _environment()
    _declare(te)
    te.execute_sql(f"CREATE TABLE spark_form (id INT, city STRING) USING jdbc OPTIONS (url '{_URL}', dbtable 'orders')")
    schema = Schema.new_builder().column("id", "INT").column("city", "STRING").build()
    descriptor = TableDescriptor.for_connector("jdbc").option("url", _URL).option("table-name", "orders").schema(schema)
    te.create_table("fluent", descriptor.build())
    tables = [te._parts.runtime.manager.find(te._parts.identifier(name)) for name in ("orders", "spark_form", "fluent")]
    assert len({str(table.files) for table in tables}) == 1  # type: ignore[union-attr]
    assert len({str(table.schema) for table in tables}) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": ""}, "The option 'url' .* is a URL of JDBC, 'jdbc:…', and it has none"),
        ({"url": "postgresql://db"}, "and it has another one"),
        ({"table_name": ""}, "Of the options 'table-name' and 'query'"),
        ({"query": "SELECT 1"}, "Of the options 'table-name' and 'query'"),
        ({"tabel_name": "x"}, "no option 'tabel-name'. Did you mean 'table-name'?"),
        ({"fetchSze": "1"}, "Did you mean 'fetchsize'?"),
        ({"lookup__cache": "FULL"}, "is for streams and lookups"),
        ({"dbtable": "other"}, "'table-name' and 'dbtable' say different things"),
        ({"scan__partition__column": "id"}, r"needs the bounds .*\[lowerBound, upperBound, numPartitions\]"),
        ({"password": "a", "password_variable": "B"}, "Of 'password' and 'password-variable'"),
    ],
)
def test_mistakes_in_options(options: dict[str, str], message: str) -> None:
    te = _environment()
    with pytest.raises(TableException, match=message):
        _declare(te, **options)
    assert te.list_tables() == []


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("PARTITIONED BY (city)", "has no directories"),
        ("COMMENT 'x'", None),
    ],
)
def test_clauses_of_files(clause: str, message: str | None) -> None:
    te = _environment()
    text = f"CREATE TABLE t (id INT, city STRING) {clause} WITH ({_OPTIONS})"
    if message is None:
        te.execute_sql(text)
        return
    with pytest.raises(TableException, match=message):
        te.execute_sql(text)


def test_a_table_from_a_query_is_one_of_files() -> None:
    te = _environment()
    with pytest.raises(TableException, match="a table made from a query is one of files"):
        te.execute_sql(f"CREATE TABLE t WITH ({_OPTIONS}) AS SELECT 1 AS a")


def test_no_text_shows_a_password() -> None:
    url = f"{_URL}?user=ann&password=in-url"
    schema = Schema.new_builder().column("id", "INT").build()
    builder = TableDescriptor.for_connector("jdbc").option("url", url).option("table-name", "t").schema(schema)
    descriptor = builder.option("password", "s3cret").build()
    te = _environment()
    te.create_temporary_table("t", descriptor)
    table = te.from_path("t")
    temporary = te._parts.runtime.manager.temporary("t")
    assert temporary is not None
    files = temporary.files
    assert files is not None
    te.create_table("kept", descriptor)
    kept = te._parts.runtime.manager.find(te._parts.identifier("kept"))
    texts: list[Any] = [
        kept,
        te.execute_sql("DESCRIBE EXTENDED kept"),
        descriptor,
        table,
        table.explain(),
        files,
        te.from_descriptor(descriptor),
        files.stored_options,
    ]
    for shown in (f"{text!r}{text}" for text in texts):
        assert "s3cret" not in shown
        assert "in-url" not in shown


def test_masks() -> None:
    assert mask("jdbc:oracle:thin:@h:1") == "jdbc:oracle:thin:@h:1"
    assert mask("jdbc:x://ann:pw@h/db") == "jdbc:x://ann:******@h/db"
    assert mask_options({"Password": "a", "accessToken": "b", "url": "u"}) == {
        "Password": "******",
        "accessToken": "******",
        "url": "u",
    }
    with (
        pytest.raises(TableException, match=r"^no ann/\*{6} at jdbc:x://ann:\*{6}@h$"),
        mask_errors({"password": "pw"}),
    ):
        raise TableException("no ann/pw at jdbc:x://ann:pw@h")


def test_a_directory_catalog_keeps_the_table(tmp_path: Path) -> None:
    for _ in range(2):
        te = _environment()
        te.register_catalog("d", DirectoryCatalog("d", tmp_path / "catalog"))
        te.use_catalog("d")
        if not te.list_tables():
            _declare(te, username="ann", password_variable="SALES_PASSWORD")
        table = te.sql_query("SELECT city FROM orders WHERE id = 1")
        assert str(table.get_resolved_schema()) == "(`city` STRING)"
    files = te._parts.runtime.manager.find(te._parts.identifier("orders")).files  # type: ignore[union-attr]
    assert files.password_variable == "SALES_PASSWORD"  # type: ignore[union-attr]
    assert dict(files.options) == {"url": _URL, "dbtable": "orders", "user": "ann"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"password": "s3cret"}, "'password-variable' = 'DB_PASSWORD'"),
        ({"url": f"{_URL}?password=s3cret"}, "readable in a file"),
    ],
)
def test_a_directory_catalog_keeps_no_password(tmp_path: Path, options: dict[str, str], message: str) -> None:
    te = _environment()
    te.register_catalog("d", DirectoryCatalog("d", tmp_path / "catalog"))
    te.use_catalog("d")
    with pytest.raises(TableException, match=message):
        _declare(te, **options)
    assert not any("s3cret" in path.read_text("utf-8") for path in tmp_path.rglob("*.sql"))
