"""INSERT as a command: what is checked before anything runs, and the fluent form of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from ir.commands.inserts import InsertInto, InsertMode
from tableapi import Dialect, Table, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tableapi.table_pipeline import TablePipeline
from tests.commands.tables import environment


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    te = environment()
    te.execute_sql(
        "CREATE TABLE files (id BIGINT, page STRING, day DATE, country STRING, place STRUCT<street: STRING, "
        "town: STRING>) "
        "USING parquet PARTITIONED BY (day, country) LOCATION '/data/files'"
    )
    te.create_temporary_view("pages", te.from_path("files"))
    return te


def _insert(te: TableEnvironment, text: str) -> InsertInto:
    command = te.sql_statement(text).get_command()
    assert isinstance(command, InsertInto)
    return command


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("INSERT INTO ordrs SELECT 1", r"`ordrs` was not found\. Did you mean 'orders'\?", "ordrs"),
        ("INSERT INTO orders (id, idd) SELECT 1, 2", r"no column 'idd': \[id, .*Did you mean 'id'\?", "idd"),
        ("INSERT INTO orders (id, ID) SELECT 1, 2", "names 'id' twice", "ID"),
        ("INSERT INTO orders SELECT id FROM updates", "it has 1 columns where the table has 7", "SELECT"),
        ("INSERT INTO orders (id) SELECT 1, 2", "it has 2 columns where columns names 1", "SELECT"),
        ("INSERT INTO orders (id) VALUES (1, 2)", "it has 2 columns where columns names 1", "VALUES"),
        (
            "INSERT INTO orders (id) SELECT 'a'",
            "`a` STRING NOT NULL cannot be stored as `id` BIGINT NOT NULL",
            "SELECT",
        ),
        ("INSERT INTO customers (id) SELECT 1", "the column `name` STRING NOT NULL gets no value", "SELECT"),
        ("INSERT INTO orders BY NAME SELECT 1 AS id, 2 AS x", "has no column 'x'", "SELECT"),
        ("INSERT INTO orders BY NAME SELECT 1 AS id, 2 AS id", "columns 1 and 2 are called id", "SELECT"),
        (
            "INSERT INTO orders BY NAME SELECT 1 AS id, named_struct('town', 'x', 'stret', 'y') AS address",
            r"address has a field 'stret', and the column has \[street, town\]",
            "SELECT",
        ),
        (
            "INSERT INTO orders BY NAME SELECT 1 AS id, named_struct('town', 'x') AS address",
            r"address has no field 'street', but \[town\]",
            "SELECT",
        ),
        ("INSERT INTO visits PARTITION (dya = '2024-01-01') SELECT 1", "not partitioned by dya.*'day'", "dya"),
        ("INSERT INTO orders PARTITION (day = '2024-01-01') SELECT 1", "orders is not partitioned", "day"),
        ("INSERT INTO visits PARTITION (day = 5) SELECT 1", "DATE, in which 5 cannot be stored", "day"),
        ("INSERT INTO visits PARTITION (day = current_date) SELECT 1", "takes a constant. .* by the query", "day ="),
        (
            "INSERT INTO visits PARTITION (day = '2024-13-01') SELECT 1",
            "'2024-13-01' is no DATE, the type of day",
            "day =",
        ),
        ("INSERT INTO visits PARTITION (day = '2024-01-01', DAY) SELECT 1", "column day is named twice", "day ="),
        ("INSERT OVERWRITE orders REPLACE WHERE id > 1 TABLE updates", r"Write INSERT INTO … REPLACE WHERE\.", "id >"),
        ("INSERT INTO visits PARTITION (day = '2024-01-01') (day) SELECT 1", "is in columns and in partition", "day)"),
        ("INSERT INTO orders REPLACE WHERE dayy > 1 SELECT * FROM updates", r"\[dayy\].*'day'", "dayy"),
        ("INSERT INTO orders REPLACE WHERE id SELECT * FROM updates", "is of type BOOLEAN, but `id` is of type", "id"),
        ("INSERT INTO orders REPLACE WHERE sum(id) > 1 SELECT * FROM updates", r"the aggregate SUM\(`id`\)", "sum"),
        (
            "INSERT OVERWRITE visits PARTITION (day = '2024-01-01', country) IF NOT EXISTS SELECT 1, 'a', 'DE'",
            r"IF NOT EXISTS needs a value for each partition column of .*\[country\] have none",
            "SELECT",
        ),
        (
            "INSERT INTO visits PARTITION (day = '2024-01-01') IF NOT EXISTS SELECT 1, 'a', 'DE'",
            "IF NOT EXISTS is for",
            "SELECT",
        ),
        ("INSERT OVERWRITE DIRECTORY '/x' SELECT 1", "one format: USING and its name, or Hive's", "INSERT"),
        ("INSERT OVERWRITE DIRECTORY USING csv SELECT 1", "names one directory: a text after DIRECTORY", "INSERT"),
        ("INSERT OVERWRITE DIRECTORY '/x' USING csv SELECT 1 AS a, 2 AS a", "columns 1 and 2 are called a", "INSERT"),
        ("INSERT INTO orders (id) VALUES (DEFAULT)", "no values to insert", "VALUES"),
        ("INSERT INTO orders REPLACE USING (idd) TABLE updates", r"no column 'idd'.*'id'", "idd"),
        (
            "INSERT INTO customers REPLACE USING (name) SELECT id, customer, 'DE' FROM updates",
            r"by name, and the query has the columns \[id, customer, DE\]",
            "name)",
        ),
        ("INSERT INTO orders (id) REPLACE USING (id) SELECT 1 AS id", "REPLACE USING has no list of columns", "id)"),
        ("INSERT INTO orders REPLACE ON id = id TABLE updates", "Ambiguous column name: id", "id = id"),
        (
            "INSERT INTO orders AS o REPLACE ON o.id = u.idd (TABLE updates) AS u",
            r"u\.idd.*Did you mean 'u\.id'\?|idd",
            "idd",
        ),
        ("INSERT INTO orders AS o REPLACE ON o.id TABLE updates", "is of type BOOLEAN, but `id` is", "o.id"),
        ("INSERT INTO orders AS o SELECT * FROM updates", r"in INSERT is for REPLACE ON\.", "o SELECT"),
        ("INSERT INTO orders REPLACE WHERE id > 1 (TABLE updates) AS u", r"in INSERT is for REPLACE ON\.", "u"),
        ("INSERT OVERWRITE orders REPLACE USING (id) TABLE updates", r"Write INSERT INTO … REPLACE USING\.", "id)"),
        (
            "INSERT INTO visits PARTITION (day = '2024-01-01') REPLACE WHERE id > 1 SELECT 1, 'a', 'DE'",
            "PARTITION and REPLACE WHERE both say which rows",
            "day =",
        ),
        ("INSERT INTO orders WITH ('a' = 'b', 'a' = 'c') TABLE updates", "The key 'a' is given twice", "'a' = 'c'"),
        ("FROM updates INSERT INTO orders SELECT * INSERT INTO customers SELECT id", "it has 1 columns", "SELECT id"),
        (
            "FROM updates INSERT INTO orders SELECT * INSERT INTO customer SELECT id",
            "Did you mean 'customers'",
            "customer",
        ),
        ("FROM updates INSERT INTO orders SELECT * INSERT INTO customers SELECT idd, '', ''", r"\[idd\].*'id'", "idd"),
        (
            "FROM updates INSERT INTO customers SELECT 1, 'a', 'b' FROM orders",
            "FROM before SELECT and after it",
            "SELECT",
        ),
        (
            "LOAD DATA INPATH '/x' INTO TABLE visits",
            r"name their partition: PARTITION \(day = …, country = …\)",
            "visits",
        ),
        ("LOAD DATA INPATH '/x' INTO TABLE visits PARTITION (dya = '2024-01-01')", "by dya.*Did you mean 'day'", "dya"),
        (
            "LOAD DATA INPATH '/x' INTO TABLE visits PARTITION (day, country = 'DE')",
            "The partition column day has no value",
            "day",
        ),
        (
            "CREATE TEMPORARY VIEW sales.v USING csv",
            "A temporary view is in no database; write its name alone: v",
            "sales.v",
        ),
    ],
)
def test_mistakes_are_found_before_anything_runs(te: TableEnvironment, text: str, message: str, at: str) -> None:
    with pytest.raises(TableException, match=message) as raised:
        te.sql_statement(text)
    caret = next(line for line in str(raised.value).splitlines() if line.strip().startswith("^")).index("^")
    shown = str(raised.value).splitlines()[-2]
    assert shown[caret:].startswith(at)


def test_statements_of_one_meaning_are_one_command(te: TableEnvironment) -> None:
    command = _insert(te, "INSERT INTO orders SELECT * FROM updates")
    names = ", ".join(te.from_path("orders").get_resolved_schema().names)
    assert _insert(te, f"insert into table memory.sales.ORDERS ({names}) TABLE updates") is command
    assert _insert(te, f"INSERT INTO orders BY NAME SELECT {names} FROM updates") is not command
    with_default = "INSERT INTO visits VALUES (1, DEFAULT, NULL, 'DE'), (2, default, NULL, 'FR')"
    without = "INSERT INTO visits (id, day, country) VALUES (1, NULL, 'DE'), (2, NULL, 'FR')"
    assert _insert(te, with_default) is _insert(te, without)
    with_keys = "INSERT INTO visits PARTITION (country, day = '2024-01-01') (country, id) VALUES ('DE', 1)"
    assert _insert(te, with_keys) is _insert(te, with_keys.replace("(country, day =", "(day ="))
    assert _insert(te, "INSERT OVERWRITE visits PARTITION (day, country) TABLE visits").form.partition is None


def test_only_the_condition_decides_what_is_replaced(te: TableEnvironment) -> None:
    command = _insert(te, "INSERT INTO orders REPLACE WHERE id > 1 SELECT * FROM updates")
    assert command.form.mode is InsertMode.REPLACE_WHERE
    assert command.form.condition is not None
    assert _insert(te, "INSERT OVERWRITE orders SELECT * FROM updates").form.mode is InsertMode.OVERWRITE


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "INSERT INTO orders (id) SELECT l.id FROM updates l JOIN customers ON l.id = customers.id",
            "FROM `memory`.`sales`.`updates` AS `l`\nINNER JOIN `memory`.`sales`.`customers`\n"
            "ON `l`.`id` = `customers`.`id`",
        ),
        (
            "INSERT INTO orders (id) WITH few AS (SELECT id FROM updates LIMIT 3) "
            "SELECT a.id FROM few a JOIN few b ON a.id = b.id",
            "FROM `few` AS `a`\nINNER JOIN `few` AS `b`\nON `a`.`id` = `b`.`id`",
        ),
        (
            "FROM updates l JOIN customers c ON l.id = c.id INSERT INTO orders (id) SELECT l.id "
            "INSERT INTO orders (id) SELECT l.id WHERE l.id > 1",
            "FROM `memory`.`sales`.`updates` AS `l`\nINNER JOIN `memory`.`sales`.`customers` AS `c`\n"
            "ON `l`.`id` = `c`.`id`\nWHERE `l`.`id` > 1",
        ),
        (
            "CREATE TABLE made USING parquet LOCATION '/made' AS "
            "SELECT l.id FROM updates l LEFT JOIN customers c ON l.id = c.id",
            "FROM `memory`.`sales`.`updates` AS `l`\nLEFT OUTER JOIN "
            "`memory`.`sales`.`customers` AS `c`\nON `l`.`id` = `c`.`id`",
        ),
    ],
)
def test_the_text_keeps_the_names_that_a_person_gave(te: TableEnvironment, text: str, written: str) -> None:
    statement = te.sql_statement(text)
    assert statement.as_serializable_string().endswith(written)
    again = te.sql_statement(statement.as_serializable_string())
    assert again.get_command() is statement.get_command()
    assert again.as_serializable_string() == statement.as_serializable_string()
    assert written.splitlines()[0] in statement.explain()


def test_sets_and_merges_keep_the_names_of_queries_in_sql(te: TableEnvironment) -> None:
    te.execute_sql("CREATE TABLE IF NOT EXISTS kept (id BIGINT) USING parquet LOCATION '/data/kept'")
    query = te.sql_query("SELECT l.id FROM updates l JOIN updates r ON l.id = r.id")
    inserts = te.create_statement_set().add(query.insert_into("kept"))
    inserts.add_insert_sql("INSERT INTO kept SELECT x.id FROM customers x JOIN orders y ON x.id = y.id")
    joined = (
        "FROM `memory`.`sales`.`updates` AS `l`\nINNER JOIN `memory`.`sales`.`updates` AS `r`\nON `l`.`id` = `r`.`id`"
    )
    first, second = inserts.as_serializable_string().split(";\n")
    assert joined in first
    assert "AS `x`\nINNER JOIN `memory`.`sales`.`orders` AS `y`" in second
    merge = te.merge_into("orders", query, on="id").when_matched().delete()
    assert joined in merge.as_serializable_string()


def test_inserts_after_one_from_are_a_statement_set(te: TableEnvironment) -> None:
    pages = te.from_path("pages").select(col("id"), col("page"), col("day"), col("country"), col("place"))
    second_text = (
        "INSERT OVERWRITE files PARTITION (day = '2024-01-01', country = 'DE') "
        "SELECT 1L, 'a', CAST(NULL AS STRUCT<street: STRING, town: STRING>)"
    )
    inserts = te.create_statement_set()
    inserts.add(pages.filter(col("id") > 1).insert_into("files"))
    inserts.add_insert_sql(second_text)
    command = inserts.get_command()
    text = f"FROM pages INSERT INTO files SELECT * WHERE id > 1 {second_text}"
    first, second = command.inserts
    assert te.sql_statement(text).get_command().inserts[0] is first
    for dialect in Dialect:
        written = inserts.as_serializable_string(dialect)
        assert te.sql_statement(written, dialect=dialect).get_command() is command
    assert second is te.sql_statement(inserts.as_serializable_string().split(";")[1]).get_command()
    with pytest.raises(
        TableException, match=r"Statement 2 of 2: INSERT … REPLACE WHERE of memory\.sales\.files runs in"
    ):
        te.execute_sql("FROM pages INSERT INTO files SELECT * INSERT INTO files REPLACE WHERE id > 1 SELECT *")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda visits: visits.insert_into("files"), "INSERT INTO files TABLE pages"),
        (lambda visits: visits.insert_into("files", True), "INSERT OVERWRITE files TABLE pages"),
        (
            lambda visits: visits.select(col("page"), col("id")).insert_into("files", columns=["page", "id"]),
            "INSERT INTO files (page, id) SELECT page, id FROM pages",
        ),
        (
            lambda visits: visits.select(col("id"), col("page"), col("place")).insert_into(
                "files", partition={"country": "DE", "day": dt.date(2024, 1, 1)}
            ),
            "INSERT INTO files PARTITION (day = DATE '2024-01-01', country = 'DE') SELECT id, page, place FROM pages",
        ),
        (
            lambda visits: visits.select(col("id"), col("day")).insert_into(
                "files", True, partition={"country": "DE"}, columns=["id", "day"]
            ),
            "INSERT OVERWRITE files PARTITION (country = 'DE') (id, day) SELECT id, day FROM pages",
        ),
    ],
)
def test_fluent_inserts_are_the_same_commands(
    te: TableEnvironment, make: Callable[[Table], TablePipeline], text: str
) -> None:
    pipeline = make(te.from_path("pages"))
    assert pipeline.get_command() is te.sql_statement(text).get_command()
    assert pipeline.as_serializable_string() == te.sql_statement(text).as_serializable_string()
    assert _insert(te, pipeline.as_serializable_string()) is pipeline.get_command()


def test_files_without_a_name_have_no_statement(te: TableEnvironment) -> None:
    from tableapi import TableDescriptor

    files = TableDescriptor.for_connector("filesystem").option("path", "/data/x").format("parquet").build()
    pipeline = te.from_path("orders").insert_into(files)
    with pytest.raises(ValidationException, match="the anonymous files of /data/x are no table of a catalog"):
        pipeline.get_command()


def test_rows_chosen_by_a_condition_are_replaced_in_tables_of_spark_alone(te: TableEnvironment) -> None:
    text = "INSERT INTO files REPLACE WHERE id > 1 SELECT * FROM files"
    with pytest.raises(TableException, match="do not support INSERT … REPLACE WHERE"):
        te.sql_statement(text).execute()
    with pytest.raises(
        TableException, match=r"REPLACE WHERE is for tables of Spark, .*spark_catalog\.default\.files\."
    ):
        te.execute_sql(text)
    with pytest.raises(TableException, match="REPLACE WHERE is for tables of Spark"):
        te.execute_sql(f"EXECUTE STATEMENT SET BEGIN {text}; END")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("INSERT INTO orders BY NAME SELECT id FROM updates", r"has no BY NAME\. Name the columns"),
        ("INSERT INTO orders REPLACE WHERE id > 1 SELECT * FROM updates", "has no REPLACE WHERE"),
        ("INSERT INTO orders REPLACE USING (id) SELECT * FROM updates", "has no REPLACE USING"),
        ("INSERT INTO orders WITH ('a' = 'b') SELECT * FROM updates", r"has no WITH\."),
        ("LOAD DATA INPATH '/x' INTO TABLE orders", "no form of a LOAD DATA statement"),
    ],
)
def test_flink_lacks_some_forms(te: TableEnvironment, text: str, reason: str) -> None:
    with pytest.raises(TableException, match=reason):
        te.sql_statement(text).as_serializable_string("FLINK")


def test_a_partition_column_has_one_value_where_the_statement_runs(te: TableEnvironment) -> None:
    with pytest.raises(TableException, match="The partition column DAY is named twice"):
        te.execute_sql("INSERT INTO files PARTITION (day = '2024-01-01', DAY = '2024-01-02') SELECT 1, 'a', 'DE', NULL")


def test_files_get_fields_in_their_order(te: TableEnvironment) -> None:
    text = "INSERT INTO files BY NAME SELECT 1L AS id, named_struct('town', 'a', 'street', 'b') AS place"
    with pytest.raises(ValidationException, match=r"another order, and files of the table .* get them by position"):
        te.execute_sql(text)


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO {} SELECT * FROM orders",
        "UPDATE {} SET id = 1",
        "DELETE FROM {}",
        "MERGE INTO {} AS t USING updates AS s ON t.id = s.id WHEN MATCHED THEN DELETE",
    ],
)
@pytest.mark.parametrize(("name", "kind"), [("seen", "view"), ("seen_here", "temporary view")])
def test_rows_of_a_view_are_not_changed(text: str, name: str, kind: str) -> None:
    te = environment()
    te.create_view("seen", te.from_path("orders"))
    te.create_temporary_view("seen_here", te.from_path("orders"))
    with pytest.raises(ValidationException, match=rf"{name} is a {kind}; rows go into tables only") as raised:
        te.sql_statement(text.format(name))
    assert raised.value.condition == "EXPECT_TABLE_NOT_VIEW"
    assert f"column {text.index('{') + 1}:" in str(raised.value)
    with pytest.raises(ValidationException, match="rows go into tables only"):
        te.delete_from(name)
