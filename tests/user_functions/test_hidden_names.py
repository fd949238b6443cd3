"""SQL of built-in functions hidden by temporary system functions: it still means the built-in ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from grammar.reading import Surroundings, parse_query
from ir.errors import FunctionNotExistException, TableException, ValidationException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.resolution.lookup import BuiltInLookup, FunctionName
from serializer.hidden_names import EVERY_NAME, hiding
from tableapi import DataTypes, Dialect, EnvironmentSettings, TableEnvironment, udf
from tableapi.expressions import call, col, lit
from tests.cases import every

OTHER = udf(lambda *given: "other", result_type="STRING", name="other")


class Hiding:
    """Find another function under every unqualified name, as if temporary system functions had all names."""

    def find(self, name: FunctionName) -> FunctionDefinition:
        return OTHER.definition if isinstance(name, str) else BuiltInLookup().find(name)


EXAMPLES = {d.name: d.documentation.example[0] for d in BUILT_INS if d.documentation.example is not None}
# The excluded examples contain their own FROM.
QUERIES = {name: f"SELECT {text}" for name, text in EXAMPLES.items() if name not in ("collations", "sql_keywords")}
# The columns of JSON_TABLE are syntax that is valid only in FROM.
QUERIES["jsonTable"] = f"SELECT * FROM {EXAMPLES['jsonTable']}"


@every("name", lambda: QUERIES, str)
def test_built_in_functions_have_names_that_cannot_be_hidden(name: str) -> None:
    operation = parse_query(QUERIES[name])
    with hiding(EVERY_NAME):
        text = operation.as_serializable_string()
    assert parse_query(text, Surroundings(lookup=Hiding())) is operation
    assert parse_query(text) is operation


def _differing(spark: SparkSession, names: Sequence[str]) -> list[str]:
    """Return the functions whose unhidden name means something else in Spark."""
    columns = [f"{EXAMPLES[name]} AS c{number}" for number, name in enumerate(names)]
    operation = parse_query(f"SELECT {', '.join(columns)}" if len(names) > 1 else QUERIES[names[0]])
    with hiding(EVERY_NAME):
        text = operation.as_serializable_string()
    problem = "another type"
    try:
        if spark.sql(text).schema == spark.sql(operation.as_serializable_string()).schema:
            return []
    except PySparkException as error:
        problem = str(error)[:200]
    if len(names) == 1:
        return [f"{names[0]}: {problem}"]
    middle = len(names) // 2
    return _differing(spark, names[:middle]) + _differing(spark, names[middle:])


def test_spark_takes_these_names(spark: SparkSession) -> None:
    """Many functions in one query take a fraction of the time; those that read or return rows need their own query."""
    rows = {definition.name for definition in BUILT_INS if definition.kind is FunctionKind.TABLE}
    alone = [name for name in QUERIES if name in rows or " FROM " in EXAMPLES[name]]
    others = [name for name in QUERIES if name not in alone]
    asked = [[name] for name in alone] + [others[start : start + 50] for start in range(0, len(others), 50)]
    assert [wrong for names in asked for wrong in _differing(spark, names)] == []


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    env.create_temporary_view("t", env.from_elements([("Ab", 1)], ["text", "i"]))
    return env


def test_only_hidden_names_are_written_otherwise(env: TableEnvironment) -> None:
    upper = env.from_path("t").select(col("text").upper_case, col("text").lower_case)
    assert "SELECT UPPER(`text`)" in upper.as_serializable_string()
    env.create_temporary_system_function("Upper", OTHER)
    text = upper.as_serializable_string()
    assert "`system`.`builtin`.`UPPER`(`text`) AS `_c0`, LOWER(`text`)" in text
    assert env.sql_query(text).query_operation is upper.query_operation
    assert "`system`.`builtin`.`UPPER`" in upper.explain()
    other = env.sql_query("SELECT upper(text) FROM t")
    assert "`Upper`(`text`)" in other.as_serializable_string()
    assert env.sql_query(other.as_serializable_string()).query_operation is other.query_operation
    env.drop_temporary_system_function("upper")
    assert "SELECT UPPER(`text`)" in upper.as_serializable_string()


def test_flink_has_no_other_name(env: TableEnvironment) -> None:
    upper = env.from_path("t").select(col("text").upper_case.alias("u"))
    env.create_temporary_system_function("upper", OTHER)
    with pytest.raises(TableException, match=r"calls the built-in function UPPER, but the temporary system function"):
        upper.as_serializable_string(Dialect.FLINK)
    lower = env.from_path("t").select(col("text").lower_case.alias("u"))
    assert "LOWER(`text`)" in lower.as_serializable_string(Dialect.FLINK)


@pytest.mark.parametrize("name", ["trim", "substring", "position", "struct", "cast", "extract", "if", "current_date"])
@pytest.mark.parametrize("dialect", Dialect)
def test_names_with_a_syntax_of_their_own(env: TableEnvironment, name: str, dialect: Dialect) -> None:
    env.create_temporary_system_function(name, OTHER)
    called = env.from_path("t").select(call(f"`{name}`", col("text")).alias("v"))
    text = called.as_serializable_string(dialect)
    assert env.sql_query(text, dialect=dialect).query_operation is called.query_operation
    cast = env.from_path("t").select(col("i").cast(DataTypes.STRING()).alias("v"))
    assert env.sql_query(cast.as_serializable_string()).query_operation is cast.query_operation


def test_python_code_uses_names_that_cannot_be_hidden(env: TableEnvironment) -> None:
    hypot = env.from_path("t").select(call("soundex", col("text")).alias("v"))
    env.create_temporary_system_function("soundex", OTHER)
    assert "call('system.builtin.soundex'" in hypot.to_python().replace('"', "'")
    other = env.from_path("t").select(call("soundex", col("text")).alias("v"))
    assert "call('soundex'" in other.to_python().replace('"', "'")


def test_temporary_functions_of_expressions_keep_their_meaning(env: TableEnvironment) -> None:
    env.create_temporary_function("loud", lambda x: x.upper_case, input_types=["STRING"], inline=True)
    env.create_temporary_system_function("upper", OTHER)
    loud = env.from_path("t").select(call("loud", col("text")).alias("v"))
    assert loud.query_operation is env.from_path("t").select(col("text").upper_case.alias("v")).query_operation


def test_system_names_are_not_catalog_names(env: TableEnvironment) -> None:
    for path in ("system.builtin.f", "System.Session.f"):
        with pytest.raises(ValidationException, match=r"means a function of the system"):
            env.create_temporary_function(path, OTHER)
    with pytest.raises(FunctionNotExistException):
        env.from_path("t").select(call("system.session.f", lit(1)))
