"""Which function a name means: every combination of what could have it and of how it is written, run on Spark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest
from pyspark.sql import SparkSession

from ir.errors import (
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    ValidationException,
)
from tableapi import EnvironmentSettings, Table, TableEnvironment, udf
from tableapi.expressions import call, lit
from tableapi.udf import UserDefinedFunctionWrapper
from tableapi.user_functions.stored import ALLOWED_PACKAGES
from tests.user_functions import functions

CATALOG, DATABASE = "here", "now"


def says(text: str) -> UserDefinedFunctionWrapper:
    """Return a function whose value says which one it is."""
    return udf(lambda given: text, ["STRING"], "STRING", name="says")


# --- the table of FLIP-57 --------------------------------------------------------------------------------------------

SYSTEM, BUILT_IN, TEMPORARY, STORED = "temporary system", "built-in", "temporary", "stored"
KINDS = (SYSTEM, BUILT_IN, TEMPORARY, STORED)
# A name for each set of kinds that could have it; those of built-in functions are these, with their values for 'Ab'.
BUILT_IN_VALUES: dict[str, object] = {
    "upper": "AB",
    "lower": "ab",
    "char_length": 2,
    "concat": "Ab",
    "coalesce": "Ab",
    "isnotnull": True,
    "array": ["Ab"],
    "isnull": False,
}
REFERENCES: dict[str, tuple[str, ...]] = {
    "{name}": (SYSTEM, BUILT_IN, TEMPORARY, STORED),
    f"{DATABASE}.{{name}}": (TEMPORARY, STORED),
    f"{CATALOG}.{DATABASE}.{{name}}": (TEMPORARY, STORED),
    "system.builtin.{name}": (BUILT_IN,),
    "system.session.{name}": (SYSTEM,),
}
"""How a function is named, and the order in which what could be meant is looked for."""


def sets() -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(KINDS, size) for size in range(1, len(KINDS) + 1))


_names = iter(BUILT_IN_VALUES)
NAMES = {kinds: next(_names) if BUILT_IN in kinds else f"f_{'_'.join(kinds).replace(' ', '_')}" for kinds in sets()}


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(CATALOG)
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    return env


def test_every_kind_and_reference(spark: SparkSession) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(CATALOG)
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build(), spark=spark)
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    for kinds, name in NAMES.items():
        # In capital letters, since case does not matter.
        if SYSTEM in kinds:
            env.create_temporary_system_function(name.upper(), says(SYSTEM))
        if STORED in kinds:
            env.create_function(name.upper(), functions.stored)
        if TEMPORARY in kinds:
            env.create_temporary_function(f"{DATABASE}.{name.upper()}", says(TEMPORARY))
    one = env.from_elements([("Ab",)], ["text"])
    env.create_temporary_view("one", one)
    fluent, texts, expected = [], [], []
    for kinds, name in NAMES.items():
        for reference, order in REFERENCES.items():
            meant = next((kind for kind in order if kind in kinds), None)
            path = reference.format(name=name)
            if meant is None:
                with pytest.raises(FunctionNotExistException):
                    one.select(call(path, lit("Ab")))
                with pytest.raises(FunctionNotExistException):
                    env.sql_query(f"SELECT {path}('Ab') FROM one")
                continue
            alias = f"c{len(fluent)}"
            fluent.append(call(path, lit("Ab")).alias(alias))
            texts.append(f"{path}('Ab') AS {alias}")
            expected.append(BUILT_IN_VALUES[name] if meant == BUILT_IN else meant)
    assert len(expected) > 40
    query = one.select(*fluent)
    assert rows_of(query) == [tuple(expected)]
    written = env.sql_query(f"SELECT {', '.join(texts)} FROM one")
    assert rows_of(written) == [tuple(expected)]
    # What is printed calls the same functions when it is read.
    for table in (query, written):
        assert env.sql_query(table.as_serializable_string()).query_operation is table.query_operation


def rows_of(table: Table) -> list[tuple[object, ...]]:
    return [tuple(row) for row in table.execute().collect()]


def test_a_name_means_what_the_current_namespace_says(env: TableEnvironment) -> None:
    env.create_temporary_function("f", says("here.now"))
    env.create_temporary_function("there.then.f", says("there.then"))
    table = env.from_elements([("a",)], ["text"])
    assert "`here`.`now`.`f`" in table.select(call("f", lit("a"))).as_serializable_string()
    assert "`there`.`then`.`f`" in table.select(call("there.then.f", lit("a"))).as_serializable_string()
    with pytest.raises(FunctionNotExistException, match=r"There is no function named 'then.f'"):
        table.select(call("then.f", lit("a")))


# --- creating and dropping -------------------------------------------------------------------------------------------


def test_what_is_named_twice_is_refused(env: TableEnvironment) -> None:
    env.create_temporary_system_function("f", says("a"))
    with pytest.raises(FunctionAlreadyExistException, match=r"temporary system function\. A function named 'F' does"):
        env.create_temporary_system_function("F", says("b"))
    env.create_temporary_function("f", says("a"))
    with pytest.raises(FunctionAlreadyExistException, match=r"catalog function\. A function 'here\.now\.f' does"):
        env.create_temporary_function("now.F", says("b"))
    env.create_function("g", functions.stored)
    with pytest.raises(FunctionAlreadyExistException, match=r"register catalog function\. A function 'here\.now\.g'"):
        env.create_function("G", functions.stored)
    env.create_function("G", functions.stored, ignore_if_exists=True)


def test_a_temporary_function_stands_before_a_stored_one(env: TableEnvironment) -> None:
    env.create_function("f", functions.stored)
    env.create_temporary_function("f", says("a"))
    with pytest.raises(ValidationException, match=r"Please drop the temporary function first"):
        env.drop_function("f")
    with pytest.raises(FunctionAlreadyExistException, match=r"A temporary function 'here.now.f' does already exist"):
        env.create_function("f", functions.stored)
    env.create_function("f", functions.stored, ignore_if_exists=True)
    assert env.drop_temporary_function("f")
    assert env.drop_function("f")
    assert not env.drop_function("f")
    assert not env.drop_temporary_function("f")
    assert not env.drop_temporary_system_function("f")


def test_temporary_functions_may_be_in_databases_that_do_not_exist(env: TableEnvironment) -> None:
    env.create_temporary_function("nowhere.never.f", says("a"))
    assert env.drop_temporary_function("nowhere.never.F")
    with pytest.raises(DatabaseNotExistException, match=r"has no database 'never'"):
        env.create_function("never.f", functions.stored)


def test_lists(env: TableEnvironment) -> None:
    env.create_temporary_system_function("Upper", says("a"))
    env.create_temporary_function("b", says("b"))
    env.create_temporary_function("other.c", says("c"))
    env.create_function("D", functions.stored)
    assert env.list_user_defined_functions() == ["b", "d", "upper"]
    every = env.list_functions()
    assert {"b", "d", "upper", "lower", "sum"} <= set(every)
    assert every == sorted(set(every))


# --- what is stored --------------------------------------------------------------------------------------------------


def test_nothing_is_imported_that_is_not_allowed(env: TableEnvironment) -> None:
    env.create_function("f", functions.stored)
    env.get_config().set(ALLOWED_PACKAGES, "other, tests.user")
    table = env.from_elements([("a",)], ["text"])
    assert "f" in env.list_user_defined_functions()
    with pytest.raises(ValidationException, match=r"'tests\.user_functions\.functions\.stored', and to use it is to"):
        table.select(call("f", lit("a")))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (says("a"), r"tests\.user_functions\.test_resolution\.says\.<locals>\.<lambda> cannot be stored"),
        (functions.Total, r"^$"),
        (int, r"is no function: it is neither made by udf"),
        (len, r"'len' is an ordinary function: decorate it"),
    ],
)
def test_only_what_another_process_finds_is_stored(env: TableEnvironment, given: object, message: str) -> None:
    if message == "^$":
        env.create_function("f", given)
        return
    with pytest.raises(ValidationException, match=message):
        env.create_function("f", given)
    assert env.list_user_defined_functions() == []


def test_a_temporary_name_has_no_database(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"A temporary system function has no database, and the name 'a\.f'"):
        env.create_temporary_system_function("a.f", says("a"))


def test_arguments_have_names(env: TableEnvironment) -> None:
    env.create_temporary_system_function("plus", functions.plus)
    env.create_function("twice", lambda x, by=2: x * by, input_types=["BIGINT", "BIGINT"])
    table = env.from_elements([(1,)], ["id"])
    named = table.select(call("plus", lit(1), b=lit(2)).alias("v"))
    assert named.query_operation is table.select(call("plus", lit(1), lit(2)).alias("v")).query_operation
    assert table.select(functions.plus(b=1, a=2).alias("v")).get_resolved_schema().names == ("v",)
    env.create_temporary_view("one", table)
    assert env.sql_query("SELECT twice(by => 3, x => 1) AS v FROM one").query_operation is (
        env.sql_query("SELECT twice(1, 3) AS v FROM one").query_operation
    )
    with pytest.raises(ValidationException, match=r"plus has no argument named 'c'; it has a, b"):
        table.select(call("plus", lit(1), c=lit(2)))


def test_a_function_of_sql_that_calls_itself_is_refused(env: TableEnvironment) -> None:
    for name, body in (("f", "x"), ("g", "f(x)")):
        env.execute_sql(f"CREATE FUNCTION {name}(x INT) RETURNS INT RETURN {body}")
    env.execute_sql("CREATE OR REPLACE FUNCTION f(x INT) RETURNS INT RETURN g(x)")
    with pytest.raises(ValidationException, match=r"A function of SQL calls itself, directly or by way of another"):
        env.sql_query("SELECT f(1)")
