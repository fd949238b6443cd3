"""Environments on a running Spark: views, local data, inserts, errors, users' sessions."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from tableapi import (
    DataTypes,
    Row,
    Table,
    TableAlreadyExistException,
    TableEnvironment,
    TableException,
    TableNotExistException,
    ValidationException,
)
from tableapi.expressions import col, lit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _people(env: TableEnvironment) -> Table:
    return env.from_elements([(1, "Ada"), (2, "Bo"), (3, None)], ["id", "name"])


def _rows(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as rows:
        return sorted((tuple(row) for row in rows), key=repr)


# --- views ------------------------------------------------------------------------------------------------------------


def test_a_view_is_read_by_plain_spark_and_by_another_environment(env: TableEnvironment, spark: SparkSession) -> None:
    env.create_view("v", _people(env).filter(col("id") > 1), comment="two", properties={"owner": "me"})
    path = f"{env.get_current_database()}.v"
    assert sorted(map(tuple, spark.sql(f"SELECT * FROM {path}").collect()), key=repr) == [(2, "Bo"), (3, None)]
    other = TableEnvironment.create()
    assert _rows(other.from_path(path).select(col("NAME"))) == [("Bo",), (None,)]
    assert env.list_views() == ["v"]
    created = env.show_create_view("v")
    assert "'owner' = 'me'" in created
    assert "COMMENT 'two'" in created
    assert "spark.sql.session.timeZone" in created


def test_views_over_views(env: TableEnvironment) -> None:
    env.create_view("first", _people(env))
    env.create_view("second", env.from_path("first").select((col("id") * 2).alias("twice")))
    assert _rows(env.from_path("second").filter(col("twice") > 2)) == [(4,), (6,)]
    with pytest.raises(TableAlreadyExistException):
        env.create_view("second", _people(env))
    env.create_view("second", _people(env), or_replace=True)
    assert env.from_path("second").get_schema().get_field_names() == ["id", "name"]
    assert env.drop_view("second")
    with pytest.raises(TableNotExistException, match=r"Did you mean 'first'"):
        env.from_path("firts")


def test_temporary_views_made_before_and_after_the_session_starts(spark: SparkSession) -> None:
    env = TableEnvironment.create()
    env.create_temporary_view("before", _people(env))
    env.create_temporary_view("`odd ``name.x`", env.from_path("before").filter(col("id") == 1))
    assert _rows(env.from_path("`odd ``name.x`")) == [(1, "Ada")]
    env.create_temporary_view("after", env.from_path("before").filter(col("id") == 2))
    # The text runs unchanged in the environment's session.
    assert [tuple(r) for r in env.spark.sql(env.from_path("after").as_serializable_string()).collect()] == [(2, "Bo")]
    # Another environment does not see them.
    with pytest.raises(TableNotExistException):
        TableEnvironment.create().from_path("after")
    assert env.drop_temporary_view("after")
    with pytest.raises(TableNotExistException):
        env.from_path("after")


def test_a_temporary_view_that_spark_refuses_leaves_nothing(env: TableEnvironment) -> None:
    env.spark.sql("CREATE TEMPORARY VIEW taken AS SELECT 1 AS a")
    with pytest.raises(TableAlreadyExistException, match=r"session has a temporary view 'taken'"):
        env.create_temporary_view("taken", _people(env))
    assert _rows(env.from_path("taken")) == [(1,)]
    assert env.list_temporary_views() == []


def test_a_permanent_view_over_a_foreign_temporary_view_is_refused(env: TableEnvironment) -> None:
    env.spark.sql("CREATE TEMPORARY VIEW foreign AS SELECT 1 AS a")
    with pytest.raises(ValidationException, match=r"temporary view 'foreign'.*Nothing was stored"):
        env.create_view("v", env.from_path("foreign"))
    assert env.list_views() == []


# --- data of this process ---------------------------------------------------------------------------------------------


def test_pandas_goes_in_and_out(env: TableEnvironment) -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "i": [1, 2],
            "s": ["a", None],
            "d": [1.5, float("nan")],
            "t": [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-06-01 12:00:00.5")],
            "m": [Decimal("1.20"), None],
        }
    )
    table = env.from_pandas(frame)
    assert table.get_schema().get_field_data_types() == [
        DataTypes.BIGINT(),
        DataTypes.STRING(),
        DataTypes.DOUBLE(),
        DataTypes.TIMESTAMP(),
        DataTypes.DECIMAL(3, 2),
    ]
    back = table.filter(col("i") == 2).select(col("t"), col("s"), col("i") + 1).to_pandas()
    assert back["t"].tolist() == [pd.Timestamp("2024-06-01 12:00:00.5")]
    assert back["_c2"].tolist() == [3]
    named = env.from_pandas(frame[["i"]], DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT())]))
    assert repr(named.get_resolved_schema()) == "(`n` INT)"
    assert _rows(named) == [(1,), (2,)]


def test_arrow_goes_in_and_out(env: TableEnvironment) -> None:
    import pyarrow as pa

    data = pa.table({"a": pa.array([[1, None], None]), "r": pa.array([{"x": 1, "y": "p"}, None])})
    table = env.from_arrow(data)
    assert _rows(table) == [(None, None), ([1, None], Row(x=1, y="p"))]
    assert table.to_arrow().num_rows == 2


def test_a_dataframe_goes_in_and_out(env: TableEnvironment, spark: SparkSession) -> None:
    frame = env.spark.range(3).withColumnRenamed("id", "N")
    table = env.from_spark(frame).filter(col("n") > 0)
    assert _rows(table) == [(1,), (2,)]
    assert table.to_spark().count() == 2
    env.create_temporary_view("numbers", env.from_spark(frame))
    assert _rows(env.from_path("numbers").select(col("n") * 10)) == [(0,), (10,), (20,)]
    with pytest.raises(ValidationException, match=r"another Spark session"):
        env.from_spark(spark.newSession().range(1))
    with pytest.raises(ValidationException, match=r"an anonymous DataFrame.*Nothing was stored"):
        env.create_view("v", table)


# --- results ----------------------------------------------------------------------------------------------------------


def test_results_are_printed_as_a_table(env: TableEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    env.from_elements([(1, "日本", None), (20, "x\ny", True)], ["n", "s", "b"]).execute().print()
    assert capsys.readouterr().out == (
        "+----+------+--------+\n| n  | s    | b      |\n".replace("| n  |", "|  n |") + "+----+------+--------+\n"
        "|  1 | 日本 | <NULL> |\n"
        "| 20 | x\\ny | TRUE   |\n"
        "+----+------+--------+\n"
        "2 rows in set\n"
    )


def test_instants_are_shown_in_the_sessions_time_zone(env: TableEnvironment) -> None:
    moment = dt.datetime(2024, 7, 1, 12, tzinfo=dt.UTC)
    table = env.from_elements([(moment,)], ["t"]).select(col("t"), col("t").cast(DataTypes.STRING()).alias("s"))
    assert _rows(table) == [(moment, "2024-07-01 12:00:00")]
    env.get_config().set_local_timezone("Asia/Tokyo")
    assert _rows(table) == [(moment, "2024-07-01 21:00:00")]


def test_variants_and_months_leave_as_json_and_numbers(env: TableEnvironment) -> None:
    frame = env.spark.sql(
        "SELECT parse_json('{\"a\": [1]}') AS v, INTERVAL '-1-2' YEAR TO MONTH AS m, INTERVAL '3' YEAR AS y"
    )
    table = env.from_spark(frame)
    assert [type.as_summary_string() for type in table.get_schema().get_field_data_types()] == [
        "VARIANT NOT NULL",
        "INTERVAL YEAR TO MONTH NOT NULL",
        "INTERVAL YEAR NOT NULL",
    ]
    assert _rows(table) == [('{"a":[1]}', -14, 36)]


def test_explain_has_the_plan_once_the_session_runs(env: TableEnvironment) -> None:
    explained = _people(env).filter(col("id") > 1).explain()
    assert (
        explained.index("== Operation tree ==") < explained.index("== SQL ==") < explained.index("== Spark's plan ==")
    )


# --- errors -----------------------------------------------------------------------------------------------------------


def test_a_failing_query_names_the_operation_and_the_condition(env: TableEnvironment) -> None:
    table = _people(env).filter((lit(1) / (col("id") - 1)) > 0).select(col("name"))
    with pytest.raises(TableException) as caught:
        table.execute()
    assert caught.value.condition == "DIVIDE_BY_ZERO"
    assert caught.value.sql_state == "22012"
    message = str(caught.value)
    assert message.startswith("Filter: (condition: [greaterThan(divide(1, minus(id, 1)), 0)]) failed: [DIVIDE_BY_ZERO]")
    assert "at: 1 / (`id` - 1)" in message
    assert "py4j" not in message
    assert caught.value.__suppress_context__


# --- users' sessions --------------------------------------------------------------------------------------------------


def test_the_session_of_the_user_is_not_changed(spark: SparkSession) -> None:
    mine = spark.newSession()
    mine.conf.set("spark.sql.session.timeZone", "America/New_York")
    mine.range(2).createOrReplaceTempView("mine")
    env = TableEnvironment.create(spark=mine)
    assert env.spark is mine
    assert _rows(env.from_path("mine").select((col("id") + 1).alias("n"))) == [(1,), (2,)]
    assert mine.conf.get("spark.sql.session.timeZone") == "America/New_York"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("spark.sql.ansi.enabled", "false"),
        ("spark.sql.caseSensitive", "true"),
        ("spark.sql.timestampType", "TIMESTAMP_NTZ"),
        ("spark.sql.decimalOperations.allowPrecisionLoss", "false"),
        ("spark.sql.parser.escapedStringLiterals", "true"),
    ],
)
def test_settings_that_change_the_meaning_are_refused_by_name(spark: SparkSession, name: str, value: str) -> None:
    mine = spark.newSession()
    mine.conf.set(name, value)
    with pytest.raises(ValidationException, match=name):
        TableEnvironment.create(spark=mine)
    mine.conf.unset(name)
    env = TableEnvironment.create(spark=mine)
    table = env.from_elements([(1,)], ["a"])
    mine.conf.set(name, value)
    # Settings that change later are also checked: at the next query and at the next schema.
    with pytest.raises(ValidationException, match=name):
        table.execute()
    with pytest.raises(ValidationException, match=name):
        env.from_path("anything")


def test_names_with_substitution_keep_their_spelling_where_the_session_replaces_text(spark: SparkSession) -> None:
    mine = spark.newSession()
    mine.conf.set("spark.sql.variable.substitute", "true")
    env = TableEnvironment.create(spark=mine)
    assert _rows(env.from_elements([("${x}",)], ["a"])) == [("${x}",)]
    one = env.from_elements([(1,)], ["${env:HOME}"])
    assert one.to_spark().columns == ["${env:HOME}"]
    assert _rows(one.filter(col("${env:HOME}") == 1)) == [(1,)]
    of_lambda = env.sql_query("SELECT transform(array(1), `${x}` -> `${x}` + 1) AS r")
    with pytest.raises(ValidationException, match=r"A name in the query has .* a parameter of a lambda"):
        of_lambda.execute()


def test_the_environment_on_spark_connect(connect_spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=connect_spark)
    env.create_temporary_view("people_on_connect", _people(env))
    grouped = env.from_path("people_on_connect").group_by(col("name")).select(col("name"), col("id").sum.alias("s"))
    assert _rows(grouped) == [("Ada", 1), ("Bo", 2), (None, 3)]
    with pytest.raises(TableException) as caught:
        _people(env).select(lit(1) / (col("id") - 1)).execute()
    assert caught.value.condition == "DIVIDE_BY_ZERO"
    import pandas as pd

    assert _rows(env.from_pandas(pd.DataFrame({"a": [1]}))) == [(1,)]
    env.drop_temporary_view("people_on_connect")


def test_environments_that_share_a_session_keep_their_data_apart(spark: SparkSession) -> None:
    import pyarrow as pa

    mine = spark.newSession()
    first, second = TableEnvironment.create(spark=mine), TableEnvironment.create(spark=mine)
    one, two = first.from_arrow(pa.table({"x": [1]})), second.from_arrow(pa.table({"x": [2]}))
    assert _rows(one) == [(1,)]
    assert _rows(two) == [(2,)]
    assert _rows(one) == [(1,)]


def test_data_that_breaks_its_not_null_is_refused(env: TableEnvironment) -> None:
    import pandas as pd

    row_type = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT(False))])
    assert repr(env.from_pandas(pd.DataFrame({"a": [1]}), row_type).get_resolved_schema()) == "(`a` INT NOT NULL)"
    with pytest.raises(ValidationException, match=r"null values to non-nullable"):
        env.from_pandas(pd.DataFrame({"a": [1, None]}), row_type)
