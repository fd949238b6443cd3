"""CREATE TABLE as text: Flink's form in every catalog, and Spark's form where the catalog is not Spark's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi import (
    DirectoryCatalog,
    EnvironmentSettings,
    SqlParserException,
    TableAlreadyExistException,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
)
from tableapi.declarations.connectors import CONNECTORS


@pytest.fixture
def env() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("mem").build())


def schema(env: TableEnvironment, name: str) -> str:
    return repr(env.from_path(name).get_resolved_schema())


FILES = "WITH ('connector' = 'filesystem', 'path' = '/data/people', 'format' = '{}')"


@pytest.mark.parametrize("file_format", ["csv", "json", "parquet", "orc"])
def test_a_table_of_files_in_flinks_form_is_declared_without_spark(env: TableEnvironment, file_format: str) -> None:
    env.execute_sql(f"CREATE TABLE people (id BIGINT NOT NULL, name STRING) {FILES.format(file_format)}")
    assert schema(env, "people") == "(`id` BIGINT, `name` STRING)"
    found = env.get_catalog("mem").get_table("default_database", "people")
    assert (found.files.format, found.files.path) == (file_format, "/data/people")
    assert env._parts.runtime.started is None


def test_all_parts_of_flinks_form(env: TableEnvironment) -> None:
    env.execute_sql(
        "CREATE TABLE IF NOT EXISTS `default_database`.`people` (\n"
        "  id BIGINT NOT NULL COMMENT 'who it is',\n"
        "  price DECIMAL(10, 2),\n"
        "  born TIMESTAMP(3),\n"
        "  at TIMESTAMP_LTZ(3),\n"
        "  tags ARRAY<STRING>,\n"
        "  address ROW<street STRING, no INT>,\n"
        "  twice AS price * 2 COMMENT 'computed',\n"
        "  origin STRING METADATA FROM 'file_name' VIRTUAL,\n"
        "  file_size BIGINT METADATA,\n"
        "  WATERMARK FOR born AS born - INTERVAL '5' SECOND,\n"
        "  CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED\n"
        ") COMMENT 'all people'\n"
        "WITH ('connector' = 'filesystem', 'path' = '/data/people', 'format' = 'json', 'json.multiLine' = 'true');"
    )
    assert schema(env, "people") == (
        "(`id` BIGINT, `price` DECIMAL(10, 2), `born` TIMESTAMP, `at` TIMESTAMP_LTZ, `tags` ARRAY<STRING>, "
        "`address` ROW<`street` STRING, `no` INT>, `twice` DECIMAL(12, 2), `origin` STRING, `file_size` BIGINT)"
    )
    found = env.get_catalog("mem").get_table("default_database", "people")
    assert found.comment == "all people"
    assert found.files.options == {"multiLine": "true"}
    assert found.files.schema.column("id").comment == "who it is"
    assert env._parts.runtime.started is None


def test_partition_keys_are_found_whatever_their_case(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE TABLE people (Id INT, Day DATE) PARTITIONED BY (DAY) {FILES.format('csv')}")
    assert env.get_catalog("mem").get_table("default_database", "people").partition_keys == ("Day",)


def test_the_statement_and_the_descriptor_make_the_same_table(env: TableEnvironment) -> None:
    from tableapi import Schema

    env.execute_sql(f"CREATE TABLE a (id INT, name STRING NOT NULL) {FILES.format('csv')}")
    described = TableDescriptor.for_connector("filesystem").option("path", "/data/people").format("csv")
    columns = Schema.new_builder().column("id", "INT").column("name", "STRING NOT NULL").build()
    env.create_table("b", described.schema(columns).build())
    a, b = (env.get_catalog("mem").get_table("default_database", name).files for name in "ab")
    assert (a.format, a.path, a.options, a.schema, a.partition_keys) == (
        b.format,
        b.path,
        b.options,
        b.schema,
        b.partition_keys,
    )


def test_a_temporary_table(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE TEMPORARY TABLE people (id INT) {FILES.format('csv')}")
    assert env.list_temporary_tables() == ["people"]
    with pytest.raises(TableAlreadyExistException):
        env.execute_sql(f"CREATE TEMPORARY TABLE people (id INT) {FILES.format('csv')}")
    env.execute_sql(f"CREATE TEMPORARY TABLE IF NOT EXISTS people (id INT) {FILES.format('csv')}")


def test_an_existing_table_is_kept_or_refused(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE TABLE people (id INT) {FILES.format('csv')}")
    env.execute_sql(f"CREATE TABLE IF NOT EXISTS people (other INT) {FILES.format('csv')}")
    assert schema(env, "people") == "(`id` INT)"
    with pytest.raises(TableAlreadyExistException, match=r"mem\.default_database\.people exists"):
        env.execute_sql(f"CREATE TABLE people (other INT) {FILES.format('csv')}")


@pytest.mark.parametrize(
    ("connector", "instead"),
    [
        ("kinesis", "te\\.from_spark"),
        ("upsert-kafka", r"connector 'kafka' and the options 'key\.format' and 'key\.fields'.*max_by"),
        ("datagen", r"te\.from_elements"),
        ("print", r"table\.execute\(\)\.print\(\)"),
        ("blackhole", r"noop"),
        ("elasticsearch-7", "elasticsearch-spark"),
        ("Filesystm", r"Did you mean 'filesystem'\?"),
        ("other", "CREATE TABLE … USING"),
    ],
)
def test_another_connector_is_refused_by_name(env: TableEnvironment, connector: str, instead: str) -> None:
    with pytest.raises(TableException, match=f"(?s)has the connector '{connector}', which is not supported.*{instead}"):
        env.execute_sql(f"CREATE TABLE t (id INT) WITH ('connector' = '{connector}', 'topic' = 'x')")
    assert env.list_tables() == []
    assert env._parts.runtime.started is None


def test_every_connector_has_advice() -> None:
    from tableapi.declarations.connectors import advice_on_connector

    assert {name for name in CONNECTORS if not advice_on_connector(name).endswith(".")} == set()
    assert {name for name in CONNECTORS if advice_on_connector(name).startswith("Did you mean")} == set()


@pytest.mark.parametrize(
    ("statement", "message", "kind"),
    [
        (
            "CREATE TABLE t (id INT, PRIMARY KEY (id)) WITH ('connector' = 'filesystem')",
            "NOT ENFORCED",
            ValidationException,
        ),
        ("CREATE TABLE t (id INT) WITH ('path' = 'x')", "no option 'connector'", ValidationException),
        ("CREATE TABLE t (id BIGNT) WITH ('connector' = 'filesystem')", "Did you mean 'BIGINT'", SqlParserException),
        (
            f"CREATE TABLE t (id INT) {FILES.format('arrow')}",
            "the format 'arrow'; supported are avro, csv",
            TableException,
        ),
        (
            "CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'format' = 'csv')",
            "no option 'path'",
            ValidationException,
        ),
        (
            f"CREATE TABLE t (id INT) USING csv {FILES.format('csv')}",
            "WITH is Flink's form of CREATE TABLE, which has no USING",
            ValidationException,
        ),
        (f"CREATE TABLE t (id INT, x AS y) {FILES.format('csv')}", r"Cannot resolve field \[y\]", ValidationException),
        (
            f"CREATE TABLE t (id INT PRIMARY KEY NOT ENFORCED, PRIMARY KEY (id) NOT ENFORCED) {FILES.format('csv')}",
            "one primary key",
            SqlParserException,
        ),
        (
            f"CREATE TABLE t (id INT) PARTITIONED BY (ids) {FILES.format('csv')}",
            "Did you mean 'id'",
            ValidationException,
        ),
        (f"CREATE TABLE t (id INT) {FILES.format('csv')} AS SELECT 1", "leave these out", ValidationException),
        (
            "CREATE TABLE t (id INT) WITH ('connector' = 'filesystem' 'path' = 'x')",
            "line 1, column 65",
            SqlParserException,
        ),
        ("CREATE TABLE t (id INT, PRIMARY KEY (id) NOT ENFORCED)", "are of Flink's form", ValidationException),
        ("CREATE TABLE t (id INT) USING csv", "needs a LOCATION", ValidationException),
        ("CREATE TABLE t (id INT) LOCATION '/x'", "has a format", ValidationException),
    ],
)
def test_a_wrong_table_is_refused_at_its_place(
    env: TableEnvironment, statement: str, message: str, kind: type[TableException]
) -> None:
    with pytest.raises(kind, match=message):
        env.execute_sql(statement)
    assert env.list_tables() == []
    assert env._parts.runtime.started is None


def test_a_table_without_files_is_declared_in_the_current_catalog(env: TableEnvironment) -> None:
    # Regression: this was silently created in Spark's catalog.
    env.execute_sql("CREATE TABLE region (a INT, b STRING COMMENT 'x') COMMENT 'all' TBLPROPERTIES ('k' = 'v')")
    assert schema(env, "region") == "(`a` INT, `b` STRING)"
    found = env.get_catalog("mem").get_table("default_database", "region")
    assert (found.comment, found.options) == ("all", {"k": "v"})
    assert env._parts.runtime.started is None


def test_sparks_form_with_files_is_executed_in_a_catalog_of_ours(env: TableEnvironment, tmp_path: Path) -> None:
    env.register_catalog("folder", DirectoryCatalog("folder", tmp_path))
    env.use_catalog("folder")
    env.execute_sql(
        "CREATE TABLE people (id INT, day DATE) USING CSV OPTIONS (header = true) PARTITIONED BY (day) "
        "COMMENT 'c' LOCATION '/data/people'"
    )
    found = env.get_catalog("folder").get_table("default", "people")
    assert (found.files.format, found.files.path, found.partition_keys) == ("csv", "/data/people", ("day",))
    assert found.files.options == {"header": "true"}
    env.execute_sql("CREATE TABLE plain (id INT NOT NULL)")
    assert schema(env, "plain") == "(`id` INT NOT NULL)"
    env.execute_sql(f"CREATE TABLE flinks (id INT) {FILES.format('json')}")
    assert env.list_tables() == ["flinks", "people", "plain"]
    assert env._parts.runtime.started is None


def test_words_of_tables_are_names_of_columns(env: TableEnvironment) -> None:
    columns = ["primary", "key", "watermark", "metadata", "virtual", "constraint", "enforced", "connector", "with"]
    env.execute_sql(f"CREATE TABLE t ({', '.join(f'{name} INT' for name in columns)}) {FILES.format('csv')}")
    assert list(env.from_path("t").get_resolved_schema().names) == columns
    assert env.sql_query("SELECT primary, key, watermark, metadata, virtual FROM t").get_resolved_schema().names == (
        "primary",
        "key",
        "watermark",
        "metadata",
        "virtual",
    )
